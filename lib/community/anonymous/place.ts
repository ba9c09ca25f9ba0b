import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Context } from "@/lib/context";
import { isRefusal, Refusal } from "@/lib/errors";
import { type AnonymousTopic, knownTopic } from "./terms";

/** A post that something is said about without a name, as nobody in particular sees it. */
interface PostRow {
  readonly id: string;
  readonly topic_id: string;
  readonly author_id: string;
  readonly visibility: "public" | "private" | "secret";
}

/**
 * Loads a post and its topic for someone who sent this key.
 * @throws Refusal post_not_found, post_hidden
 */
export async function knownPost(
  ctx: Pick<Context, "anonymous" | "db">,
  postId: string,
  key: string | undefined,
): Promise<{ readonly post: PostRow; readonly topic: AnonymousTopic }> {
  const post = await postAt(ctx.db, postId, false);
  const topic = await knownTopic(ctx, post.topic_id, key).catch((error: unknown) => {
    // Whoever has no key learns no more of its posts than of the topic.
    throw isRefusal(error) ? new Refusal("post_not_found") : error;
  });
  return { post: assertShown(post), topic };
}

/** Loads a post again. @param hold keeps it and its topic for this transaction @throws Refusal post_not_found, post_hidden */
export async function shownPost(trx: Trx, postId: string, hold: boolean): Promise<PostRow> {
  return assertShown(await postAt(trx, postId, hold));
}

async function postAt(db: Db | Trx, id: string, hold: boolean) {
  const { rows } = await sql<PostRow & { readonly hidden: boolean }>`
    select p.id, p.topic_id, p.author_id, t.visibility, p.hidden_at is not null as hidden
    from posts p join topics t on t.id = p.topic_id
    where p.id = ${id} and p.deleted_at is null ${hold ? sql`for key share of p, t` : sql``}`.execute(db);
  const [post] = rows;
  if (!post) throw new Refusal("post_not_found");
  return post;
}

function assertShown<P extends { readonly hidden: boolean }>(post: P): P {
  if (post.hidden) throw new Refusal("post_hidden");
  return post;
}
