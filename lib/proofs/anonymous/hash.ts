import { poseidon2Hash } from "@zkpassport/poseidon2";

/** The hashes of anonymous_membership (circuits/bin/anonymous_membership/README.md). All values are field elements. */

/** What a hash is for: two of different domains have nothing in common. */
const LEAF = 1n;
const NODE = 2n;
const TAG = 3n;
const SLOT = 4n;
const EPOCH = 5n;
const SCOPE = 6n;
const COMMITMENT = 7n;

/** Returns a member's leaf in the crowd of a topic. */
export function leafOf(secret: bigint, topic: bigint): bigint {
  return poseidon2Hash([LEAF, secret, topic]);
}

/** Returns the node above two others of a crowd's tree. */
export function nodeOf(left: bigint, right: bigint): bigint {
  return poseidon2Hash([NODE, left, right]);
}

/** Returns what a member is banned by in one week. It links everything the member says in that week: keep it from readers. */
export function tagOf(secret: bigint, week: bigint): bigint {
  return poseidon2Hash([TAG, secret, week]);
}

/** Returns the number that a member's use of a slot is known by: the same slot of an epoch cannot be used twice. */
export function slotNullifier(secret: bigint, epoch: bigint, slot: number): bigint {
  return poseidon2Hash([SLOT, poseidon2Hash([EPOCH, secret, epoch]), BigInt(slot)]);
}

/** Returns the number that a member is known by in one thread or ballot, and nowhere else. */
export function scopeNullifier(secret: bigint, scope: bigint): bigint {
  return poseidon2Hash([SCOPE, secret, scope]);
}

/** Returns the public word that stands for a tag. Without the blinding nobody can tell whose tag it is. */
export function tagCommitment(tag: bigint, blinding: bigint): bigint {
  return poseidon2Hash([COMMITMENT, tag, blinding]);
}
