import { sql } from "kysely";
import type { Viewer } from "@/lib/policy/verdict";
import type { Caller } from "./context";

/** How a user stands in one topic, as loaders read it beside what they load. */
export type Standing = Pick<Viewer, "role" | "muted">;

/** The caller as the policies see one, in the topic where they stand so. */
export function viewerOf(caller: Caller | null, { role, muted }: Standing): Viewer {
  return { signedIn: caller !== null, role, muted, isAdmin: caller?.isAdmin ?? false };
}

/** SQL: whether a user is muted in a topic now. @param topicId a column such as `p.topic_id` */
export function mutedIn(topicId: string, userId: string | null) {
  return sql<boolean>`exists (select from sanctions s where s.topic_id = ${sql.ref(topicId)}
    and s.user_id = ${userId}::text and s.kind = 'mute' and (s.until is null or s.until > now()))`;
}
