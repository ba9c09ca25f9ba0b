import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { PostMedia } from "@/db/schema/community";
import type { Snapshot } from "@/lib/contract/moderation";
import { plainText } from "@/lib/html";
import { keysIn } from "@/lib/storage/keys";

/** Copies a post for a report: title, text with its poll, and the pictures it shows. */
export async function postSnapshot(trx: Trx, postId: string): Promise<Snapshot> {
  const { rows } = await sql<{ title: string; content: string; media: PostMedia; poll: string | null }>`
    select p.title, p.content, p.media,
      (select concat_ws(E'\n', q.question, (select string_agg('- ' || o.text, E'\n' order by o.position)
          from poll_options o where o.poll_id = q.id)) from polls q where q.post_id = p.id) as poll
    from posts p where p.id = ${postId}`.execute(trx);
  const [post] = rows;
  if (!post) throw new Error("the reported post is locked and gone");
  const text = plainText(post.content);
  return {
    title: post.title,
    text: post.poll ? `${text}\n\n${post.poll}` : text,
    files: keysIn(`${post.content} ${JSON.stringify(post.media)}`),
  };
}

/** Copies a plain text for a report, with the uploads that it names. */
export function textSnapshot(
  title: string,
  text: string,
  pictures: readonly (string | null)[] = [],
): Snapshot {
  return { title, text, files: keysIn([text, ...pictures].join(" ")) };
}
