import { wordlist } from "@scure/bip39/wordlists/english";
import { threadScope } from "./act";
import { scopeNullifier } from "./hash";

/** Words of the list, each of eleven bits. */
const WORD_BITS = 11n;

/** Returns two words that stand for a nullifier. Four million pairs: in one thread they rarely meet. */
export function pseudonymOf(nullifier: bigint): string {
  const word = (at: bigint) => wordlist[Number((nullifier >> (at * WORD_BITS)) & 2047n)];
  return `${word(0n)} ${word(1n)}`;
}

/** Returns by what its author's own device knows a text of a thread. @param secret theirs in the thread's topic */
export function ownPseudonym(secret: bigint, postId: string): string {
  return pseudonymOf(scopeNullifier(secret, threadScope(postId)));
}
