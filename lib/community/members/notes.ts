import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract, Role } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import type { StaffNote } from "@/lib/contract/notes";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { mayDeleteNote } from "@/lib/policy/topic";
import { transact } from "@/lib/sql/transact";
import { authorizeTopic } from "../topics/load";
import { assertLive, authorizeLockedTopic } from "../topics/membership";

interface NoteRow {
  readonly id: string;
  readonly note: string;
  readonly created_at: Date;
  readonly author_id: string;
  readonly nickname: string;
  readonly image: string | null;
}

/** SQL: how many notes of a topic a member of its staff reads about a user. Nobody reads those about themselves. */
export function noteCount(
  topicId: ReturnType<typeof sql.ref>,
  userId: ReturnType<typeof sql.ref>,
  reader: string,
) {
  return sql<number>`(select count(*)::int from staff_notes n
    where n.topic_id = ${topicId} and n.user_id = ${userId} and n.user_id <> ${reader})`;
}

async function selectNotes(db: Db | Trx, which: ReturnType<typeof sql>): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select n.id, n.note, n.created_at, n.author_id, u.nickname, u.profile_image as image
    from staff_notes n join users u on u.id = n.author_id ${which}`.execute(db);
  return rows;
}

/** Returns a note as staff see it. @param reader role of that member of staff */
function noteView(row: NoteRow, reader: Role | null, readerId: string): StaffNote {
  return {
    id: row.id,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    author: { userId: row.author_id, nickname: row.nickname, profileImage: row.image },
    abilities: mayDeleteNote(reader, row.author_id === readerId) === "allowed" ? ["delete"] : [],
  };
}

/**
 * GET /api/topics/{topicId}/members/{userId}/notes, latest first.
 * @throws Refusal topic_not_found, not_a_member, role_required
 */
export const listNotes: Handler<typeof contract.members.notes> = async ({ caller, db }, input) => {
  const topic = await authorizeTopic(db, input.topicId, caller, "moderate");
  const rows = await selectNotes(
    db,
    sql`where n.topic_id = ${topic.id} and n.user_id = ${input.userId} and n.user_id <> ${caller.userId}
      order by n.created_at desc, n.id desc`,
  );
  return { notes: rows.map((row) => noteView(row, topic.role, caller.userId)) };
};

/**
 * POST /api/topics/{topicId}/members/{userId}/notes: the user need not be a member, since they may come back.
 * @throws Refusal topic_not_found, not_a_member, role_required (also about oneself), user_not_found, too_many_notes
 */
export const addNote: Handler<typeof contract.members.addNote> = async (ctx, { topicId, userId, note }) => {
  const { caller, db } = ctx;
  const added = await transact(db, async (trx) => {
    // Notes of one topic queue at its row, so that their number holds.
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    if (userId === caller.userId) throw new Refusal("role_required", { field: "userId" });
    const { rows } = await sql<{ exists: boolean; notes: number }>`
      select exists (select from users where id = ${userId} and deleted_at is null) as exists,
        (select count(*)::int from staff_notes where topic_id = ${topicId} and user_id = ${userId}) as notes`.execute(
      trx,
    );
    if (!rows[0]?.exists) throw new Refusal("user_not_found", { field: "userId" });
    if (rows[0].notes >= LIMITS.moderation.notes) throw new Refusal("too_many_notes");
    const { id } = await trx
      .insertInto("staff_notes")
      .values({ topic_id: topicId, user_id: userId, author_id: caller.userId, note, created_at: ctx.now() })
      .returning("id")
      .executeTakeFirstOrThrow();
    // The insert waits for a withdrawal of either, and this sees it.
    await assertLive(trx, caller.userId);
    await assertLive(trx, userId);
    const [row] = await selectNotes(trx, sql`where n.id = ${id}`);
    if (!row) throw new Error("the note was not written");
    return noteView(row, topic.role, caller.userId);
  });
  return { note: added };
};

/**
 * DELETE /api/topics/{topicId}/notes/{noteId}.
 * @throws Refusal topic_not_found, not_a_member, role_required, note_not_found
 */
export const deleteNote: Handler<typeof contract.members.deleteNote> = async (ctx, { topicId, noteId }) => {
  const { caller, db } = ctx;
  await transact(db, async (trx) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const note = await trx
      .selectFrom("staff_notes")
      .select(["author_id", "user_id"])
      .where("id", "=", noteId)
      .where("topic_id", "=", topicId)
      .executeTakeFirst();
    if (!note || note.user_id === caller.userId) throw new Refusal("note_not_found");
    assertAllowed(mayDeleteNote(topic.role, note.author_id === caller.userId));
    await trx.deleteFrom("staff_notes").where("id", "=", noteId).execute();
  });
  return { success: true };
};
