import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isPointOfP256 } from "@/lib/push/settings";
import type { MemberSessionContext } from "@/lib/session/context";

/** Browsers per user. A further one replaces the oldest. */
const MAX_SUBSCRIPTIONS = 20;

type Subscription = ResponseBody<typeof contract.push.add>["subscription"];

/** GET /api/me/push: the caller's subscriptions, latest first. */
export const getPush: Handler<typeof contract.push.get> = async ({ caller, db, push }) => {
  const rows = await db
    .selectFrom("push_subscriptions as p")
    .innerJoin("sessions as s", "s.id", "p.session_id")
    .select(["p.id", "p.label", "p.created_at", "s.id as session_id"])
    .where("p.user_id", "=", caller.userId)
    .orderBy("p.created_at", "desc")
    .orderBy("p.id")
    .execute();
  const subscriptions = rows.map((row) => ({
    id: row.id,
    label: row.label,
    createdAt: row.created_at.toISOString(),
    isCurrent: row.session_id === caller.session.id,
  }));
  return { publicKey: push.publicKey, subscriptions };
};

/**
 * POST /api/me/push: sends notifications to this browser too, until the session of this request ends. Adding an
 * endpoint again moves it to the caller and this session; messages that wait there for another user are not sent.
 * @throws Refusal push_unavailable; address_not_allowed and invalid_request for an unusable subscription
 */
export async function addPush(
  ctx: MemberSessionContext,
  { endpoint, keys }: HandlerInput<typeof contract.push.add>,
): Promise<ResponseBody<typeof contract.push.add>> {
  const { caller, db, session, web } = ctx;
  if (ctx.push.publicKey === null) throw new Refusal("push_unavailable");
  web.read(endpoint, "endpoint");
  assertKeys(keys);
  const now = ctx.now();
  const subscription = await db.transaction().execute(async (trx): Promise<Subscription> => {
    const sessionId = await lockSession(trx, caller);
    const fields = {
      user_id: caller.userId,
      session_id: sessionId,
      p256dh: keys.p256dh,
      auth: keys.auth,
      label: session.client,
      created_at: now,
    };
    const { id } = await trx
      .insertInto("push_subscriptions")
      .values({ endpoint, ...fields })
      .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(fields))
      .returning("id")
      .executeTakeFirstOrThrow();
    await keepNewest(trx, caller.userId);
    return { id, label: session.client, createdAt: now.toISOString(), isCurrent: true };
  });
  return { subscription };
}

/** @throws Refusal invalid_request with the field of the key */
function assertKeys({ p256dh, auth }: HandlerInput<typeof contract.push.add>["keys"]): void {
  if (!isPointOfP256(p256dh)) {
    throw new Refusal("invalid_request", {
      field: "keys.p256dh",
      message: "keys.p256dh is not a valid P-256 public key.",
    });
  }
  if (Buffer.from(auth, "base64url").length !== 16) {
    throw new Refusal("invalid_request", { field: "keys.auth", message: "keys.auth must be 16 bytes." });
  }
}

/**
 * Locks the user's row, which serializes counting their subscriptions, and keeps the session from being deleted.
 * @throws Refusal not_authenticated when it has ended
 */
async function lockSession(trx: Trx, { userId, session }: MemberContext["caller"]): Promise<string> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const row = await trx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", session.id)
    .where("user_id", "=", userId)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new Refusal("not_authenticated");
  return row.id;
}

async function keepNewest(trx: Trx, userId: string): Promise<void> {
  await sql`
    delete from push_subscriptions where user_id = ${userId} and id not in (
      select id from push_subscriptions where user_id = ${userId}
      order by created_at desc, id limit ${MAX_SUBSCRIPTIONS})`.execute(trx);
}

/** DELETE /api/me/push: removes one of the caller's subscriptions, by endpoint or id. */
export const removePush: Handler<typeof contract.push.remove> = async ({ caller, db }, { endpoint, id }) => {
  const { numDeletedRows } = await db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", caller.userId)
    .$if(endpoint !== undefined, (query) => query.where("endpoint", "=", endpoint ?? ""))
    .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
    .executeTakeFirst();
  return { success: true, removed: Number(numDeletedRows) };
};
