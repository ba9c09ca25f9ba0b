import { concat, hexToBytes, keccak256, stringToHex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import type { Case } from "../case";
import type { Lie } from "../circuit";
import { block, squeeze } from "../sponge";
import { hexOf, type Maker, type Witness } from "./make";
import { bindTo } from "./refused-country";
import { bytesOf, type Overrides, SIGNER_KEYS, USER_KEY } from "./witness";

const user = privateKeyToAccount(USER_KEY).address;

/** The attester signs a digest that is not the payload's: only the shape of the hashed block stands against it. */
async function attest(witness: Witness, digest: Uint8Array): Promise<void> {
  const { r, s } = await sign({ hash: hexOf([...digest]), privateKey: SIGNER_KEYS[0] ?? "0x" });
  Object.assign(witness, { attester_signature_r: bytesOf(r), attester_signature_s: bytesOf(s) });
}

/** Shows a scope that is not the string's hash, with the nullifier that follows. */
function showScope(witness: Witness, digest: Uint8Array): void {
  witness.scope = [...digest];
  const scope = hexOf(witness.scope);
  const inner = keccak256(concat([user, hexOf(witness.signal_hash)]));
  witness.nullifier = bytesOf(keccak256(concat([inner, scope])));
}

const later: Lie["change"] = (honest) => [0n, ...honest.slice(0, -1)];
const nowhere: Lie["change"] = (honest) => honest.map(() => 0n);

/** A payload whose last lane has room for a byte after its end. */
async function roomy(maker: Maker): Promise<Overrides> {
  for (const nonce of [0, 300, 70_000, 20_000_000]) {
    const overrides = { transaction: { nonce } };
    const { unsigned_transaction } = await maker.witness(overrides);
    if (unsigned_transaction.len % 8 < 6) return overrides;
  }
  throw new Error("no nonce leaves room");
}

/** What is hashed: a message, its end and nothing after it. `last` is the last call of the hint. */
export async function hashCases(maker: Maker): Promise<Case[]> {
  const overrides = await roomy(maker);
  const base = { ...(await maker.witness(overrides)) };
  const call = maker.isCountry ? 2 : 0;
  const forged = async (
    name: string,
    change: (witness: Witness) => Promise<void>,
    reason: RegExp,
    lies: Lie[] = [],
  ): Promise<Case> => ({ ...(await maker.refused(name, change, reason, overrides)), base, lies });

  const dirty = (by: number) => async (witness: Witness) => {
    const { storage, len } = witness.unsigned_transaction;
    storage[len + by] = 7;
    await attest(witness, squeeze(block(storage, len)));
  };
  const shared = [
    forged(
      "a byte after the payload, hashed with it, in its last lane",
      dirty(1),
      /assert_max_bit_size|Cannot/,
    ),
    forged(
      "a byte after the payload, hashed with it, in a later lane",
      dirty(9),
      /keccak: bytes after the end/,
    ),
    forged(
      "a payload that is hashed with eight zeros after it",
      async (witness) => {
        const { storage, len } = witness.unsigned_transaction;
        await attest(witness, squeeze(block(storage, len + 8)));
      },
      /keccak: end at the length/,
      [{ hint: "one_hot", call, change: later }],
    ),
    forged(
      "a payload that is hashed without an end",
      async (witness) => attest(witness, squeeze(block(witness.unsigned_transaction.storage, undefined))),
      /keccak: one end/,
      [{ hint: "one_hot", call, change: nowhere }],
    ),
  ];
  return Promise.all([...shared, ...(maker.isCountry ? scopeHashCases(maker) : [])]);
}

function scopeHashCases(maker: Maker): Promise<Case>[] {
  const short = "short";
  const long = `${"s".repeat(88)}\0`;
  return [
    // One byte more than the string may have, a zero, stands in no parameter. With it the block of the signal hash is
    // full, so that it has no end: the wallet signs what it gives all the same.
    maker.refused(
      "a scope of 88 bytes and a zero byte",
      async (witness) => {
        const message = concat([user, stringToHex(long), stringToHex(maker.circuit)]);
        await bindTo(witness, hexOf([...squeeze(block(hexToBytes(message), undefined))]));
      },
      /keccak: too many bytes/,
      { scope: long },
    ),
    (async () => ({
      ...(await maker.refused(
        "a scope that is hashed without an end",
        (witness) => showScope(witness, squeeze(block(witness.scope_string?.storage ?? [], undefined))),
        /keccak: one end/,
        { scope: short },
      )),
      base: { ...(await maker.witness({ scope: short })) },
      lies: [{ hint: "one_hot", call: 0, change: nowhere }],
    }))(),
  ];
}
