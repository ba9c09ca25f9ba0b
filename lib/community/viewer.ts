import { type Expression, sql } from "kysely";
import type { Caller } from "@/lib/context";
import type { Viewer } from "@/lib/policy/decision";
import { formerAccounts } from "./profile/identities";

/** Returns the caller as the policies of a topic see them. @param membership role and mute, as loaders read them */
export function viewerOf(caller: Caller | null, { role, muted }: Pick<Viewer, "role" | "muted">): Viewer {
  return { signedIn: caller !== null, role, muted, isAdmin: caller?.isAdmin ?? false };
}

/** SQL: whether a user, or an account they withdrew, is muted in a topic now. @param topicId such as `p.topic_id` */
export function mutedIn(topicId: string, userId: string | Expression<string | null> | null) {
  if (userId === null) return sql<boolean>`false`;
  const topic = sql.ref(topicId);
  const mute = sql`select from sanctions s where s.topic_id = ${topic} and s.kind = 'mute'
    and (s.until is null or s.until > now())`;
  // Two lookups by key: as one condition, the database would read all sanctions of the topic.
  return sql<boolean>`(exists (${mute} and s.user_id = ${userId}::text)
    or exists (${mute} and s.user_id in ${formerAccounts(topic, userId)}))`;
}
