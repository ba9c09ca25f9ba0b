import { z } from "zod";
import type { Context, Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { appClaims } from "@/lib/contract/app-claims";
import { providerId } from "@/lib/contract/apps";
import { countryCode } from "@/lib/contract/common";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { parseJson } from "@/lib/json";
import { isActive } from "@/lib/session/active";
import { type AskedClaim, answersTo, type ToldClaims } from "./facts";

/** Where a request to sign in waits for its answer; lib/http/oidc/store.ts writes it. */
export const requestKey = (requestId: string) => `oidc:Interaction:${requestId}`;

/** What the provider keeps of a request, as far as its answer concerns it. */
const stored = z.looseObject({
  returnTo: z.url(),
  exp: z.int(),
  params: z.looseObject({
    client_id: z.uuid(),
    scope: z.string().optional(),
    claims: z.string().optional(),
  }),
});

/** What a person decides about. */
export interface AppRequest {
  readonly requestId: string;
  readonly app: { readonly name: string; readonly host: string };
  readonly asked: readonly AskedClaim[];
  /** What the caller's proofs say to it. */
  readonly answers: ToldClaims;
  /** Shows, with the answer, that this browser began the request. */
  readonly ticket: string;
}

/**
 * Reads a request for the page on which the caller decides; null if it has expired or is answered.
 * @param requestId from a cookie of the browser in which it began: whoever knows only the address of the page could have begun
 * it themselves, and would be signed in as the caller
 */
export async function readAppRequest(ctx: MemberContext, requestId: string): Promise<AppRequest | null> {
  const request = await open(ctx, requestId);
  if (!request) return null;
  const { app, asked } = request;
  const { userId } = ctx.caller;
  const ticket = ctx.apps.ticketOf(requestId, userId);
  return { requestId, app, asked, answers: await answersTo(ctx, userId, asked), ticket };
}

/** Returns the name of the app that a request came from; null if it is no longer open. For those who must sign in first. */
export async function appOfRequest(
  ctx: Context,
  requestId: string,
): Promise<{ readonly name: string; readonly host: string } | null> {
  return (await open(ctx, requestId))?.app ?? null;
}

async function open({ db, cache, now }: Context, requestId: string) {
  const text = providerId.safeParse(requestId).success ? await cache.get(requestKey(requestId)) : null;
  const parsed = text === null ? null : stored.safeParse(JSON.parse(text));
  if (!parsed?.success) return null;
  const { data } = parsed;
  const secondsLeft = data.exp - Math.floor(now().getTime() / 1000);
  if (secondsLeft <= 0) return null;
  const row = await db
    .selectFrom("apps")
    .innerJoin("users as u", "u.id", "apps.user_id")
    .select(["apps.name", "apps.redirect_uris"])
    .where("apps.client_id", "=", data.params.client_id)
    .where(isActive(now()))
    .executeTakeFirst();
  const [first] = row?.redirect_uris ?? [];
  if (!row || first === undefined) return null;
  const app = { name: row.name, host: new URL(first).host };
  return { request: data, secondsLeft, app, asked: askedBy(data.params) };
}

const claimRequest = z
  .object({
    essential: z.boolean().optional(),
    value: z.unknown().optional(),
    values: z.array(z.unknown()).max(300).optional(),
  })
  .nullable();
const claimsRequest = z.object({
  id_token: z.record(z.string(), z.unknown()).optional(),
  userinfo: z.record(z.string(), z.unknown()).optional(),
});
const valueSchema = {
  domain: z.string().max(LIMITS.topic.domain),
  country_in: countryCode,
  human: z.never(),
};

/**
 * Returns what an app asks by `scope` and by `claims` (OpenID Connect Core, 5.5), in the order of `appClaims`. Values that no
 * claim can have are left out, so that a question with nothing else is never answered.
 */
function askedBy({ scope = "", claims }: { scope?: string; claims?: string }): AskedClaim[] {
  const scopes = scope.split(" ");
  const { id_token = {}, userinfo = {} } = claimsRequest.catch({}).parse(parseJson(claims ?? "{}"));
  return appClaims.flatMap((claim) => {
    const named = [id_token, userinfo].flatMap((part) => {
      const read = claim in part ? claimRequest.safeParse(part[claim]) : null;
      return read?.success ? [read.data] : [];
    });
    if (named.length === 0 && !scopes.includes(claim)) return [];
    const given = named.find((one) => one?.values !== undefined || one?.value !== undefined);
    const values = given ? (given.values ?? [given.value]) : null;
    const known = values?.flatMap((value) => valueSchema[claim].safeParse(value).data ?? []);
    return [
      {
        claim,
        values: claim === "human" || !known ? null : [...new Set(known)],
        essential: named.some((one) => one?.essential === true),
      },
    ];
  });
}

/**
 * POST /api/apps/requests/{appRequestId}: what the person decided, which holds once their browser follows `redirectTo`.
 * @throws Refusal app_request_not_found, app_claim_required
 */
export const answerAppRequest: Handler<typeof contract.apps.answer> = async (
  ctx,
  { appRequestId: requestId, ticket, allow, claims },
) => {
  const { caller, cache, apps } = ctx;
  const opened = apps.isTicket(ticket, requestId, caller.userId) ? await open(ctx, requestId) : null;
  if (!opened) throw new Refusal("app_request_not_found");
  const { request, secondsLeft, asked } = opened;
  const result = allow
    ? { login: { accountId: caller.userId, remember: false }, told: await chosen(ctx, asked, claims) }
    : { error: "access_denied", error_description: "The person declined." };
  await cache.set(requestKey(requestId), JSON.stringify({ ...request, result }), secondsLeft);
  return { redirectTo: request.returnTo };
};

async function chosen(
  ctx: MemberContext,
  asked: readonly AskedClaim[],
  claims: readonly string[],
): Promise<ToldClaims> {
  const told = await answersTo(
    ctx,
    ctx.caller.userId,
    asked.filter(({ claim }) => claims.includes(claim)),
  );
  const missing = asked.find(({ claim, essential }) => essential && told[claim] === undefined);
  if (missing) throw new Refusal("app_claim_required", { field: `claims.${missing.claim}` });
  return told;
}
