import { contract } from "@/lib/contract";
import { nullifier, proofBody } from "@/lib/testing/proofs";
import { type Example, example } from "../example";
import { leftBy, type World } from "../world";

const { auth, profile } = contract;

/** Signing in, sessions, and proofs by phone. */
export const authExamples: readonly Example[] = [
  example(auth.devLogin)({
    input: () => ({ nickname: "ada" }),
    keep: (world, { token, userId }) => world.signedIn("ada", token, userId),
  }),
  example(auth.challenge)({
    keep: (world, { challengeId, nonce }) => world.keep({ challenge: challengeId, nonce }),
  }),
  example(auth.verify)({
    input: (world) => ({
      challengeId: leftBy(world, "challenge"),
      result: proofBody({ nonce: leftBy(world, "nonce"), nullifier: nullifier(11) }),
    }),
    keep: (world, { token, userId }) => world.signedIn("newcomer", token, userId),
  }),
  example(profile.setNickname)({
    as: "newcomer",
    input: () => ({ nickname: "grace_h" }),
    keep({ tokens }, { token }) {
      if (token) tokens.set("newcomer", token);
    },
  }),
  example(auth.session)({ as: "ada" }),
  example(auth.refresh)({
    as: "ada",
    keep({ tokens }, { token }) {
      if (token) tokens.set("ada", token);
    },
  }),
  example(auth.sessions)({
    as: "ada",
    before: ({ h }) => h.login("ada"),
    keep: (world, { sessions }) =>
      world.keep({ session: sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "" }),
  }),
  example(auth.endSession)({
    as: "ada",
    input: (world) => ({ sessionId: leftBy(world, "session") }),
  }),
  example(auth.endOtherSessions)({ as: "ada", before: ({ h }) => h.login("ada") }),
  example(auth.createToken)({
    as: "ada",
    input: () => ({ name: "Nightly digest", scopes: ["read", "comments.create"], spendCap: 500_000 }),
    keep(world, { token, automation }) {
      world.tokens.set("program", token);
      world.keep({ automation: automation.id });
    },
  }),
  example(auth.tokens)({ as: "ada" }),
  example(auth.spend)({ as: "program", input: () => ({ amount: 100_000 }) }),
  example(auth.revokeToken)({ as: "ada", input: (world) => ({ tokenId: leftBy(world, "automation") }) }),
  example(auth.createProofRequest)({
    keep: (world, { requestId }, headers) =>
      world.keep({ request: requestId, tie: headers.get("set-cookie")?.split(";")[0] ?? "" }),
  }),
  example(auth.getProofRequest)({
    input: requestOf,
    keep: (world, { nonce }) => world.keep({ "request nonce": nonce }),
  }),
  example(auth.answerProofRequest)({
    input(world) {
      const nonce = leftBy(world, "request nonce");
      const { proof, publicInputs } = proofBody({ nonce, nullifier: nullifier(12) });
      return { ...requestOf(world), proof, publicInputs };
    },
  }),
  example(auth.pollProofRequest)({
    input: requestOf,
    headers: (world) => ({ cookie: leftBy(world, "tie") }),
  }),
];

function requestOf(world: World) {
  return { requestId: leftBy(world, "request") };
}

/** Run last: they remove users and sessions. */
export const lastExamples: readonly Example[] = [
  example(auth.logout)({ as: "dora" }),
  example(profile.deleteAccount)({ as: "leaver", before: (world) => world.signIn("leaver") }),
];
