import { type Expression, sql } from "kysely";
import type { Caller } from "@/lib/context";
import type { Viewer } from "@/lib/policy/decision";
import { deskAccess } from "@/lib/policy/desk";
import { proofState } from "@/lib/policy/freshness";
import { formerAccounts } from "./profile/identities";

/** What loaders read of a reader's membership; null in all of them for those who have none. */
interface Membership extends Pick<Viewer, "role" | "muted"> {
  /** When it lapses without a new proof. */
  readonly reprove_by: Date | null;
}

/** Returns the caller as the policies of a topic see them. */
export function viewerOf(caller: Caller | null, { role, muted, reprove_by }: Membership): Viewer {
  const isAdmin = caller !== null && deskAccess(caller.operator).act === "allowed";
  // Guests are members of nothing.
  const proof = caller ? proofState(reprove_by, caller.at) : "current";
  return { signedIn: caller !== null, role, muted, proof, isAdmin };
}

/**
 * SQL: whether a user may not write in a topic now: they, or an account they withdrew, are muted there, an operator
 * silenced them, or one froze the topic. For queries in which `t` is the topic.
 * @param topicId such as `p.topic_id`
 */
export function mutedIn(topicId: string, userId: string | Expression<string | null> | null) {
  if (userId === null) return sql<boolean>`false`;
  const topic = sql.ref(topicId);
  const mute = sql`select from sanctions s where s.topic_id = ${topic} and s.kind = 'mute'
    and (s.until is null or s.until > now())`;
  // Two lookups by key: as one condition, the database would read all sanctions of the topic.
  const silence = sql`select from account_sanctions a join users silenced on silenced.identity_hash = a.identity_hash
    where silenced.id = ${userId}::text and a.kind = 'silence' and (a.until is null or a.until > now())`;
  return sql<boolean>`(t.frozen_at is not null or exists (${silence})
    or exists (${mute} and s.user_id = ${userId}::text)
    or exists (${mute} and s.user_id in ${formerAccounts(topic, userId)}))`;
}
