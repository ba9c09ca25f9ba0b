import { randomBytes, randomInt } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db } from "@/db/schema";
import type { ProofRequestTable } from "@/db/schema/identity";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { relayCircuit } from "@/lib/contract/relay";
import { Refusal } from "@/lib/errors";
import { challengeSeconds, makeChallenge } from "../challenges";
import type { SessionContext } from "../context";

/** An unexpired request; its challenge has the same lifetime. */
export type OpenRequest = Selectable<ProofRequestTable>;

type Asked = HandlerInput<typeof contract.auth.createProofRequest>;

/**
 * POST /api/auth/proof-request. Without a circuit it is a sign-in. With one, a member asks for a proof for their own
 * join or topic, and a guest for a sign-in with that circuit.
 * @throws Refusal unknown_circuit, proof_wrong_scope, invalid_request; not_authenticated for a gate's proof without a
 * session, since a join accepts only proofs of the member's own challenge
 */
export async function createProofRequest(ctx: SessionContext, asked: Asked) {
  const { db, caller, deployment, now, session } = ctx;
  const circuit = asked.circuitType ?? "oidc_domain_attestation";
  if (!deployment.verifiers[circuit]) {
    throw new Refusal("unknown_circuit");
  }
  if (asked.scope !== undefined && asked.scope !== deployment.scope) {
    throw new Refusal("proof_wrong_scope", {
      field: "scope",
      message: `The scope of this community is ${deployment.scope}.`,
    });
  }
  const isCountry = circuit === "partner_country_attestation";
  if (isCountry && !asked.countryList) {
    throw new Refusal("invalid_request", {
      field: "countryList",
      message: "countryList is required for a country proof.",
    });
  }
  if (isCountry && !caller) {
    throw new Refusal("not_authenticated", { message: "A country proof cannot sign you in. Sign in first." });
  }
  const asker = asked.circuitType !== undefined && caller ? caller : null;
  const requestId = `pr_${randomBytes(18).toString("base64url")}`;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await db.transaction().execute(async (trx) => {
    const createdAt = now();
    const challenge = await makeChallenge(trx, asker?.userId ?? null, createdAt);
    await trx
      .insertInto("proof_requests")
      .values({
        id: requestId,
        code,
        purpose: asker ? "proof" : "sign_in",
        circuit,
        details: JSON.stringify(detailsOf(asked, isCountry)),
        challenge_id: challenge.id,
        nonce: challenge.nonce,
        user_id: asker?.userId ?? null,
        client: session.client,
        status: "pending",
        created_at: createdAt,
        expires_at: challenge.expiresAt,
      })
      .execute();
  });
  session.relay.tie(requestId, challengeSeconds);
  const deepLink = `${deployment.services.appUrl}/phone/${requestId}`;
  const { scope } = deployment;
  return { requestId, deepLink, circuitType: circuit, scope, expiresIn: challengeSeconds, code };
}

/** Returns what the phone must prove; for a country proof, with the side of the list. */
function detailsOf({ countryList, isIncluded, domain, provider }: Asked, isCountry: boolean) {
  return {
    countryList: isCountry ? (countryList ?? null) : null,
    isIncluded: isCountry ? (isIncluded ?? true) : null,
    domain: domain ?? null,
    provider: provider ?? null,
  };
}

/** GET /api/auth/proof-request/{requestId}, for the phone. @throws Refusal proof_request_unknown */
export async function describeProofRequest(
  { db, deployment, now }: Context,
  { requestId }: HandlerInput<typeof contract.auth.getProofRequest>,
) {
  const request = await findRequest(db, requestId, now());
  const asker =
    request.user_id === null
      ? undefined
      : await db
          .selectFrom("users")
          .select("nickname")
          .where("id", "=", request.user_id)
          .where("deleted_at", "is", null)
          .executeTakeFirst();
  return {
    requestId,
    circuitType: relayCircuit.parse(request.circuit),
    scope: deployment.scope,
    expiresIn: secondsLeft(request, now()),
    code: request.code,
    nonce: request.nonce,
    ...request.details,
    purpose: request.purpose,
    requester: {
      client: request.client,
      nickname: asker?.nickname ?? null,
      createdAt: request.created_at.toISOString(),
    },
    status: request.status,
  };
}

/** Returns an unexpired request. @throws Refusal proof_request_unknown */
export async function findRequest(db: Db, requestId: string, now: Date): Promise<OpenRequest> {
  // A page passes whatever its URL contains.
  if (!/^[\w-]{1,100}$/.test(requestId)) throw requestUnknown();
  const request = await db
    .selectFrom("proof_requests")
    .selectAll()
    .where("id", "=", requestId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!request) throw requestUnknown();
  return request;
}

/** The same error for requests that never existed, have expired, or belong to another client. */
export function requestUnknown(): Refusal {
  return new Refusal("proof_request_unknown");
}

export function secondsLeft({ expires_at }: Pick<OpenRequest, "expires_at">, now: Date): number {
  return Math.max(0, Math.ceil((expires_at.getTime() - now.getTime()) / 1000));
}
