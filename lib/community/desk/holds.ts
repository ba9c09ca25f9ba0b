import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { BinaryAnswer, contract, ErrorCode } from "@/lib/contract";
import type { HeldKind, Hold } from "@/lib/contract/desk-acts";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { deskAccess, mayUndoFor } from "@/lib/policy/desk";
import { assertFreshProof } from "@/lib/session/fresh-proof";
import { decodeCursor, isRecordId, pageOf } from "../paging";
import { write } from "../write";
import { sweepHeldFiles } from "./held-files";
import { takeFiles, takeTexts } from "./held-texts";
import { logOperatorAct } from "./log";

/*
 * A legal hold keeps a sealed copy of texts, and the files that they show. What is held can be hidden and deleted as
 * ever, by its author too: the copy stays until an operator releases the hold. Nothing shows the copy but an export, and
 * each export is logged. The log names holds by their own ids.
 */

const goneCodes: Readonly<Record<HeldKind, ErrorCode>> = {
  post: "post_not_found",
  comment: "comment_not_found",
  message: "message_not_found",
  topic: "topic_not_found",
  profile: "user_not_found",
};

/**
 * POST /api/desk/holds: places a hold, or renews the one in force: it then also keeps what came or changed since.
 * @throws Refusal operator_required; post_not_found and so on for what is gone, unless a report has a copy of it
 */
export const placeHold: Handler<typeof contract.desk.placeHold> = async (ctx, { kind, targetId, reason }) => {
  const { caller } = ctx;
  assertAllowed(deskAccess(caller.operator).act);
  const gone = new Refusal(goneCodes[kind], { field: "targetId" });
  if (kind !== "profile" && !isRecordId(targetId)) throw gone;
  const now = ctx.now();
  const id = await write(ctx, async (trx) => {
    const { rows } = await sql<{ id: string; isNew: boolean }>`
      insert into legal_holds (kind, target_id, reason, placed_by, placed_at, renewed_at)
      values (${kind}, ${targetId}, ${reason}, ${caller.userId}, ${now}, ${now})
      on conflict (kind, target_id) where released_at is null do update set renewed_at = excluded.renewed_at
      returning id, (xmax = 0) as "isNew"`.execute(trx);
    const [hold] = rows;
    if (!hold) throw new Error("the hold was neither placed nor renewed");
    const held = { id: hold.id, kind, targetId };
    await takeTexts(trx, held, now);
    const text = await trx
      .selectFrom("held_texts")
      .select("kind")
      .where("hold_id", "=", hold.id)
      .limit(1)
      .executeTakeFirst();
    if (!text) throw gone;
    await takeFiles(trx, held);
    await logHold(trx, ctx, hold.isNew ? "hold_placed" : "hold_renewed", { id: hold.id, kind, reason });
    return hold.id;
  });
  return { hold: viewOf(await holdById(ctx.db, id)) };
};

interface HoldRow {
  readonly id: string;
  readonly key: Date;
  readonly kind: HeldKind;
  readonly target_id: string;
  readonly reason: string;
  readonly renewed_at: Date;
  readonly released_at: Date | null;
  readonly placed_by: Hold["placedBy"];
  readonly texts: number;
  readonly files: number;
}

const columns = sql`h.id, h.placed_at as key, h.kind, h.target_id, h.reason, h.renewed_at, h.released_at,
  json_build_object('userId', u.id, 'nickname', u.nickname, 'profileImage', u.profile_image) as placed_by,
  (select count(*)::int from held_texts t where t.hold_id = h.id) as texts,
  (select count(*)::int from held_files f where f.hold_id = h.id and h.released_at is null) as files
  from legal_holds h join users u on u.id = h.placed_by`;

async function holdById(db: Db, id: string): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`select ${columns} where h.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("hold_not_found");
  return row;
}

function viewOf(row: HoldRow): Hold {
  return {
    id: row.id,
    kind: row.kind,
    targetId: row.target_id,
    reason: row.reason,
    placedBy: row.placed_by,
    placedAt: row.key.toISOString(),
    renewedAt: row.renewed_at.toISOString(),
    texts: row.texts,
    files: row.files,
    releasedAt: row.released_at?.toISOString() ?? null,
  };
}

/**
 * GET /api/desk/holds: holds in force or all, latest first.
 * @throws Refusal operator_required
 */
export const listHolds: Handler<typeof contract.desk.holds> = async ({ caller, db }, input) => {
  assertAllowed(deskAccess(caller.operator).act);
  const sort = `holds-${input.status ?? "active"}`;
  const cursor = decodeCursor(input.cursor, { sort, kind: "time" });
  const { rows } = await sql<HoldRow>`select ${columns}
    where ${input.status === "all" ? sql`true` : sql`h.released_at is null`}
      ${cursor ? sql`and (h.placed_at, h.id) < (${new Date(cursor.key)}, ${cursor.id}::uuid)` : sql``}
    order by h.placed_at desc, h.id desc limit ${input.limit + 1}`.execute(db);
  const page = pageOf(rows, { ...input, sort });
  return { holds: page.rows.map(viewOf), nextCursor: page.nextCursor };
};

/**
 * DELETE /api/desk/holds/{holdId}: ends a hold. Its copies are gone before the response.
 * @throws Refusal operator_required, fresh_proof_required, hold_not_found; own_case where it keeps texts of the caller
 */
export const releaseHold: Handler<typeof contract.desk.releaseHold> = async (ctx, { holdId, reason }) => {
  assertAllowed(deskAccess(ctx.caller.operator).act);
  assertFreshProof(ctx);
  await write(ctx, async (trx) => {
    const hold = await trx
      .updateTable("legal_holds")
      .set({ released_at: ctx.now() })
      .where("id", "=", holdId)
      .where("released_at", "is", null)
      .returning(["id", "kind"])
      .executeTakeFirst();
    if (!hold) throw new Refusal("hold_not_found");
    const { userId } = ctx.caller;
    assertAllowed(mayUndoFor((await keepsTextsOf(trx, holdId, userId)) ? userId : null, userId));
    await trx.deleteFrom("held_texts").where("hold_id", "=", holdId).execute();
    await logHold(trx, ctx, "hold_released", { ...hold, reason });
  });
  await sweepHeldFiles(ctx);
  return { success: true };
};

/** Whether a hold keeps something that a user wrote, or their topic or profile. */
async function keepsTextsOf(trx: Trx, holdId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select from held_texts where hold_id = ${holdId}::uuid and (
    ${userId} in (content->>'authorId', content->>'ownerId', content->>'subjectId')
    or (kind = 'profile' and content_id = ${userId})) limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * POST /api/desk/holds/{holdId}/export: everything that a hold keeps, as lines of JSON, read while they are sent.
 * @throws Refusal operator_required, fresh_proof_required, hold_not_found
 */
export async function exportHold(
  ctx: MemberContext,
  { holdId, reason }: { readonly holdId: string; readonly reason: string },
): Promise<BinaryAnswer> {
  assertAllowed(deskAccess(ctx.caller.operator).act);
  assertFreshProof(ctx);
  const hold = await write(ctx, async (trx) => {
    const found = await trx
      .selectFrom("legal_holds")
      .select(["id", "kind"])
      .where("id", "=", holdId)
      .where("released_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw new Refusal("hold_not_found");
    await logHold(trx, ctx, "hold_exported", { ...found, reason });
    return found;
  });
  const lines = linesOf(ctx, hold.id);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const name = `hold-${hold.id}.ndjson`;
  return {
    contentType: "application/x-ndjson",
    body,
    headers: { "cache-control": "no-store", "content-disposition": `attachment; filename="${name}"` },
  };
}

/** Texts per query. */
const PAGE = 100;

async function* linesOf({ db, storage }: Pick<MemberContext, "db" | "storage">, id: string) {
  yield { line: "hold", ...viewOf(await holdById(db, id)) };
  for (let after: RawKeys | null = null; ; ) {
    const rows: TextRow[] = await textsAfter(db, id, after);
    for (const { kind, content_id, taken_at, content } of rows) {
      yield { line: "text", kind, id: content_id, takenAt: taken_at.toISOString(), content };
    }
    after = rows.at(-1) ?? null;
    if (after === null) break;
  }
  const files = await db
    .selectFrom("held_files")
    .select(["key", "content_type", "sha256"])
    .where("hold_id", "=", id)
    .orderBy("key")
    .execute();
  for (const { key, content_type: contentType, sha256 } of files) {
    const bytes = (await storage.read(key)) ?? (await storage.readWithheld(key));
    const base64 = bytes && Buffer.from(bytes).toString("base64");
    yield { line: "file", key, contentType, sha256, base64 };
  }
}

interface RawKeys {
  readonly kind: string;
  readonly content_id: string;
  readonly digest: string;
}
interface TextRow extends RawKeys {
  readonly taken_at: Date;
  readonly content: unknown;
}

async function textsAfter(db: Db, id: string, after: RawKeys | null): Promise<TextRow[]> {
  const { rows } = await sql<TextRow>`
    select kind, content_id, digest, taken_at, content from held_texts where hold_id = ${id}
      ${after ? sql`and (kind, content_id, digest) > (${after.kind}, ${after.content_id}, ${after.digest})` : sql``}
    order by kind, content_id, digest limit ${PAGE}`.execute(db);
  return rows;
}

interface LoggedHold {
  readonly id: string;
  readonly kind: HeldKind;
  readonly reason: string;
}

async function logHold(
  trx: Trx,
  { caller, now }: MemberContext,
  action: "hold_placed" | "hold_renewed" | "hold_released" | "hold_exported",
  { id, kind, reason }: LoggedHold,
): Promise<void> {
  await logOperatorAct(trx, {
    actorId: caller.userId,
    role: "operator",
    action,
    targetKind: "hold",
    targetId: id,
    now: now(),
    reason,
    details: { kind },
  });
}
