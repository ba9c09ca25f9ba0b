import { concat, type Hex, keccak256, stringToHex, zeroHash } from "viem";
import { sign } from "viem/accounts";
import type { Case } from "../case";
import { flipped, type Maker, type Witness } from "./make";
import { ACTION, bytesOf, SIGNAL_HASH, USER_KEY } from "./witness";

async function signBy(witness: Witness, hash: Hex): Promise<void> {
  const { r, s } = await sign({ hash, privateKey: USER_KEY });
  Object.assign(witness, { user_signature_r: bytesOf(r), user_signature_s: bytesOf(s) });
}

const typed = (domain: Hex, action: Hex) => keccak256(concat(["0x1901", domain, action]));
const personal = (signal: Hex) =>
  keccak256(concat([stringToHex("\x19Ethereum Signed Message:\n32"), signal]));

/** Rule 10: identity or action, and one digest. */
export async function digestCases(maker: Maker): Promise<Case[]> {
  const { domainSeparator, actionHash } = ACTION;
  const HALF = /digest: half an action/;
  const set = (witness: Witness, signal: Hex, domain: Hex, action: Hex) => {
    witness.signal_hash = bytesOf(signal);
    witness.domain_separator = bytesOf(domain);
    witness.action_hash = bytesOf(action);
  };
  const halves = [
    ["an action without a domain, signed as typed data", zeroHash, actionHash, typed(zeroHash, actionHash)],
    ["an action without a domain, signed as a message", zeroHash, actionHash, personal(SIGNAL_HASH)],
    [
      "a domain without an action, signed as typed data",
      domainSeparator,
      zeroHash,
      typed(domainSeparator, zeroHash),
    ],
    ["a domain without an action, signed as a message", domainSeparator, zeroHash, personal(SIGNAL_HASH)],
  ] as const;
  return Promise.all([
    ...halves.flatMap(([name, domain, action, digest]) =>
      [SIGNAL_HASH, zeroHash].map((signal) =>
        maker.refused(
          `${name}, ${signal === zeroHash ? "without" : "with"} a signal hash`,
          async (witness) => {
            set(witness, signal, domain, action);
            await signBy(
              witness,
              signal === zeroHash && digest === personal(SIGNAL_HASH) ? personal(zeroHash) : digest,
            );
          },
          HALF,
        ),
      ),
    ),
    maker.refused(
      "an action with a signal hash, signed as typed data",
      (witness) => set(witness, SIGNAL_HASH, domainSeparator, actionHash),
      /digest: an action has no signal hash/,
      { action: ACTION },
    ),
    maker.refused(
      "an action with a signal hash, signed as a message",
      (witness) => set(witness, SIGNAL_HASH, domainSeparator, actionHash),
      /digest: an action has no signal hash/,
    ),
    maker.refused(
      "an action whose wallet signed a message of zeros",
      async (witness) => signBy(witness, personal(zeroHash)),
      /account: signature/,
      { action: ACTION },
    ),
    maker.refused(
      "an identity whose wallet signed typed data of zeros",
      async (witness) => {
        set(witness, zeroHash, zeroHash, zeroHash);
        await signBy(witness, typed(zeroHash, zeroHash));
      },
      /account: signature/,
    ),
    maker.refused(
      "an identity whose wallet signed the hash itself",
      async (witness) => signBy(witness, SIGNAL_HASH),
      /account: signature/,
    ),
    ...(["domain_separator", "action_hash"] as const).flatMap((field) =>
      [0, 31].map((i) =>
        maker.refused(
          `${field} byte ${i} changed`,
          (witness) => {
            witness[field] = flipped(witness[field] ?? [], i);
          },
          /account: signature/,
          { action: ACTION },
        ),
      ),
    ),
    ...[0, 31].map((i) =>
      maker.refused(
        `signal hash byte ${i} changed`,
        (witness) => {
          witness.signal_hash = flipped(witness.signal_hash, i);
        },
        /account: signature/,
      ),
    ),
    maker.refused(
      "the other eligibility circuit's nullifier",
      (witness) => {
        witness.nullifier = otherTag(maker, witness);
      },
      /wallet: nullifier/,
    ),
    maker.refused(
      "a nullifier by the signal hash, as the country circuit has it",
      (witness) => {
        witness.nullifier = nullifierBy(witness, SIGNAL_HASH);
      },
      /wallet: nullifier/,
    ),
  ]);
}

function nullifierBy(witness: Witness, tag: Hex): number[] {
  const point = Uint8Array.from([...witness.user_pubkey_x, ...witness.user_pubkey_y]);
  const address: Hex = `0x${keccak256(point).slice(-40)}`;
  const scope: Hex = `0x${Buffer.from(witness.scope).toString("hex")}`;
  return bytesOf(keccak256(concat([keccak256(concat([address, tag])), scope])));
}

function otherTag(maker: Maker, witness: Witness): number[] {
  const other = maker.circuit === "network_eligibility" ? "regional_attestation" : "network_eligibility";
  return nullifierBy(witness, keccak256(stringToHex(other)));
}
