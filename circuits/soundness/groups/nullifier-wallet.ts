import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concat, type Hex, hexToBytes, keccak256, stringToHex } from "viem";
import { hexOf, type Maker, type Witness } from "../attested/make";
import type { AttestedCircuit, Overrides } from "../attested/witness";
import { SIGNER_KEYS, testKey } from "../attested/witness";
import type { Random } from "../random";

const COUNTRIES = ["DE", "FR", "ES", "IT", "AT", "PL", "SE", "US", "JP", "BR", "ZA", "IN"];
const personal = (message: Hex) =>
  keccak256(concat([stringToHex("\x19Ethereum Signed Message:\n32"), message]));

/** A person's wallet key, public like all keys of these tests. */
export const walletOf = (index: number): Hex => testKey(5, index);

/** Everything about a proof that is not wallet, scope or signer list, chosen anew. */
function freeChoices(circuit: AttestedCircuit, random: Random): Overrides {
  const country = random.pick(COUNTRIES);
  const list = COUNTRIES.filter(() => random.chance(0.4)).slice(0, 10);
  const isAction = random.chance(0.5);
  return {
    signerIndex: random.below(SIGNER_KEYS.length),
    transaction: {
      nonce: random.below(2 ** (1 + random.below(40))),
      maxPriorityFeePerGas: random.bits(1 + random.below(70)),
      maxFeePerGas: (1n << 70n) + random.bits(70),
      gas: random.bits(1 + random.below(30)),
    },
    ...(circuit === "partner_country_attestation"
      ? { country, countries: list.length > 0 ? list : ["DE"] }
      : isAction
        ? {
            action: {
              domainSeparator: hexOf([...random.bytes(32)]),
              actionHash: hexOf([...random.bytes(32)]),
            },
          }
        : { signalHash: hexOf([...random.bytes(32)]) }),
  };
}

/** The wallet's signature with a k of chance, as a wallet that is not deterministic makes it. */
function signAnew(witness: Witness, digest: Hex, key: Hex, random: Random): void {
  const signature = secp256k1.sign(hexToBytes(digest), hexToBytes(key), {
    prehash: false,
    lowS: true,
    extraEntropy: random.bytes(32),
  });
  witness.user_signature_r = [...signature.slice(0, 32)];
  witness.user_signature_s = [...signature.slice(32, 64)];
}

/** A proof of a wallet in one scope, with every free input chosen anew. */
export async function randomWitness(maker: Maker, key: Hex, random: Random): Promise<Witness> {
  const choices = freeChoices(maker.circuit, random);
  const witness = await maker.witness({ userKey: key, ...choices });
  const digest = choices.action
    ? keccak256(concat(["0x1901", choices.action.domainSeparator, choices.action.actionHash]))
    : personal(hexOf(witness.signal_hash));
  signAnew(witness, digest, key, random);
  return witness;
}

/** The nullifier by the definition in the specification, with a tag and a scope of one's choice. */
function nullifierBy(witness: Witness, tag: Hex, scope: Hex): number[] {
  const point = Uint8Array.from([...witness.user_pubkey_x, ...witness.user_pubkey_y]);
  const address: Hex = `0x${keccak256(point).slice(-40)}`;
  return [...hexToBytes(keccak256(concat([keccak256(concat([address, tag])), scope])))];
}

/** A nullifier that is another's, another circuit's or scope's, or a little off. */
export function otherNullifier(witness: Witness, random: Random): number[] {
  const own = witness.nullifier;
  const scope = hexOf(witness.scope);
  const at = random.below(32);
  const others = [
    ...["network_eligibility", "regional_attestation", "partner_country_attestation", ""].map((id) =>
      nullifierBy(witness, keccak256(stringToHex(id)), scope),
    ),
    nullifierBy(witness, hexOf([...random.bytes(32)]), scope),
    nullifierBy(witness, hexOf(witness.signal_hash), hexOf([...random.bytes(32)])),
    own.map((byte, i) => (i === at ? byte ^ (1 << random.below(8)) : byte)),
    [...random.bytes(32)],
    [...own].reverse(),
  ].filter((other) => other.some((byte, i) => byte !== own[i]));
  return random.pick(others);
}
