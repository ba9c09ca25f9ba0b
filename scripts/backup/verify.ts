import { sql } from "kysely";
import { isHex } from "viem";
import type { Db } from "@/db/schema";
import { verifyInstallationLog, verifyLog } from "@/lib/community/moderation/chain";
import type { Deployment } from "@/lib/proofs/deployment";
import { postIdHashOf, readRecord } from "@/lib/proofs/records";
import { createFactSeals } from "@/lib/session/fact-seals";
import { nodeOf } from "../doctor/chains";
import { reasonOf } from "../doctor/finding";
import { ahead } from "./ahead";
import { countRows, type Query } from "./snapshot";

/** What was compared after a restore. */
export interface Check {
  readonly what: string;
  readonly ok: boolean;
  /** One line. */
  readonly found: string;
}

/** Differences that a line names. */
const NAMED = 5;
/** Sealed rows to open: one key opens all or none. */
const SEALS = 100;

/** Makes a check of what differs; `right` is said when nothing does. */
export function checkOf(what: string, wrong: readonly string[], right: string): Check {
  const more = wrong.length > NAMED ? `; and ${wrong.length - NAMED} more` : "";
  const found = wrong.length === 0 ? right : `${wrong.slice(0, NAMED).join("; ")}${more}`;
  return { what, ok: wrong.length === 0, found };
}

/** Runs reading statements on an open database. */
export function queryOn(db: Db): Query {
  return async (text) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows;
}

/** Compares the number of rows of each table with the manifest. */
export async function checkRows(
  db: Db,
  what: string,
  expected: Readonly<Record<string, number>>,
): Promise<Check> {
  const found = await countRows(queryOn(db));
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  const wrong = names.filter((name) => expected[name] !== found[name]);
  const sum = Object.values(found).reduce((total, count) => total + count, 0);
  return checkOf(
    `rows of ${what}`,
    wrong.map((name) => `${name} has ${found[name] ?? "no table"}, the backup ${expected[name] ?? "none"}`),
    `${sum} in ${names.length} tables, as in the backup`,
  );
}

/** Follows the hash chain of each topic's log up to the head that its topic names. */
export async function checkLogs(db: Db): Promise<Check> {
  const wrong: string[] = [];
  let entries = 0;
  const topics = await db
    .selectFrom("topics")
    .select(["id", "log_seq", "log_hash"])
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb("log_seq", ">", 0),
        exists(
          selectFrom("moderation_log").select("seq").whereRef("moderation_log.topic_id", "=", "topics.id"),
        ),
      ]),
    )
    .execute();
  for (const { id, log_seq, log_hash } of topics) {
    const rows = await db
      .selectFrom("moderation_log")
      .selectAll()
      .where("topic_id", "=", id)
      .orderBy("seq")
      .execute();
    const log = rows.map((row) => ({
      ...{ seq: row.seq, at: row.at.toISOString(), action: row.action, actorId: row.actor_id },
      ...{ subjectId: row.subject_id, postId: row.post_id, commentId: row.comment_id, reason: row.reason },
      ...{ details: row.details, previousHash: row.previous_hash, hash: row.hash },
      ...{ actorNickname: "", subjectNickname: null },
    }));
    entries += log.length;
    const fault = verifyLog(id, log, { seq: log_seq, hash: log_hash });
    if (fault) wrong.push(`topic ${id}: entry ${fault.seq} is ${fault.problem}`);
    else if (log.length > log_seq) wrong.push(`topic ${id}: ${log.length} entries, its head is ${log_seq}`);
  }
  return checkOf("logs of topics", wrong, `${entries} entries of ${topics.length} topics are chained`);
}

/** Follows the hash chain of the installation's log up to its head. */
export async function checkInstallationLog(db: Db): Promise<Check> {
  const what = "log of the installation";
  const rows = await db.selectFrom("installation_log").selectAll().orderBy("seq").execute();
  const head = await db.selectFrom("installation_log_head").select(["seq", "hash"]).executeTakeFirst();
  if (!head) return { what, ok: false, found: "has no head" };
  const log = rows.map((row) => ({
    ...{ seq: row.seq, at: row.at.toISOString(), action: row.action, role: row.role, actor: row.actor },
    ...{ targetKind: row.target_kind, targetId: row.target_id, topicId: row.topic_id },
    ...{ reason: row.reason, details: row.details, previousHash: row.previous_hash, hash: row.hash },
  }));
  const fault = verifyInstallationLog(log, head);
  const wrong = fault ? [`entry ${fault.seq} is ${fault.problem}`] : [];
  if (!fault && log.length > head.seq) wrong.push(`${log.length} entries, its head is ${head.seq}`);
  return checkOf(what, wrong, `${log.length} entries are chained`);
}

/** Opens what USER_ID_SECRET has sealed: with another one every member would be a stranger. */
export async function checkSeals(db: Db, secret: string | undefined): Promise<Check> {
  const what = "USER_ID_SECRET";
  const rows = await db
    .selectFrom("verifications")
    .select(["user_id", "circuit", "sealed"])
    .where("sealed", "is not", null)
    .limit(SEALS)
    .execute();
  if (rows.length === 0) return { what, ok: true, found: "nothing in the database is sealed with it" };
  if (secret === undefined)
    return { what, ok: false, found: "is not set, and the database is sealed with it" };
  const seals = createFactSeals(new TextEncoder().encode(secret));
  const opened = await Promise.all(
    rows.map(({ user_id: userId, circuit, sealed }) => seals.open({ userId, circuit }, sealed)),
  );
  return opened.includes(null)
    ? { what, ok: false, found: "is another than the one that the database is sealed with" }
    : { what, ok: true, found: `opens what the database is sealed with (${rows.length} rows)` };
}

/** Reads each confirmed record's transaction from the chain, and compares post and content. */
export async function checkRecords(db: Db, deployment: Deployment | undefined): Promise<Check> {
  const what = "records on the chain";
  const records = await db
    .selectFrom("records")
    .select(["post_id", "content_hash", "tx_hash"])
    .where("status", "=", "confirmed")
    .execute();
  if (records.length === 0) return { what, ok: true, found: "there are none" };
  const board = deployment?.recordBoard;
  if (!deployment || !board) {
    const found = `${records.length} are not checked: PARLEY_DEPLOYMENT describes no record board (or use --offline)`;
    return { what, ok: false, found };
  }
  const client = nodeOf(deployment, board.chainId);
  const wrong: string[] = [];
  try {
    const compared = ahead(records, async ({ post_id, content_hash, tx_hash: txHash }) => {
      if (!isHex(txHash)) return `the record of post ${post_id} names no transaction`;
      const found = await readRecord(client, {
        txHash,
        board: board.address,
        postIdHash: postIdHashOf(post_id),
      });
      if (!found) return `${txHash} records no post ${post_id}`;
      return found.contentHash === content_hash
        ? undefined
        : `${txHash} records another text of post ${post_id}`;
    });
    for await (const problem of compared) if (problem) wrong.push(problem);
  } catch (error) {
    return {
      what,
      ok: false,
      found: `chain ${board.chainId} does not answer (${reasonOf(error)}); or use --offline`,
    };
  }
  return checkOf(what, wrong, `${records.length} have the same post and text there`);
}
