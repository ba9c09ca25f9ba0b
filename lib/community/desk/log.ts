import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { LoggedKind, OperatorRole } from "@/lib/contract/desk";
import type { InstallationAction } from "@/lib/contract/desk-actions";
import { actorTag, type HashedInstallationEntry, installationEntryHash } from "../moderation/chain";
import { cutPage, decodeParts, encodeParts, keySchemas } from "../paging";
import { latestRecordedHead } from "./record-head";

/** One act of an operator. */
export interface OperatorAct {
  readonly actorId: string;
  readonly role: OperatorRole;
  readonly action: InstallationAction;
  readonly targetKind: LoggedKind;
  readonly targetId: string;
  readonly topicId?: string | null;
  readonly now: Date;
  /** Public, like all of the entry but the actor. */
  readonly reason?: string | null;
  /** Further facts; never what was deleted or hidden. */
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Logs an act of an operator, in the transaction of the act. The head's row numbers the entries without gaps: it is
 * locked after everything but inboxes, so call this right before `notify`.
 */
export async function logOperatorAct(trx: Trx, act: OperatorAct): Promise<void> {
  const head = await trx
    .updateTable("installation_log_head")
    .set((eb) => ({ seq: eb("seq", "+", 1) }))
    .returning(["seq", "hash"])
    .executeTakeFirstOrThrow();
  const nonce = randomBytes(16).toString("hex");
  const entry: HashedInstallationEntry = {
    seq: head.seq,
    at: act.now,
    action: act.action,
    role: act.role,
    actor: actorTag(nonce, act.actorId),
    targetKind: act.targetKind,
    targetId: act.targetId,
    topicId: act.topicId ?? null,
    reason: act.reason ?? null,
    details: act.details ?? {},
    previousHash: head.hash,
  };
  const hash = installationEntryHash(entry);
  await trx
    .insertInto("installation_log")
    .values({
      seq: entry.seq,
      at: entry.at,
      action: entry.action,
      role: entry.role,
      actor_id: act.actorId,
      actor_nonce: nonce,
      actor: entry.actor,
      target_kind: entry.targetKind,
      target_id: entry.targetId,
      topic_id: entry.topicId,
      reason: entry.reason,
      details: sql`${JSON.stringify(entry.details)}::jsonb`,
      previous_hash: entry.previousHash,
      hash,
    })
    .execute();
  await trx.updateTable("installation_log_head").set({ hash }).execute();
}

/** Whether operators hid a post, comment or message and have not shown it again since. */
export async function isHiddenByOperators(
  trx: Trx,
  kind: "post" | "comment" | "message",
  id: string,
): Promise<boolean> {
  const latest = await trx
    .selectFrom("installation_log")
    .select("action")
    .where("target_kind", "=", kind)
    .where("target_id", "=", id)
    .where("action", "in", [`${kind}_hidden`, `${kind}_shown`])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest?.action === `${kind}_hidden`;
}

const CURSOR = z.tuple([z.literal("installation"), keySchemas.int]);

/** GET /api/log: what operators did, latest first, for everyone. */
export const readInstallationLog: Handler<typeof contract.desk.log> = async (ctx, input) => {
  const { db } = ctx;
  const cursor = decodeParts(input.cursor, CURSOR);
  const rows = await db
    .selectFrom("installation_log")
    .select(["seq", "at", "action", "role", "actor", "target_kind", "target_id", "topic_id"])
    .select(["reason", "details", "previous_hash", "hash"])
    .$if(cursor !== null, (query) => query.where("seq", "<", cursor?.[1] ?? 0))
    .orderBy("seq", "desc")
    .limit(input.limit + 1)
    .execute();
  const page = cutPage(rows, input, ({ seq }) => encodeParts(["installation", seq]));
  return {
    entries: page.rows.map((row) => ({
      seq: row.seq,
      at: row.at.toISOString(),
      action: row.action,
      role: row.role,
      actor: row.actor,
      targetKind: row.target_kind,
      targetId: row.target_id,
      topicId: row.topic_id,
      reason: row.reason,
      details: { ...row.details },
      previousHash: row.previous_hash,
      hash: row.hash,
    })),
    recorded: await latestRecordedHead(ctx),
    nextCursor: page.nextCursor,
  };
};
