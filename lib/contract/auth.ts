import { z } from "zod";
import { automationToken } from "./automation";
import { nickname, proofHex, publicInputs, uuid } from "./common";
import { operatorRoles } from "./desk";
import { operation } from "./operation";
import { proofErrors } from "./proof-requirement";

const session = z.object({
  userId: z.string(),
  nickname: z.string(),
  verifiedAt: z.number().describe("Unix time in milliseconds."),
  role: z.enum(["admin"]).optional().describe("`admin` for an operator; absent for everyone else."),
  operator: z
    .enum(operatorRoles)
    .optional()
    .describe("The caller's role on the installation; absent for those without one."),
  automation: automationToken
    .optional()
    .describe("Of the token for automation that asks; absent for a session."),
});

const sessionOptional = { tag: "auth", auth: "optional", nickname: false, access: "anyone" } as const;
const sessionless = { tag: "auth", auth: "none", nickname: false, access: "anyone" } as const;
const signedIn = {
  tag: "auth",
  auth: "required",
  nickname: false,
  access: "signed-in",
  personOnly: true,
} as const;

export const challenge = operation({
  id: "auth.challenge",
  method: "POST",
  path: "/api/auth/challenge",
  summary: "Start a sign-in or a join",
  description:
    "The nonce goes into the identity provider's `nonce` parameter, or into what an attested wallet signs. With a session, the challenge belongs to that user.",
  ...sessionOptional,
  limit: { points: 30, seconds: 60 },
  guestsSee: false,
  responses: {
    200: z.object({ challengeId: z.string(), scope: z.string(), nonce: z.string(), expiresIn: z.int() }),
  },
});

export const verify = operation({
  id: "auth.verify",
  method: "POST",
  path: "/api/auth/verify/ai",
  summary: "Sign in with a proof",
  description:
    "Takes proofs of oidc_domain_attestation and network_eligibility. A country proof carries nothing of the challenge and does not sign in.",
  ...sessionless,
  limit: { points: 20, seconds: 60 },
  body: z.object({
    challengeId: z.string().min(1).max(100),
    result: z
      .object({ circuit: z.string().max(100), proof: proofHex, publicInputs })
      .describe("The server ignores any other field the client sends here (verifier, chain, RPC)."),
  }),
  responses: { 200: z.object({ userId: z.string(), needsNickname: z.boolean(), token: z.string() }) },
  errors: ["challenge_unknown", "consumer_account", ...proofErrors],
});

export const getSession = operation({
  id: "auth.session",
  method: "GET",
  path: "/api/auth/session",
  summary: "Who am I",
  ...sessionOptional,
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.union([session, z.object({ authenticated: z.literal(false) })]) },
});

export const logout = operation({
  id: "auth.logout",
  method: "POST",
  path: "/api/auth/logout",
  summary: "End this session",
  ...sessionOptional,
  limit: { points: 30, seconds: 60 },
  guestsSee: false,
  responses: { 200: z.object({ success: z.literal(true) }) },
});

/** What happens to the token of a call that reissues the session. */
export const renewal =
  "The token sent stays good for 60 seconds. Sent again within them it answers the same new token, so a lost answer costs nothing: repeat the call. A caller known by its cookie gets the new token as a cookie alone, and no `token` in the body.";

export const refresh = operation({
  id: "auth.refresh",
  method: "POST",
  path: "/api/auth/refresh",
  summary: "Exchange the session token for a fresh one",
  description: `A token lasts seven days. Refresh it to go on; 30 days after the proof (verifiedAt) the session ends all the same, and it takes a new proof. ${renewal}`,
  ...signedIn,
  limit: { points: 30, seconds: 60 },
  guestsSee: false,
  responses: {
    200: z.object({
      token: z.string().optional(),
      userId: z.string(),
      nickname: z.string(),
      expiresAt: z.iso.datetime(),
    }),
  },
});

export const devLogin = operation({
  id: "auth.devLogin",
  method: "POST",
  path: "/api/auth/dev-login",
  summary: "Sign in without a proof (development only, DEV_LOGIN=1)",
  description:
    "With provenSecondsAgo (at most a day) the session is as one whose proof was verified so long ago: what takes a fresh proof refuses it after ten minutes. With operator, the user has this role on the installation from then on.",
  ...sessionless,
  limit: { points: 600, seconds: 60 },
  body: z.object({
    nickname: nickname.optional(),
    provenSecondsAgo: z.int().min(0).max(86_400).optional(),
    operator: z.enum(operatorRoles).optional(),
  }),
  bodyOptional: true,
  responses: {
    200: z.object({
      userId: z.string(),
      nickname: z.string(),
      token: z.string(),
      needsNickname: z.boolean(),
    }),
  },
  errors: ["not_found"],
});

export const listSessions = operation({
  id: "auth.sessions",
  method: "GET",
  path: "/api/auth/sessions",
  summary: "Where the caller is signed in, latest first",
  description:
    "At most 100, without tokens for automation. A session keeps its id when its token is refreshed. lastSeenAt may be up to five minutes behind.",
  ...signedIn,
  limit: { points: 60, seconds: 60 },
  responses: {
    200: z.object({
      sessions: z.array(
        z.object({
          id: uuid,
          label: z.string().describe("Browser and system, or program, as far as the client says."),
          createdAt: z.iso.datetime(),
          lastSeenAt: z.iso.datetime(),
          expiresAt: z.iso.datetime(),
          isCurrent: z.boolean(),
        }),
      ),
    }),
  },
});

export const endSession = operation({
  id: "auth.endSession",
  method: "DELETE",
  path: "/api/auth/sessions/{sessionId}",
  summary: "End one session of the caller",
  description: "At once: the session's token is 401 from now on.",
  ...signedIn,
  limit: { points: 60, seconds: 60 },
  params: z.object({ sessionId: uuid }),
  guestsSee: false,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["session_not_found"],
});

export const endOtherSessions = operation({
  id: "auth.endOtherSessions",
  method: "DELETE",
  path: "/api/auth/sessions",
  summary: "End every session of the caller but this one",
  description: "Tokens for automation end too.",
  ...signedIn,
  limit: { points: 30, seconds: 60 },
  guestsSee: false,
  responses: { 200: z.object({ success: z.literal(true), ended: z.int() }) },
});
