import { z } from "zod";
import { countryCode, emailDomain, proofHex, publicInputs } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { proofErrors } from "./proof-requirement";

/** Circuits a phone may be asked to prove: the community's own. */
export const relayCircuit = z.enum([
  "oidc_domain_attestation",
  "network_eligibility",
  "partner_country_attestation",
]);
const requestParams = z.object({ requestId: z.string().regex(/^[\w-]{1,100}$/) });
const shared = { tag: "auth", nickname: false, access: "anyone" } as const;

const asked = {
  circuitType: relayCircuit,
  scope: z.string(),
  /** Seconds until the request expires. */
  expiresIn: z.int(),
};

export const createProofRequest = operation({
  id: "auth.createProofRequest",
  method: "POST",
  path: "/api/auth/proof-request",
  summary: "Ask a phone for a proof: the sign-in, or what a gate wants",
  description:
    "Without circuitType it is the sign-in; with one, a signed-in caller asks for a proof to hand in with a join or a topic (country proofs need countryList), a guest for a sign-in by that circuit. Sets a short-lived cookie that ties the request to this client: only it can poll. deepLink opens the same app on the phone; both screens show the same code.",
  ...shared,
  auth: "optional",
  limit: { points: 20, seconds: 60 },
  body: z.object({
    circuitType: relayCircuit.optional(),
    scope: z.string().max(200).optional().describe("Must be this community's scope when given."),
    countryList: z.array(countryCode).min(1).max(LIMITS.topic.countries).optional(),
    isIncluded: z.boolean().optional(),
    domain: emailDomain.optional(),
    provider: z
      .enum(["provider_a", "provider_b"])
      .optional()
      .describe("The identity provider to sign in with; without it any."),
  }),
  bodyOptional: true,
  guestsSee: false,
  responses: {
    200: z.object({ requestId: z.string(), deepLink: z.string(), ...asked, code: z.string() }),
  },
  errors: ["unknown_circuit", "proof_wrong_scope"],
});

export const getProofRequest = operation({
  id: "auth.getProofRequest",
  method: "GET",
  path: "/api/auth/proof-request/{requestId}",
  summary: "What the phone must prove, who asks, and the code to compare",
  ...shared,
  auth: "none",
  limit: { points: 60, seconds: 60 },
  params: requestParams,
  responses: {
    200: z.object({
      requestId: z.string(),
      ...asked,
      code: z.string().describe("Six digits, the same on both screens."),
      nonce: z
        .string()
        .describe("The challenge's nonce, for the identity token or the message the wallet signs."),
      countryList: z.array(z.string()).nullable(),
      isIncluded: z.boolean().nullable(),
      domain: z.string().nullable(),
      provider: z.string().nullable(),
      purpose: z.enum(["sign_in", "proof"]),
      requester: z.object({
        client: z.string().describe("Browser and system of the requesting client, as far as it says."),
        nickname: z
          .string()
          .nullable()
          .describe("Nickname of the signed-in user who asks for a proof; null for a sign-in."),
        createdAt: z.iso.datetime(),
      }),
      status: z.enum(["pending", "completed", "failed"]).describe("How far it is."),
    }),
  },
  errors: ["proof_request_unknown"],
});

export const answerProofRequest = operation({
  id: "auth.answerProofRequest",
  method: "POST",
  path: "/api/auth/proof-request/{requestId}",
  summary: "The phone's proof",
  description:
    "A proof that is refused ends the request (its asker reads failed); 503 does not. No session starts on the phone.",
  ...shared,
  auth: "none",
  limit: { points: 20, seconds: 60 },
  params: requestParams,
  body: z.object({ proof: proofHex, publicInputs }),
  guestsSee: false,
  responses: { 202: z.object({ success: z.literal(true) }) },
  errors: ["proof_request_unknown", "proof_request_answered", "consumer_account", ...proofErrors],
});

const completedSignIn = z.object({
  status: z.literal("completed").describe("The phone answered with a proof."),
  userId: z.string(),
  needsNickname: z.boolean(),
});

export const pollProofRequest = operation({
  id: "auth.pollProofRequest",
  method: "GET",
  path: "/api/auth/poll/{requestId}",
  summary: "How the request stands; only for the client that asked",
  description:
    "completed signs the asking client in (cookie and token), once. With mode=look it only says whose account it would be, so that a person can confirm it before the poll without mode signs in. A request for a gate's proof is polled with mode=proof and hands over the phone's proof, for a join or a topic: its challenge stays open for five minutes from the request. Needs the cookie that the request set.",
  ...shared,
  auth: "optional",
  limit: { points: 300, seconds: 60 },
  params: requestParams,
  query: z.object({
    mode: z
      .enum(["proof", "look"])
      .optional()
      .describe(
        "`proof` returns the proof instead of signing in with it; `look` only says whose account it would be.",
      ),
  }),
  responses: {
    200: z.union([
      z.object({ status: z.literal("pending").describe("The phone has not answered."), expiresIn: z.int() }),
      z.object({
        status: z.literal("failed").describe("The phone could not prove it."),
        error: z.string().describe("A sentence for people."),
        code: z.string().describe("Stable code of the reason."),
      }),
      completedSignIn.extend({ token: z.string() }),
      completedSignIn.extend({ nickname: z.string() }),
      z.object({
        status: z.literal("completed").describe("The phone answered with a proof."),
        circuit: relayCircuit,
        proof: z.string(),
        publicInputs: z.array(z.string()),
      }),
    ]),
  },
  errors: ["proof_request_unknown"],
});
