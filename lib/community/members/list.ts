import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody, Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { memberAbilities, topicAccess } from "@/lib/policy/topic";
import { decodeParts, encodeParts, keySchemas } from "../paging";
import { domainsShownBy } from "../profile/shown-domains";
import { prefixPattern } from "../text-search";
import { loadTopic } from "../topics/load";
import { viewerOf } from "../viewer";

/** Matches of a search for a nickname (spec, Limits). */
const mostMatches = 10;

/** Where a page ended: rank of the role, time of joining (Unix ms), user. */
const cursorSchema = z.tuple([
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
}

/**
 * GET /api/topics/{topicId}/members: the owner, then admins, then plain members, each by joining. With `q` at most
 * ten whose nickname starts so, whatever its case, in the same order.
 * @throws Refusal topic_not_found, not_a_member
 */
export async function listMembers(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.members.list>,
): Promise<ResponseBody<typeof contract.members.list>> {
  const { caller, db } = ctx;
  const topic = await loadTopic(db, input.topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).inside);
  // The policy lets members in and nobody else.
  if (!topic.role) throw new Refusal("not_a_member");
  const pattern = prefixPattern(input.q);
  const limit = pattern ? Math.min(input.limit, mostMatches) : input.limit;
  const cursor = decodeParts(input.cursor, cursorSchema);
  const { rows } = await sql<MemberRow>`
    select m.user_id, u.nickname, u.profile_image, m.role, m.role_rank, m.joined_at,
      ${domainsShownBy("m.user_id")} as domains
    from memberships m join users u on u.id = m.user_id
    where m.topic_id = ${topic.id} ${pattern ? sql`and u.nickname_key like ${pattern}` : sql``}
      ${cursor ? following(cursor) : sql``}
    order by m.role_rank, m.joined_at, m.user_id
    limit ${limit + 1} offset ${input.offset}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit && !pattern ? page.at(-1) : undefined;
  const end = last && encodeParts(["members", last.role_rank, last.joined_at.getTime(), last.user_id]);
  return {
    members: page.map((row) => ({
      userId: row.user_id,
      nickname: row.nickname,
      role: row.role,
      profileImage: row.profile_image,
      domains: [...row.domains],
      joinedAt: row.joined_at.toISOString(),
      abilities: memberAbilities(topic.role, row.role, row.user_id === caller.userId),
    })),
    currentUserRole: topic.role,
    // An empty page was asked for: whoever continues, continues from where they were.
    nextCursor: (limit === 0 ? input.cursor : end) ?? null,
  };
}

function following([, rank, joinedAt, userId]: z.infer<typeof cursorSchema>): RawBuilder<unknown> {
  return sql`and (m.role_rank, m.joined_at, m.user_id) > (${rank}, ${new Date(joinedAt)}, ${userId})`;
}
