import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { nicknameKey } from "@/lib/session/users";
import { listBy } from "../my/lists";
import { domainsShownBy } from "../profile/badges";

interface PersonRow {
  readonly id: string;
  readonly nickname: string;
  readonly profile_image: string | null;
  readonly since: string;
  readonly domains: readonly string[];
  readonly is_blocked: boolean;
  readonly is_followed: boolean;
}

/** @throws Refusal user_not_found, also for a name whose owner withdrew or changed it */
async function personNamed(db: Db, nickname: string, readerId: string | null): Promise<PersonRow> {
  const { rows } = await sql<PersonRow>`
    select u.id, u.nickname, u.profile_image, to_char(u.created_at at time zone 'UTC', 'YYYY-MM') as since,
      ${domainsShownBy("u.id", {})} as domains,
      exists (select from blocks k where k.user_id = ${readerId}::text and k.blocked_id = u.id) as is_blocked,
      exists (select from follows f where f.user_id = ${readerId}::text and f.followed_id = u.id) as is_followed
    from users u
    where u.nickname_key = ${nicknameKey(nickname)} and u.deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("user_not_found");
  return row;
}

/**
 * GET /api/people/{nickname}: what a member shows of themselves.
 * @throws Refusal user_not_found
 */
export const getPerson: Handler<typeof contract.people.get> = async ({ caller, db }, { nickname }) => {
  const row = await personNamed(db, nickname, caller?.userId ?? null);
  return {
    person: {
      userId: row.id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      since: row.since,
      domains: [...row.domains],
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
  const { id } = await personNamed(ctx.db, nickname, ctx.caller?.userId ?? null);
  const from = sql`posts p where p.author_id = ${id} and p.hidden_at is null`;
  return await listBy(
    ctx,
    input,
    { sort: `posts-of-${id}`, from, time: "p.created_at", id: "p.id" },
    (post) => post,
  );
};
