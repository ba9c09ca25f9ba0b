import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isStaff } from "@/lib/policy/decision";
import { memberAbilities } from "@/lib/policy/topic";
import { cutPage, decodeParts, encodeParts, keySchemas } from "../paging";
import { domainsShownBy } from "../profile/badges";
import { prefixPattern } from "../text-search";
import { authorizeTopic } from "../topics/load";
import { noteCount } from "./notes";

/** Matches of a search for a nickname (spec, Limits). */
const MAX_MATCHES = 10;

/** The end of a page: rank of the role, time of joining (Unix ms), user. */
const CURSOR = z.tuple([
  z.literal("members"),
  z.int().min(0).max(2),
  keySchemas.time,
  z.string().regex(/^[\x21-\x7e]{1,100}$/),
]);

interface MemberRow {
  readonly user_id: string;
  readonly nickname: string;
  readonly profile_image: string | null;
  readonly domains: readonly string[];
  readonly role: Role;
  readonly role_rank: number;
  readonly joined_at: Date;
  readonly proven_at: Date;
  /** Of the staff, about them; null unless the caller is staff. */
  readonly notes: number | null;
}

/**
 * GET /api/topics/{topicId}/members: the owner, then admins, then plain members, each by time of joining. With `q`, at
 * most ten whose nickname starts with it in any case.
 * @throws Refusal topic_not_found, not_a_member
 */
export const listMembers: Handler<typeof contract.members.list> = async (ctx, input) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "inside");
  // For the type: the policy lets in members only.
  if (!topic.role) throw new Refusal("not_a_member");
  const pattern = prefixPattern(input.q);
  const limit = pattern ? Math.min(input.limit, MAX_MATCHES) : input.limit;
  const cursor = decodeParts(input.cursor, CURSOR);
  const { rows } = await sql<MemberRow>`
    select m.user_id, u.nickname, u.profile_image, m.role, m.role_rank, m.joined_at,
      coalesce(m.proven_at, m.joined_at) as proven_at,
      ${isStaff(topic.role) ? noteCount(sql.ref("m.topic_id"), sql.ref("m.user_id"), caller.userId) : sql`null`} as notes,
      ${domainsShownBy("m.user_id", { topicId: sql.ref("m.topic_id") })} as domains
    from memberships m join users u on u.id = m.user_id
    where m.topic_id = ${topic.id} ${pattern ? sql`and u.nickname_key like ${pattern}` : sql``}
      ${cursor ? following(cursor) : sql``}
    order by m.role_rank, m.joined_at, m.user_id
    limit ${limit + 1} offset ${input.offset}`.execute(db);
  const page = cutPage(rows, { limit, cursor: input.cursor }, (row) =>
    encodeParts(["members", row.role_rank, row.joined_at.getTime(), row.user_id]),
  );
  return {
    members: page.rows.map((row) => ({
      userId: row.user_id,
      nickname: row.nickname,
      role: row.role,
      profileImage: row.profile_image,
      domains: [...row.domains],
      joinedAt: row.joined_at.toISOString(),
      provenAt: topic.proof_type === "none" ? null : row.proven_at.toISOString(),
      noteCount: row.notes,
      abilities: memberAbilities(topic.role, row.role, row.user_id === caller.userId),
    })),
    currentUserRole: topic.role,
    // A search has one page.
    nextCursor: pattern && limit > 0 ? null : page.nextCursor,
  };
};

function following([, rank, joinedAt, userId]: z.infer<typeof CURSOR>): RawBuilder<unknown> {
  return sql`and (m.role_rank, m.joined_at, m.user_id) > (${rank}, ${new Date(joinedAt)}, ${userId})`;
}
