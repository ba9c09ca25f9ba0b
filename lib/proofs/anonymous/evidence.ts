import { type Hex, hexToBytes, isHex } from "viem";
import { FIELD_MODULUS } from "../words";
import { type AnonymousAct, signalOf, threadScope, topicElement } from "./act";
import { isRootList, type PublishedRoot } from "./roots";
import type { MembershipVerifier } from "./verifier";

/** The proof of something that was said anonymously, as it is published with it. */
export interface Evidence {
  readonly act: AnonymousAct;
  /** Number of the root in the topic's list. */
  readonly root: number;
  readonly publicInputs: readonly string[];
  readonly proof: string;
}

/** What is wrong with evidence. */
export type Fault =
  /** The list of roots is changed or has gaps. */
  | "list"
  /** The proof is about a root that is not in the list. */
  | "root"
  | "topic"
  /** The limit, or the week of the epoch. */
  | "terms"
  /** The proof is about another thread, and so about another pseudonym. */
  | "thread"
  /** The proof is about other words. */
  | "words"
  | "proof";

/** Where words of a proof stand (`publicWords`), and how many there are. */
export const WORD_AT = {
  root: 0,
  topic: 1,
  epoch: 2,
  limit: 3,
  scope: 4,
  signal: 5,
  week: 6,
  scopeNullifier: 72,
  count: 74,
} as const;

/** Returns published public inputs as the verifier takes them; null when they are none. */
export function elementsOf(publicInputs: readonly string[]): Hex[] | null {
  const words = publicInputs.flatMap((word) => (isElement(word) ? [word] : []));
  return words.length === WORD_AT.count && publicInputs.length === WORD_AT.count ? words : null;
}

/**
 * Checks without asking anybody that one of a crowd said exactly this: the list of roots, what the proof is about, and the
 * proof. Whether the right people were in the crowd it cannot tell.
 * @param limit slots of an epoch
 * @returns the first fault, or null
 * @throws Error when the verifier itself fails
 */
export async function faultOf(
  { act, root, publicInputs, proof }: Evidence,
  roots: readonly (PublishedRoot & { readonly hash: string })[],
  limit: number,
  verifier: Pick<MembershipVerifier, "verify">,
): Promise<Fault | null> {
  const ofTopic = roots.every(({ topicId }) => topicId === act.topicId);
  if (!ofTopic || !isRootList(roots)) return "list";
  const words = elementsOf(publicInputs);
  if (!words) return "proof";
  const value = (at: number) => BigInt(words[at] ?? 0);
  const listed = roots.find(({ number }) => number === root);
  if (!listed || BigInt(listed.root) !== value(WORD_AT.root)) return "root";
  if (value(WORD_AT.topic) !== topicElement(act.topicId)) return "topic";
  if (value(WORD_AT.limit) !== BigInt(limit) || value(WORD_AT.week) !== value(WORD_AT.epoch) / 7n)
    return "terms";
  if (value(WORD_AT.scope) !== threadScope(act.postId)) return "thread";
  if (value(WORD_AT.signal) !== signalOf(act)) return "words";
  if (!isHex(proof)) return "proof";
  return (await verifier.verify(hexToBytes(proof), words)) ? null : "proof";
}

function isElement(word: string): word is Hex {
  return /^0x[0-9a-f]{64}$/.test(word) && BigInt(word) < FIELD_MODULUS;
}
