import { sql } from "kysely";
import type { Caller } from "@/lib/context/caller";
import type { Viewer } from "@/lib/policy/decision";
import { formerAccounts } from "./profile/identities";

/** How a user stands in one topic, as loaders read it beside what they load. */
export type Standing = Pick<Viewer, "role" | "muted">;

/** The caller as the policies see one, in the topic where they stand so. */
export function viewerOf(caller: Caller | null, { role, muted }: Standing): Viewer {
  return { signedIn: caller !== null, role, muted, isAdmin: caller?.isAdmin ?? false };
}

/** SQL: whether a user is muted in a topic now, under this account or one they withdrew. @param topicId a column such as `p.topic_id` */
export function mutedIn(topicId: string, userId: string | null) {
  if (userId === null) return sql<boolean>`false`;
  const topic = sql.ref(topicId);
  const mute = sql`select from sanctions s where s.topic_id = ${topic} and s.kind = 'mute'
    and (s.until is null or s.until > now())`;
  // Two lookups by key; in one, the database would read all sanctions of the topic.
  return sql<boolean>`(exists (${mute} and s.user_id = ${userId}::text)
    or exists (${mute} and s.user_id in ${formerAccounts(topic, userId)}))`;
}
