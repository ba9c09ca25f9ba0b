import { ORDER } from "../acir/field";
import { hash, type Witness, witnessOf } from "../anonymous/witness";
import type { Random } from "../random";
import { randomChoices } from "./fuzz-members";

/** A member's secret in one topic. */
export const secretOf = (index: number): bigint => hash("leaf", BigInt(index) + 1n, 0n);

/** What a member has one nullifier each for: a slot of an epoch, and a scope. */
const FIXED = { epoch: 20_000n, slot: 3n, scope: 991n };

/** A proof of a member in one slot and scope, with everything else drawn anew. */
export function randomMember(secret: bigint, random: Random): Witness {
  return witnessOf({ ...randomChoices(random), ...FIXED, secret, limit: 10n });
}

/** The same proof with another slot or scope nullifier: another member's, slot's or scope's, or a little off. */
export function otherMember(witness: Witness, random: Random): Witness {
  const { secret, epoch, slot, scope } = witness;
  const slotOf = (who: bigint, when: bigint, which: bigint) => hash("slot", hash("epoch", who, when), which);
  const off = (value: bigint) => (value + 1n + BigInt(random.below(255))) % ORDER;
  if (random.chance(0.5)) {
    const slot_nullifier = random.pick([
      slotOf(secret + 1n, epoch, slot),
      slotOf(secret, epoch + 1n, slot),
      slotOf(secret, epoch, slot + 1n),
      witness.scope_nullifier,
      off(witness.slot_nullifier),
      random.bits(250),
    ]);
    return { ...witness, slot_nullifier };
  }
  const scope_nullifier = random.pick([
    hash("scope", secret + 1n, scope),
    hash("scope", secret, scope + 1n),
    hash("leaf", secret, scope),
    witness.slot_nullifier,
    off(witness.scope_nullifier),
    random.bits(250),
  ]);
  return { ...witness, scope_nullifier };
}
