import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Automation, MemberContext } from "@/lib/context";
import { type contract, type HandlerInput, type OperationSpec, operations } from "@/lib/contract";
import { isInScope } from "@/lib/contract/automation";
import { automationScopes } from "@/lib/contract/automation-scopes";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { transact } from "@/lib/sql/transact";
import { digestOfToken, newAutomationToken } from "./automation-token";
import { assertFreshProof } from "./fresh-proof";

/**
 * Refuses a call that the caller's token for automation has no scope for.
 * @throws Refusal scope_missing
 */
export function assertInScope(op: OperationSpec, { scopes }: Automation): void {
  if (!isInScope(op, scopes)) throw new Refusal("scope_missing", { extra: { operation: op.id } });
}

/**
 * Refuses a call outside the topics that the caller's token for automation is limited to.
 * @param params validated path parameters
 * @throws Refusal scope_missing, also for a post, comment or message that does not exist
 */
export async function assertInTopics(
  db: Db,
  op: OperationSpec,
  { topicIds }: Automation,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (topicIds === null || isAboutToken(op)) return;
  const named = await topicsNamed(db, params);
  if (named.length > 0 && named.every((id) => id !== null && topicIds.includes(id))) return;
  const message = "This token is limited to other topics.";
  throw new Refusal("scope_missing", { extra: { operation: op.id }, message });
}

/** Returns whether an operation is about the token itself, so that topics play no part. */
function isAboutToken(op: OperationSpec): boolean {
  return isInScope(op, []);
}

/** Returns the topics of all that path parameters name; null for what does not exist. */
async function topicsNamed(
  db: Db,
  { topicId, postId, commentId, messageId }: Readonly<Record<string, unknown>>,
): Promise<(string | null)[]> {
  const named: (string | null)[] = typeof topicId === "string" ? [topicId] : [];
  for (const [kind, id] of [
    ["post", postId],
    ["comment", commentId],
    ["message", messageId],
  ] as const) {
    if (typeof id !== "string") continue;
    const [row] = await topicOf(db, { id }, kind);
    named.push(row?.topic_id ?? null);
  }
  return named;
}

/** The topic of a post, comment or chat message. */
const topicOf = compiledQuery(
  (db: Db, value: PlaceOf<{ id: string }>, kind: "post" | "comment" | "message") => {
    if (kind === "post")
      return db.selectFrom("posts").select("topic_id").where("id", "=", value("id")).compile();
    if (kind === "message") {
      return db.selectFrom("chat_messages").select("topic_id").where("id", "=", value("id")).compile();
    }
    return db
      .selectFrom("comments as c")
      .innerJoin("posts as p", "p.id", "c.post_id")
      .select("p.topic_id")
      .where("c.id", "=", value("id"))
      .compile();
  },
);

const knownScopes: ReadonlySet<string> = new Set([
  ...automationScopes,
  ...operations.flatMap(({ id, auth, personOnly }) =>
    personOnly || auth === "none" || auth === "refused" ? [] : [id],
  ),
]);

/** POST /api/auth/tokens @throws Refusal invalid_request, fresh_proof_required, too_many_tokens */
export async function createToken(
  ctx: MemberContext,
  { name, scopes, topicIds, days, spendCap }: HandlerInput<typeof contract.auth.createToken>,
) {
  const { caller, now, db } = ctx;
  assertFreshProof(ctx);
  const unknown = scopes.findIndex((scope) => !knownScopes.has(scope));
  if (unknown !== -1) {
    const message = `scopes.${unknown} is neither a scope nor an operation that takes a token.`;
    throw new Refusal("invalid_request", { field: `scopes.${unknown}`, message });
  }
  const at = now();
  const token = newAutomationToken();
  const { userId } = caller;
  const id = await transact(db, async (trx) => {
    await trx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
    await assertRoom(trx, userId, at);
    const session = await trx
      .insertInto("sessions")
      .values({
        jti: digestOfToken(token),
        user_id: userId,
        label: name,
        created_at: at,
        last_seen_at: at,
        proven_at: caller.session.provenAt,
        expires_at: new Date(at.getTime() + days * 86_400_000),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await trx
      .insertInto("automation_tokens")
      .values({
        session_id: session.id,
        user_id: userId,
        name,
        scopes: [...new Set(scopes)],
        topic_ids: topicIds ? [...new Set(topicIds)] : null,
        spend_cap: spendCap,
      })
      .execute();
    return session.id;
  });
  const [automation] = await automationsOf(db, userId, at, id);
  if (!automation) throw new Error("the token is gone");
  return { token, automation };
}

/** @throws Refusal too_many_tokens */
async function assertRoom(trx: Trx, userId: string, at: Date): Promise<void> {
  const { count } = await trx
    .selectFrom("automation_tokens as a")
    .innerJoin("sessions as s", "s.id", "a.session_id")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("a.user_id", "=", userId)
    .where("s.expires_at", ">", at)
    .executeTakeFirstOrThrow();
  if (Number(count) >= LIMITS.automation.tokens) throw new Refusal("too_many_tokens");
}

/** GET /api/auth/tokens */
export async function listTokens({ caller, db, now }: MemberContext) {
  return { tokens: await automationsOf(db, caller.userId, now()) };
}

/** Returns a user's active tokens, latest first, or the one with this id. */
export async function automationsOf(db: Db, userId: string, at: Date, id?: string) {
  const rows = await db
    .selectFrom("automation_tokens as a")
    .innerJoin("sessions as s", "s.id", "a.session_id")
    .select(["s.id", "a.name", "a.scopes", "a.topic_ids", "a.spend_cap", "a.spent"])
    .select(["s.created_at", "s.last_seen_at", "s.expires_at"])
    .where("a.user_id", "=", userId)
    .where("s.expires_at", ">", at)
    .$if(id !== undefined, (query) => query.where("s.id", "=", id ?? ""))
    .orderBy("s.created_at", "desc")
    .orderBy("s.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    topicIds: row.topic_ids,
    spendCap: row.spend_cap,
    spent: row.spent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
}

/** DELETE /api/auth/tokens/{tokenId} @throws Refusal token_not_found */
export async function revokeToken(
  { caller, db, live }: MemberContext,
  { tokenId }: HandlerInput<typeof contract.auth.revokeToken>,
) {
  const ended = await db
    .deleteFrom("sessions")
    .where("id", "=", tokenId)
    .where("user_id", "=", caller.userId)
    .where((eb) =>
      eb.exists(eb.selectFrom("automation_tokens").select("name").where("session_id", "=", tokenId)),
    )
    .returning("id")
    .executeTakeFirst();
  if (!ended) throw new Refusal("token_not_found");
  live.publish({ kind: "access", userId: caller.userId });
  return { success: true } as const;
}

/** POST /api/auth/spending @throws Refusal spend_cap_reached */
export async function spend(
  { caller: { automation }, db }: MemberContext,
  { amount }: HandlerInput<typeof contract.auth.spend>,
) {
  if (!automation) return { remaining: null };
  const taken = await db
    .updateTable("automation_tokens")
    .set({ spent: sql`spent + ${amount}` })
    .where("session_id", "=", automation.id)
    .where(sql<boolean>`spent + ${amount} <= spend_cap`)
    .returning(["spent", "spend_cap"])
    .executeTakeFirst();
  if (taken) return { remaining: taken.spend_cap - taken.spent };
  const remaining = automation.spendCap - automation.spent;
  throw new Refusal("spend_cap_reached", { field: "amount", extra: { remaining } });
}
