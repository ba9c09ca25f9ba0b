import { sql } from "kysely";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, signIn } from "../testing";

/** A topic with its author and some members. */
export async function recordTopic(h: Harness, members: number) {
  const author = await signIn(h, "author");
  const { id } = await makeTopic(author);
  const people: TestUser[] = [];
  for (let i = 0; i < members; i += 1) {
    const member = await signIn(h, "member");
    await addTo(h.db, id, member);
    people.push(member);
  }
  return { topicId: id, author, people };
}

/** A post that is so old; by itself old enough to be recorded. */
export async function oldPost(
  h: Harness,
  { topicId, author }: { readonly topicId: string; readonly author: TestUser },
  { content = "<p>recorded text 👋</p>", ageMs = 3_600_000 } = {},
) {
  const post = await makePost(author, topicId, "A post", content);
  const createdAt = new Date(h.services.now().getTime() - ageMs);
  await sql`update posts set created_at = ${createdAt} where id = ${post.id}`.execute(h.db);
  return post;
}

/** What one person has used up: rows and counters, which have to agree. */
export async function recordsOf(h: Harness, userId: string) {
  const rows = await h.db
    .selectFrom("records")
    .select(["id", "post_id", "status", "tx_hash", "content_hash"])
    .where("recorder_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const days = await h.db.selectFrom("record_days").select("count").where("user_id", "=", userId).execute();
  return { rows, used: days.reduce((sum, { count }) => sum + count, 0) };
}

/** Numbers of everything ever signed with a wallet, in order. */
export async function numbersOf(h: Harness, wallet: string): Promise<number[]> {
  const rows = await h.db
    .selectFrom("chain_transactions")
    .select("nonce")
    .where("wallet", "=", wallet)
    .orderBy("nonce")
    .execute();
  return rows.map(({ nonce }) => nonce);
}
