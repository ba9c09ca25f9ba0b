import { createHmac, hkdfSync } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import { z } from "zod";
import type { Database, Db } from "@/db/schema";
import type { Caller } from "@/lib/context";
import type { OperationSpec, SuccessStatus } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { log } from "@/lib/log";
import type { Services } from "@/lib/runtime/assemble";
import { openSealed, seal } from "@/lib/session/sealed";

export interface Outcome {
  readonly status: SuccessStatus;
  readonly body: unknown;
}

/** How long a response can be replayed (draft-ietf-httpapi-idempotency-key-header-06). */
const KEY_HOURS = 24;

interface KeyedCall {
  readonly op: OperationSpec;
  readonly caller: Caller;
  readonly key: string;
  readonly input: object;
  readonly services: Pick<Services, "db" | "config" | "now">;
}

/** The row of a key under one of our secrets. */
interface Claim {
  readonly secret: Uint8Array;
  readonly id: { readonly user_id: string; readonly operation: string; readonly key_hash: string };
  readonly requestHash: string;
}

const answerSchema = z.object({ body: z.unknown() });

/**
 * Runs a request once per caller, operation and Idempotency-Key; a repetition gets the first response.
 *
 * A refused request leaves nothing behind and may be sent again. If a request ended without a response (the process
 * died), its key stays taken for 24 hours: whether it took effect is unknown, so it never runs twice. Responses may
 * contain secrets shown only once (an invite token), so they are sealed with a key derived from our secret and the
 * client's key, of which we store a hash.
 * @throws Refusal invalid_request, idempotency_in_progress, idempotency_mismatch, and whatever `work` throws
 */
export async function onceOnly(
  call: KeyedCall,
  work: () => Promise<Outcome>,
): Promise<{ readonly outcome: Outcome; readonly replayed: boolean }> {
  const { op, caller, key, services } = call;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Refusal("invalid_request", {
      field: "Idempotency-Key",
      message: "Idempotency-Key must be 1 to 255 visible ASCII characters.",
    });
  }
  const { db, now } = services;
  const print = await fingerprint(call.input);
  // While the secret changes, a repetition may reach a process that accepts only one of them.
  const claims = services.config.sessionSecrets.map((secret) => ({
    secret,
    id: { user_id: caller.userId, operation: op.id, key_hash: mac(secret, key) },
    requestHash: mac(secret, print),
  }));
  const isClaimed = idsOf(claims);
  await db.deleteFrom("idempotency_keys").where(isClaimed).where("expires_at", "<=", now()).execute();
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + KEY_HOURS * 3_600_000);
  const taken = await db
    .insertInto("idempotency_keys")
    .values(
      claims.map(({ id, requestHash }) => ({
        ...{ ...id, request_hash: requestHash },
        ...{ created_at: createdAt, expires_at: expiresAt },
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning("key_hash")
    .execute();
  if (taken.length < claims.length) {
    const hashes = new Set(taken.map(({ key_hash }) => key_hash));
    await remove(
      db,
      claims.filter(({ id }) => hashes.has(id.key_hash)),
    );
    return { outcome: await firstAnswer(call, claims), replayed: true };
  }

  let outcome: Outcome;
  try {
    outcome = await work();
  } catch (error) {
    await remove(db, claims);
    throw error;
  }
  try {
    for (const { secret, id } of claims) {
      const answer = await seal(sealingKey(call, secret), { body: outcome.body });
      await db
        .updateTable("idempotency_keys")
        .set({ status: outcome.status, answer })
        .where((eb) => eb.and(id))
        .execute();
    }
  } catch (error) {
    // The work is done and needs a response; the key stays taken, so a repetition cannot run it again.
    log.error({ err: error, operation: op.id }, "could not store the response of an idempotent request");
  }
  return { outcome, replayed: false };
}

/** @throws Refusal idempotency_in_progress, idempotency_mismatch */
async function firstAnswer(call: KeyedCall, claims: readonly Claim[]): Promise<Outcome> {
  const rows = await call.services.db
    .selectFrom("idempotency_keys")
    .select(["key_hash", "request_hash", "status", "answer"])
    .where(idsOf(claims))
    .execute();
  const row = rows.find(({ answer }) => answer !== null) ?? rows[0];
  const claim = claims.find(({ id }) => id.key_hash === row?.key_hash);
  if (!row || !claim) throw new Refusal("idempotency_in_progress", { retryAfter: 5 });
  if (row.request_hash !== claim.requestHash) throw new Refusal("idempotency_mismatch");
  const status = ([200, 201, 202] as const).find((known) => known === row.status);
  if (!row.answer || status === undefined) {
    throw new Refusal("idempotency_in_progress", { retryAfter: 5 });
  }
  return {
    status,
    body: answerSchema.parse(await openSealed(sealingKey(call, claim.secret), row.answer)).body,
  };
}

/** The condition of the rows that claims name. */
function idsOf(claims: readonly Claim[]) {
  return (eb: ExpressionBuilder<Database, "idempotency_keys">) => eb.or(claims.map(({ id }) => eb.and(id)));
}

async function remove(db: Db, claims: readonly Claim[]): Promise<void> {
  await db.deleteFrom("idempotency_keys").where(idsOf(claims)).execute();
}

/** Returns a text that differs when the request does. */
async function fingerprint(input: object): Promise<string> {
  const fields = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = fields.map(async ([name, value]) =>
    value instanceof File
      ? [name, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString("base64")]
      : [name, value],
  );
  return JSON.stringify(await Promise.all(parts));
}

function mac(secret: Uint8Array, text: string): string {
  return createHmac("sha256", secret).update("idempotency\0").update(text).digest("hex");
}

function sealingKey({ key, caller }: KeyedCall, secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, key, `parley idempotency ${caller.userId}`, 32));
}
