import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import { Refusal } from "@/lib/errors";
import { countsAsRepeatable, REPEATED_WITHIN_MS, type TextUsage } from "@/lib/policy/trust";
import { identityOf } from "./days";
import { hashOf, normalized } from "./texts";

/** A post, comment or chat message that is new or changed. */
export interface NewText {
  /** Null for a chat message. */
  readonly postId: string | null;
  /** Null for the post's own text; the message's id where there is no post. */
  readonly commentId: string | null;
  /** What is compared. */
  readonly words: string;
  readonly usage: TextUsage;
}

/**
 * Refuses a text that the same person posted less than an hour ago, in any topic and with any account, unless they
 * deleted that one, or it is the same one before an edit. Of parallel requests, the unique key lets one through. Call it in the transaction that writes it.
 * @throws Refusal duplicate_text with `earlier`
 */
export async function assertNotRepeated(
  trx: Trx,
  { caller, trust, now }: Pick<MemberContext, "caller" | "trust" | "now">,
  { postId, commentId, words, usage }: NewText,
): Promise<void> {
  const text = normalized(words);
  if (!trust.spamLimits || !countsAsRepeatable(text, usage)) return;
  const hash = hashOf(text);
  const at = now();
  const since = new Date(at.getTime() - REPEATED_WITHIN_MS);
  const identity = identityOf(caller.userId);
  const { rows } = await sql`
    insert into recent_texts (identity_hash, text_hash, post_id, comment_id, written_at)
    values (${identity}, ${hash}, ${postId}, ${commentId}, ${at})
    on conflict (identity_hash, text_hash) do update
      set post_id = excluded.post_id, comment_id = excluded.comment_id, written_at = excluded.written_at
      where recent_texts.written_at <= ${since}
        or (recent_texts.post_id is not distinct from excluded.post_id
          and recent_texts.comment_id is not distinct from excluded.comment_id)
        or exists (select from chat_messages m where recent_texts.post_id is null and m.id = recent_texts.comment_id
          and m.deleted_by = 'author')
        or exists (select from comments c where c.id = recent_texts.comment_id and c.deleted_by = 'author')
        or exists (select from posts p where p.id = recent_texts.post_id and recent_texts.comment_id is null
          and p.deleted_by = p.author_id)
    returning text_hash`.execute(trx);
  if (rows.length > 0) return;
  const earlier = await trx
    .selectFrom("recent_texts")
    .select(["post_id as postId", "comment_id as commentId"])
    .where("identity_hash", "=", identity)
    .where("text_hash", "=", hash)
    .executeTakeFirst();
  // Of a chat message, nothing leads there.
  const named = earlier?.postId ? earlier : { postId: null, commentId: null };
  throw new Refusal("duplicate_text", { extra: { earlier: named } });
}
