import { concat, type Hex, hexToBytes, keccak256, zeroHash } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import type { Case, Family } from "../case";
import { type Change, flipped, hexOf, type Maker, type Witness } from "./make";
import { bindTo } from "./refused-country";
import { itemsOf, withByte, withField } from "./rlp";
import { ACTION, bytesOf, SIGNER_KEYS, USER_KEY } from "./witness";

const MAIN = "bin/partner_country_attestation/src/main.nr";
const ATTESTATION = "lib/attestation/src/lib.nr";
const ELIGIBILITY = "lib/eligibility/src/lib.nr";
const PAYLOAD = "lib/eip1559_payload/src/lib.nr";
const MERKLE = "lib/merkle_signers/src/lib.nr";

const all = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A family of witnesses that are changed at one place each. */
async function family(
  file: string,
  statement: string,
  places: readonly number[],
  one: (place: number) => Promise<Case>,
): Promise<Family> {
  return { file, statement, cases: await Promise.all(places.map(one)) };
}

/** Bytes of the payload, which the attester signs as it then is. */
function payloadFamilies(maker: Maker): Promise<Family>[] {
  const data = (what: string, file: string, statement: string, from: number, count: number, reason: RegExp) =>
    family(file, statement, all(count), (i) =>
      maker.refused(`transaction: ${what} byte ${i} changed`, () => undefined, reason, {
        payload: withField(
          "data",
          withByte(1 + from + i, (byte) => byte ^ 1),
        ),
      }),
    );
  const chainId = itemsOf(Uint8Array.from(payloadOf(maker.honest)))[0]?.length ?? 0;
  const owner = maker.isCountry ? MAIN : ELIGIBILITY;
  return [
    data("selector", ATTESTATION, "assert(call.data[i] == attester.selector[i]", 0, 4, /selector/),
    data("padding", owner, "assert(said[i] == 0", 4, maker.isCountry ? 10 : 12, /padding/),
    data("account", ATTESTATION, "assert(call.data[16 + i] == user[i]", 16, 20, /another account/),
    family(PAYLOAD, "assert(read(bytes, at + 1 + i as Field) == to[i]", all(20), (i) =>
      maker.refused(`transaction: recipient: byte ${i}`, () => undefined, /payload: recipient/, {
        payload: withField(
          "to",
          withByte(1 + i, (byte) => byte ^ 1),
        ),
      }),
    ),
    family(PAYLOAD, "assert(bytes[4 + i] == digit as u8", all(chainId - 1), (i) =>
      maker.refused(`transaction: chain id: byte ${i}`, () => undefined, /payload: chain id/, {
        payload: withField(
          "chainId",
          withByte(1 + i, (byte) => byte ^ 1),
        ),
      }),
    ),
  ];
}

/** The honest transaction's bytes. */
function payloadOf({ unsigned_transaction: transaction }: Maker["honest"]): number[] {
  if (typeof transaction !== "object" || Array.isArray(transaction)) return [];
  const { storage, len } = transaction;
  return Array.isArray(storage) ? storage.slice(0, Number(len)).map(Number) : [];
}

/** Public words that nothing but their comparison holds: the root, and the nullifier. */
function wordFamilies(maker: Maker): Promise<Family>[] {
  const change =
    (i: number): Change =>
    (witness) => {
      const field = maker.isCountry ? "merkle_root" : "signer_list_merkle_root";
      witness[field] = flipped(witness[field] ?? [], i);
    };
  return [
    family(MERKLE, "assert(node == to_lanes(root)", all(32), (i) =>
      maker.refused(`root: byte ${i}`, change(i), /merkle: root/),
    ),
    family(MERKLE, "assert(is_used | (sibling[i] == 0)", all(32), (i) =>
      maker.refused(
        `unused sibling: byte ${i}`,
        (witness) => {
          witness.merkle_path[1] = flipped(witness.merkle_path[1] ?? [], i);
        },
        /merkle: unused sibling/,
        { signerKeys: SIGNER_KEYS.slice(0, 1) },
      ),
    ),
    family(
      "lib/wallet_nullifier/src/lib.nr",
      "assert(hash_pair(hash(tagged), scope) == to_lanes(nullifier)",
      all(32),
      (i) =>
        maker.refused(
          `nullifier: byte ${i}`,
          (witness) => {
            witness.nullifier = flipped(witness.nullifier, i);
          },
          /wallet: nullifier/,
        ),
    ),
  ];
}

const user = privateKeyToAccount(USER_KEY).address;

/** The country circuit's hashes: the wallet signs the other signal hash, and the nullifier is the one that follows. */
function countryFamilies(maker: Maker): Promise<Family>[] {
  return [
    family(MAIN, "assert(expected == to_lanes(signal_hash)", all(32), (i) =>
      maker.refused(
        `signal hash: byte ${i}, signed`,
        (witness) => bindTo(witness, hexOf(flipped(witness.signal_hash, i))),
        /country: signal hash/,
      ),
    ),
    family(
      MAIN,
      "assert(hash_bounded(scope_string.storage(), scope_string.len()) == to_lanes(scope)",
      all(32),
      (i) =>
        maker.refused(
          `scope: byte ${i}, with its nullifier`,
          (witness) => {
            witness.scope = flipped(witness.scope, i);
            const inner = keccak256(concat([user, hexOf(witness.signal_hash)]));
            witness.nullifier = bytesOf(keccak256(concat([inner, hexOf(witness.scope)])));
          },
          /country: scope/,
        ),
    ),
    family(
      "lib/country_list/src/lib.nr",
      "assert(is_used | (bytes[i] == 0)",
      all(16), // the list has two of ten places
      (i) =>
        maker.refused(
          `byte ${i} after the list`,
          ({ countries }) => {
            const place = countries?.storage[2 + Math.floor(i / 2)];
            if (place) place[i % 2] = 12;
          },
          /countries: bytes after/,
        ),
    ),
  ];
}

const only = (i: number): Hex => hexOf(all(32).map((at) => (at === i ? 1 : 0)));

async function signBy(witness: Witness, hash: Hex): Promise<void> {
  const { r, s } = await sign({ hash, privateKey: USER_KEY });
  Object.assign(witness, { user_signature_r: bytesOf(r), user_signature_s: bytesOf(s) });
}

/** Half an action, or a signal hash beside one, of which a single byte says so. */
function modeFamilies(maker: Maker): Promise<Family>[] {
  return [
    family(ELIGIBILITY, "assert(is_action != is_zero(domain_separator)", all(64), (i) =>
      maker.refused(
        `half an action: byte ${i}`,
        async (witness) => {
          if (i < 32) witness.domain_separator = bytesOf(only(i));
          else {
            witness.signal_hash = bytesOf(zeroHash);
            witness.action_hash = bytesOf(only(i - 32));
            await signBy(witness, keccak256(concat(["0x1901", zeroHash, only(i - 32)])));
          }
        },
        /digest: half an action/,
      ),
    ),
    family(ELIGIBILITY, "assert(!is_action | is_zero(signal_hash)", all(32), (i) =>
      maker.refused(
        `a signal hash beside an action: byte ${i}`,
        (witness) => {
          witness.signal_hash = bytesOf(only(i));
        },
        /digest: an action has no signal hash/,
        { action: ACTION },
      ),
    ),
  ];
}

/** The lanes of the payload's hash as bytes: the attester signs what the prover makes of one of them. */
function laneFamily(maker: Maker): Promise<Family> {
  const HASH_CALL = 1;
  return family(
    "lib/keccak256/src/lib.nr",
    "assert(joined(bytes.map(|byte| byte as Field), 8 * i) == digest[i] as Field",
    all(4),
    async (lane) => {
      const digest = flipped(
        [...hexToBytes(keccak256(Uint8Array.from(payloadOf(maker.honest))))],
        8 * lane + 3,
      );
      const one = await maker.refused(
        `digest bytes: lane ${lane}`,
        async (witness) => {
          const { r, s } = await sign({ hash: hexOf(digest), privateKey: SIGNER_KEYS[0] ?? "0x" });
          Object.assign(witness, { attester_signature_r: bytesOf(r), attester_signature_s: bytesOf(s) });
        },
        /keccak: digest bytes/,
      );
      return { ...one, lies: [{ hint: "split", call: HASH_CALL, change: () => digest.map(BigInt) }] };
    },
  );
}

/** One case for every byte and lane that an attested circuit compares. */
export function families(maker: Maker): Promise<Family[]> {
  return Promise.all([
    ...payloadFamilies(maker),
    ...wordFamilies(maker),
    ...(maker.isCountry ? countryFamilies(maker) : modeFamilies(maker)),
    laneFamily(maker),
  ]);
}
