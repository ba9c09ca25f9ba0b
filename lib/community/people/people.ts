import { sql } from "kysely";
import type { Context, Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { nicknameKey } from "@/lib/session/users";
import { readComments } from "../comments/found";
import { idsBy, listBy } from "../my/lists";
import { type ShownSeal, sealsShownBy } from "../profile/badges";
import { authorizeTopic, type TopicRow } from "../topics/load";

interface PersonRow {
  readonly id: string;
  readonly nickname: string;
  readonly profile_image: string | null;
  readonly since: string;
  readonly seals: readonly ShownSeal[];
  readonly is_blocked: boolean;
  readonly is_followed: boolean;
}

/**
 * @param topic where their name stands; outside of all topics if left out
 * @throws Refusal user_not_found, also for a name whose owner withdrew or changed it
 */
async function personNamed(
  { caller, db, now }: Context,
  nickname: string,
  topic?: Pick<TopicRow, "id" | "role">,
): Promise<PersonRow> {
  const readerId = caller?.userId ?? null;
  const place = topic ? { topicId: topic.role ? sql`${topic.id}::uuid` : whereWritten(topic.id) } : {};
  const { rows } = await sql<PersonRow>`
    select u.id, u.nickname, u.profile_image, to_char(u.created_at at time zone 'UTC', 'YYYY-MM') as since,
      ${sealsShownBy("u.id", place, now())} as seals,
      exists (select from blocks k where k.user_id = ${readerId}::text and k.blocked_id = u.id) as is_blocked,
      exists (select from follows f where f.user_id = ${readerId}::text and f.followed_id = u.id) as is_followed
    from users u
    where u.nickname_key = ${nicknameKey(nickname)} and u.deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("user_not_found");
  return row;
}

/**
 * SQL: a topic if user `u` has written what others see there, else null. Only members may list a topic's members, so to
 * anyone else a seal must not tell who is a silent one.
 */
function whereWritten(topicId: string) {
  return sql`(case when exists (select from posts p where p.author_id = u.id and p.topic_id = ${topicId}::uuid
      and p.deleted_at is null and p.hidden_at is null)
    or exists (select from comments c join posts p on p.id = c.post_id
      where c.author_id = u.id and c.deleted_at is null and c.hidden_at is null and p.topic_id = ${topicId}::uuid)
    then ${topicId}::uuid end)`;
}

/**
 * GET /api/people/{nickname}: what a member shows of themselves.
 * @throws Refusal user_not_found; topic_not_found, not_a_member, reprove_required for the topic
 */
export const getPerson: Handler<typeof contract.people.get> = async (ctx, { nickname, topicId }) => {
  const topic =
    topicId === undefined ? undefined : await authorizeTopic(ctx.db, topicId, ctx.caller, "readContent");
  const row = await personNamed(ctx, nickname, topic);
  return {
    person: {
      userId: row.id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      since: row.since,
      seals: row.seals.map(({ domain, provider, month }) => {
        const issuer = ctx.deployment.issuers.find((one) => one.provider === provider);
        return { domain, vouchedBy: issuer?.label ?? null, provenIn: month };
      }),
      isBlocked: row.is_blocked,
      isFollowed: row.is_followed,
    },
  };
};

/**
 * GET /api/people/{nickname}/posts: their posts that the caller may read, latest first.
 * @throws Refusal user_not_found
 */
export const listPostsOf: Handler<typeof contract.people.posts> = async (ctx, { nickname, ...input }) => {
  const { id } = await personNamed(ctx, nickname);
  const from = sql`posts p where p.author_id = ${id} and p.hidden_at is null`;
  return await listBy(
    ctx,
    input,
    { sort: `posts-of-${id}`, from, time: "p.created_at", id: "p.id" },
    (post) => post,
  );
};

/**
 * GET /api/people/{nickname}/comments: their comments that the caller may read, latest first.
 * @throws Refusal user_not_found
 */
export const listCommentsOf: Handler<typeof contract.people.comments> = async (
  ctx,
  { nickname, ...input },
) => {
  const { id } = await personNamed(ctx, nickname);
  const from = sql`comments c join posts p on p.id = c.post_id
    where c.author_id = ${id} and c.deleted_at is null and c.hidden_at is null and p.hidden_at is null`;
  const source = { sort: `comments-of-${id}`, from, time: "c.created_at", id: "c.id" };
  const { ids, nextCursor } = await idsBy(ctx, input, source);
  return { comments: await readComments(ctx, ids), nextCursor };
};
