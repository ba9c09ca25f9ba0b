import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Caller } from "@/lib/context";
import type { Topic, TopicListItem } from "@/lib/contract";
import { ABILITIES } from "@/lib/contract/abilities";
import { Refusal } from "@/lib/errors";
import { allowedOf, type RightOf } from "@/lib/policy/decision";
import { type TopicAccess, topicAccess } from "@/lib/policy/topic";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { inOrder, isRecordId } from "../paging";
import { mutedIn, viewerOf } from "../viewer";
import { assertAllowedIn } from "./membership-rules";

export type TopicRow = Awaited<ReturnType<typeof selectTopics>>[number];

const topicsById = compiledQuery(
  (db: Db, value: PlaceOf<{ ids: readonly string[]; callerId: string | null }>, signedIn: boolean) =>
    db
      .selectFrom("topics as t")
      .leftJoin("categories as c", "c.id", "t.category_id")
      .leftJoin("memberships as m", (join) =>
        join.onRef("m.topic_id", "=", "t.id").on("m.user_id", "=", value("callerId")),
      )
      .leftJoin("topic_mutes as q", (join) =>
        join.onRef("q.topic_id", "=", "t.id").on("q.user_id", "=", value("callerId")),
      )
      .leftJoin("topic_notification_levels as l", (join) =>
        join.onRef("l.topic_id", "=", "t.id").on("l.user_id", "=", value("callerId")),
      )
      // By name: statements that select all columns of a table are not prepared (lib/sql/prepared.ts).
      .select([
        "t.id",
        "t.title",
        "t.description",
        "t.creator_id",
        "t.category_id",
        "t.visibility",
        "t.requires_approval",
        "t.image",
        "t.banner",
      ])
      .select(["t.proof_type", "t.required_domain", "t.allowed_countries", "t.excluded_countries"])
      .select(["t.invite_code", "t.member_count", "t.post_count", "t.open_report_count", "t.score"])
      .select(["t.last_activity_at", "t.created_at", "t.updated_at"])
      .select(["c.name as category_name", "c.slug as category_slug", "c.icon as category_icon", "m.role"])
      .select("l.level as user_level")
      .select(sql<boolean>`q.user_id is not null`.as("user_muted"))
      .select([
        "t.reprove_days",
        "t.slow_mode_seconds",
        "t.links_after_posts",
        "t.rules",
        "t.review_words",
        "t.anonymous",
      ])
      .select("m.reprove_by")
      .select(sql<Date | null>`coalesce(m.proven_at, m.joined_at)`.as("proven_at"))
      .select(mutedIn("t.id", signedIn ? value("callerId") : null).as("muted"))
      .where(sql<boolean>`t.id = any(${value("ids")}::uuid[])`)
      .compile(),
);

function selectTopics(db: Db | Trx, ids: readonly string[], callerId: string | null) {
  return topicsById(db, { ids, callerId }, callerId !== null);
}

/** Loads topics with category and the caller's role, in the order of the ids, in one query. */
export async function loadTopics(
  db: Db,
  ids: readonly string[],
  callerId: string | null,
): Promise<TopicRow[]> {
  if (ids.length === 0) return [];
  return inOrder(ids, await selectTopics(db, ids, callerId));
}

/** Loads a topic, without a check whether the caller may see it. @throws Refusal topic_not_found */
export async function loadTopic(db: Db | Trx, id: string, callerId: string | null): Promise<TopicRow> {
  const [row] = isRecordId(id) ? await selectTopics(db, [id], callerId) : [];
  if (!row) throw new Refusal("topic_not_found");
  return row;
}

/**
 * Loads a topic in which the caller has this right.
 * @throws Refusal topic_not_found; otherwise what the policy decides
 */
export async function authorizeTopic(
  db: Db | Trx,
  id: string,
  caller: Caller | null,
  right: RightOf<TopicAccess>,
): Promise<TopicRow> {
  const topic = await loadTopic(db, id, caller?.userId ?? null);
  await assertAllowedIn(db, topicAccess(topic, viewerOf(caller, topic))[right], id, caller);
  return topic;
}

/** Returns whether the staff decide who joins. */
export function requiresApproval(row: Pick<TopicRow, "visibility" | "requires_approval">): boolean {
  return row.visibility === "private" && row.requires_approval;
}

/** Returns a topic as lists show it. Only for topics that the policy lets this caller see. */
export function topicListItem(row: TopicRow, caller: Caller | null): TopicListItem {
  // Not spread into a new object: that copy costs more than the view.
  return Object.assign(topicView(row, caller), { isMember: row.role !== null, currentUserRole: row.role });
}

/** Returns a topic as this caller may see it. Only for topics that the policy lets them see. */
export function topicView(row: TopicRow, caller: Caller | null): Topic {
  const access = topicAccess(row, viewerOf(caller, row));
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creatorId: row.creator_id,
    requiresCountryProof: row.proof_type === "country",
    allowedCountries: row.allowed_countries,
    excludedCountries: row.excluded_countries,
    proofType: row.proof_type,
    requiredDomain: row.required_domain,
    inviteCode: access.seeInviteCode ? row.invite_code : null,
    visibility: row.visibility,
    requiresApproval: requiresApproval(row),
    image: row.image,
    banner: row.banner,
    score: row.score,
    lastActivityAt: row.last_activity_at.toISOString(),
    categoryId: row.category_id,
    category:
      row.category_id && row.category_name && row.category_slug
        ? { id: row.category_id, name: row.category_name, slug: row.category_slug, icon: row.category_icon }
        : null,
    memberCount: row.member_count,
    postCount: row.post_count,
    reproveDays: row.reprove_days,
    slowModeSeconds: row.slow_mode_seconds,
    linksAfterPosts: row.links_after_posts,
    rules: row.rules,
    anonymous: row.anonymous,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    abilities: allowedOf(ABILITIES.topic, access),
  };
}
