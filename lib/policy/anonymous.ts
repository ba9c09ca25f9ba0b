import type { AnonymousMode } from "@/lib/contract/topics";
import type { Decision } from "./decision";

/** Where anonymous texts belong, as the rules see it. */
interface AnonymousPlace {
  readonly anonymous: AnonymousMode;
  /** Whether an operator froze the topic. */
  readonly frozen: boolean;
}

/** What an installation asks of crowds. */
export interface AnonymousSettings {
  /** Members that a crowd needs before anything is said in it: one of few is nearly a name. */
  readonly minimum: number;
  /** Between the moments at which crowds change, where something did. */
  readonly roundMs: number;
  /** Returns the key of a topic that not everyone may read: the same for all who may, so that it names none of them. */
  readonly keyOf: (topicId: string) => string;
}

/** Decides whether members may post or comment in a topic without a name. Whether someone is one, their proof shows. */
export function anonymousAccess(place: AnonymousPlace, kind: "post" | "comment"): Decision {
  if (place.anonymous === "off" || (place.anonymous === "comments" && kind === "post"))
    return "anonymous_off";
  return place.frozen ? "topic_frozen" : "allowed";
}

/** Decides whether a crowd of that size is large enough to speak from. */
export function crowdAccess(size: number, { minimum }: Pick<AnonymousSettings, "minimum">): Decision {
  return size < minimum ? "crowd_too_small" : "allowed";
}

/** How long a client may take between reading the terms of an act and sending it. */
const GRACE_MS = 2 * 60 * 1000;
/** How long a root counts after the next one was published. */
const ROOT_OVERLAP_MS = 10 * 60 * 1000;

/**
 * Decides whether terms still hold. @param at when the client read them
 * @param replacedAt when the root after theirs was published; null while theirs is the latest
 */
export function termsAccess(at: Date, replacedAt: Date | null, now: Date): Decision {
  const isRecent = Math.abs(now.getTime() - at.getTime()) <= GRACE_MS;
  const counts = replacedAt === null || now.getTime() < replacedAt.getTime() + ROOT_OVERLAP_MS;
  return isRecent && counts ? "allowed" : "terms_expired";
}
