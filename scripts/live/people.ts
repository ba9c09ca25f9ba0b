import { randomUUID } from "node:crypto";
import type { Db } from "@/db/schema";
import { seededCategories } from "@/db/seeded-categories";
import { type SessionTokens, sessionSeconds } from "@/lib/session/tokens";

export interface Crowd {
  readonly topicId: string;
  readonly tokens: readonly string[];
}

/** Writes a topic with `count` members, each with a session, straight into the database. */
export async function makeCrowd(db: Db, tokens: SessionTokens, count: number): Promise<Crowd> {
  const topicId = randomUUID();
  const run = topicId.slice(0, 8);
  const now = new Date();
  const people = await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const userId = `${run}-${i}`;
      const nickname = `p_${run}_${i}`;
      return { userId, nickname, ...(await tokens.issue({ userId, nickname, verifiedAt: now.getTime() })) };
    }),
  );
  for (let from = 0; from < count; from += 1_000) {
    const some = people.slice(from, from + 1_000);
    await db
      .insertInto("users")
      .values(
        some.map(({ userId, nickname }) => ({
          id: userId,
          identity_hash: userId,
          nickname,
          nickname_key: nickname,
          nickname_set: true,
          profile_image: null,
          deleted_at: null,
        })),
      )
      .execute();
    await db
      .insertInto("sessions")
      .values(
        some.map(({ userId, claims }) => ({
          jti: claims.jti,
          user_id: userId,
          label: "bench",
          created_at: now,
          last_seen_at: now,
          expires_at: new Date(now.getTime() + sessionSeconds * 1000),
        })),
      )
      .execute();
  }
  await db
    .insertInto("topics")
    .values({
      id: topicId,
      title: `Crowd ${run}`,
      creator_id: people[0]?.userId ?? "",
      category_id: seededCategories[0]?.id ?? null,
      visibility: "public",
      proof_type: "none",
      invite_code: run.toUpperCase(),
      member_count: count,
      score_at: now,
      last_activity_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto("topic_search")
    .values({ topic_id: topicId, is_secret: false, text: "crowd" })
    .execute();
  for (let from = 0; from < count; from += 1_000) {
    await db
      .insertInto("memberships")
      .values(
        people.slice(from, from + 1_000).map(({ userId }, i) => ({
          topic_id: topicId,
          user_id: userId,
          role: from + i === 0 ? ("owner" as const) : ("member" as const),
        })),
      )
      .execute();
  }
  return { topicId, tokens: people.map(({ token }) => token) };
}
