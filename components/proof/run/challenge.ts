import { api, contract } from "@/components/api";
import type { Purpose, Run, RunChallenge } from "./types";

/** Time a bought proof needs between its payment and its acceptance; with less left, the challenge is renewed first. */
const NEEDED_MS = 45_000;
/** The same for one that is made here: a slow phone on one thread takes minutes for the largest circuit. */
const NEEDED_HERE_MS = 120_000;

/** Milliseconds a proof of this run needs before its challenge ends. */
export function neededMs({ prover }: Pick<Run, "prover">): number {
  return prover.kind === "browser" ? NEEDED_HERE_MS : NEEDED_MS;
}

/** The other device's request ends too soon for a proof. */
export class RequestEndingError extends Error {
  override readonly name = "RequestEndingError";
}

/**
 * Asks our server for a challenge; with a session it belongs to this member. For another device it is that device's
 * own, which cannot be renewed from here.
 * @throws ApiError when none is given; RequestEndingError
 */
export async function newChallenge(purpose: Purpose): Promise<RunChallenge> {
  if (purpose.kind === "relay") return await challengeOfRequest(purpose.requestId);
  const { challengeId, nonce, expiresIn } = await api.call(contract.auth.challenge, {});
  return { id: challengeId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
}

async function challengeOfRequest(requestId: string): Promise<RunChallenge> {
  const { nonce, expiresIn, status } = await api.call(contract.auth.getProofRequest, { requestId });
  const challenge = { id: requestId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
  if (status !== "pending" || isStale(challenge)) throw new RequestEndingError("the request ends");
  return challenge;
}

/** Whether a proof started now would come too late for this challenge. */
export function isStale(challenge: RunChallenge | null, neededMs = NEEDED_MS): boolean {
  return !challenge || challenge.expiresAt - Date.now() < neededMs;
}
