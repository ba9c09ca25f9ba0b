import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { arenas, crowdOf, outcomes, parallel, race } from "@/lib/testing/crowd";
import {
  createTopic,
  deleteMessage,
  deleteTopic,
  hideMessage,
  imposeSanction,
  joinTopic,
  listMessages,
  reactToMessage,
  sendMessage,
  updateMessage,
} from "../index";
import { verifyLog } from "../moderation/chain";
import { general } from "../testing";
import { FIRE, THUMB } from "./testing";

/** What must hold of messages that a hundred people change at once. */
const postgres = await startPostgres();
afterAll(() => postgres?.close());
describe.each(arenas(postgres, "chat_changes"))("$name", ({ open, rounds }) => {
  describe.skipIf(!open)("races of changes in a chat", () => {
    let database: OpenDatabase;
    let owner: MemberContext;
    let crowd: readonly MemberContext[];
    beforeAll(async () => {
      database = (await open?.()) ?? expect.fail();
      const people = crowdOf(database);
      owner = await people.newUser();
      crowd = await people.newUsers(25);
    });
    afterAll(() => database.close());

    /** A topic with the crowd in it, and a message of its first. */
    async function newScene() {
      const { topic } = await createTopic(owner, { title: "T", categoryId: general, visibility: "public" });
      for (const user of crowd) await joinTopic(user, { topicId: topic.id });
      const author = crowd[0] ?? owner;
      const { message } = await sendMessage(author, { topicId: topic.id, message: "first" });
      return { topicId: topic.id, author, messageId: message.id };
    }
    const many = <T>(work: (user: MemberContext, index: number) => Promise<T>, count = parallel) =>
      Array.from({ length: count }, (_, i) => work(crowd[i % crowd.length] ?? owner, i));

    /** Every message and change has a position of its own up to the last one, and counts are those of the rows. */
    async function expectInOrder(topicId: string): Promise<void> {
      const { rows } = await sql<{ position: number }>`
        select position from chat_messages where topic_id = ${topicId}
        union all select position from chat_changes where topic_id = ${topicId} order by 1`.execute(
        database.db,
      );
      const positions = rows.map(({ position }) => position);
      expect(new Set(positions).size).toBe(positions.length);
      const room = await database.db
        .selectFrom("chat_rooms")
        .select("last_position")
        .where("topic_id", "=", topicId)
        .executeTakeFirst();
      expect(positions.at(-1)).toBe(room?.last_position);
      const wrong = await sql`
        select m.id from chat_messages m left join chat_changes c on c.message_id = m.id
        where m.topic_id = ${topicId} and (m.changed_position is distinct from c.position
          or coalesce((m.reactions->>${FIRE})::int, 0)
            <> (select count(*) from chat_reactions r where r.message_id = m.id and r.emoji = ${FIRE})
          or coalesce((m.reactions->>${THUMB})::int, 0)
            <> (select count(*) from chat_reactions r where r.message_id = m.id and r.emoji = ${THUMB}))`.execute(
        database.db,
      );
      expect(wrong.rows).toEqual([]);
    }

    const seen = async (topicId: string, id: string) => {
      const { messages } = await listMessages(owner, { topicId, limit: 500 });
      return messages.find((message) => message.id === id) ?? expect.fail();
    };

    race("reactions are given and taken back, and the counts are those of the people", rounds, async () => {
      const { topicId, messageId } = await newScene();
      const given = many((user, i) =>
        reactToMessage(user, { messageId, emoji: i % 2 === 0 ? FIRE : THUMB, reacted: true }),
      );
      expect(await outcomes(given)).toEqual({ done: parallel });
      await expectInOrder(topicId);
      const all = (await seen(topicId, messageId)).reactions.map(({ count }) => count);
      expect(all).toEqual([crowd.length, crowd.length]);
      // Some take back while others, or they themselves, give again.
      const mixed = many((user, i) => reactToMessage(user, { messageId, emoji: FIRE, reacted: i % 3 === 0 }));
      expect(await outcomes(mixed)).toEqual({ done: parallel });
      await expectInOrder(topicId);
    });

    race("edits, reactions, hiding and new messages leave one order and one text", rounds, async () => {
      const { topicId, author, messageId } = await newScene();
      const texts = Array.from({ length: parallel / 4 }, (_, i) => `edit ${i}`);
      const counts = await outcomes([
        ...texts.map((message) => updateMessage(author, { messageId, message })),
        ...many((user) => reactToMessage(user, { messageId, emoji: FIRE, reacted: true }), parallel / 4),
        ...many((user, i) => sendMessage(user, { topicId, message: String(i) }), parallel / 4),
        ...many((_, i) => hideMessage(owner, { messageId, hidden: i % 2 === 0 }), parallel / 4),
      ]);
      // Whoever cannot read it while it is hidden does not find it.
      const { done = 0, message_not_found = 0 } = counts;
      expect(done + message_not_found).toBe(parallel);
      expect(texts).toContain((await seen(topicId, messageId)).message);
      await expectInOrder(topicId);
      await expectWholeLog(topicId);
    });

    race("a message is deleted while all change it, once, and nothing comes after", rounds, async () => {
      const { topicId, author, messageId } = await newScene();
      const counts = await outcomes([
        ...many((user) => reactToMessage(user, { messageId, emoji: FIRE, reacted: true }), parallel / 4),
        ...many(() => deleteMessage(author, { messageId }), parallel / 4),
        ...many(() => deleteMessage(owner, { messageId }), parallel / 4),
        ...many((_, i) => updateMessage(author, { messageId, message: `edit ${i}` }), parallel / 4),
      ]);
      const { done = 0, message_not_found = 0 } = counts;
      expect(done + message_not_found).toBe(parallel);
      expect(await seen(topicId, messageId)).toMatchObject({ isDeleted: true, message: "", reactions: [] });
      await expectInOrder(topicId);
      const logged = await expectWholeLog(topicId);
      // Logged exactly if the staff were first.
      const { deletedBy } = await seen(topicId, messageId);
      expect(logged).toEqual(deletedBy === "admin" ? ["message_deleted"] : []);
    });

    race("whoever is banned changes nothing afterwards", rounds, async () => {
      const { topicId, author, messageId } = await newScene();
      const edits = Array.from({ length: 20 }, (_, i) =>
        updateMessage(author, { messageId, message: `${i}` }),
      );
      const ban = imposeSanction(owner, {
        topicId,
        userId: author.caller.userId,
        kind: "ban",
        reason: "Enough.",
      });
      const counts = await outcomes([...edits, ban]);
      expect((counts.done ?? 0) + (counts.not_a_member ?? 0)).toBe(21);
      await ban;
      const late = [
        updateMessage(author, { messageId, message: "late" }),
        reactToMessage(author, { messageId, emoji: FIRE, reacted: true }),
      ];
      expect(await outcomes(late)).toEqual({ not_a_member: 2 });
      await expectInOrder(topicId);
    });

    race("a topic is deleted while its messages change, and nothing is left", rounds, async () => {
      const { topicId, author, messageId } = await newScene();
      const changes = [
        ...many((user) => reactToMessage(user, { messageId, emoji: FIRE, reacted: true }), parallel / 4),
        ...many((_, i) => updateMessage(author, { messageId, message: `edit ${i}` }), parallel / 4),
        ...many((_, i) => hideMessage(owner, { messageId, hidden: i % 2 === 0 }), parallel / 4),
      ];
      const deleted = deleteTopic(owner, { topicId });
      const { done = 0, message_not_found = 0 } = await outcomes([...changes, deleted]);
      expect(done + message_not_found).toBe(changes.length + 1);
      await expect(deleted).resolves.toMatchObject({ deleted: true });
      const { rows } = await sql<{ left: number }>`
        select ((select count(*) from chat_messages where topic_id = ${topicId})
          + (select count(*) from chat_changes where topic_id = ${topicId})
          + (select count(*) from chat_reactions where message_id = ${messageId}))::int as left`.execute(
        database.db,
      );
      expect(rows).toEqual([{ left: 0 }]);
    });

    /** The log of a topic holds. @returns its actions, oldest first */
    async function expectWholeLog(topicId: string): Promise<string[]> {
      const rows = await database.db
        .selectFrom("moderation_log")
        .selectAll()
        .where("topic_id", "=", topicId)
        .orderBy("seq")
        .execute();
      const entries = rows.map((row) => ({
        seq: row.seq,
        at: row.at.toISOString(),
        action: row.action,
        actorId: row.actor_id,
        actorNickname: "",
        subjectId: row.subject_id,
        subjectNickname: null,
        postId: row.post_id,
        commentId: row.comment_id,
        reason: row.reason,
        details: row.details,
        previousHash: row.previous_hash,
        hash: row.hash,
      }));
      expect(verifyLog(topicId, entries)).toBeNull();
      return entries.map(({ action }) => action);
    }
  });
});
