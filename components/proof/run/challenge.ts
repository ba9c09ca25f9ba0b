import { api, contract } from "@/components/api";
import type { RunChallenge } from "./types";

/** Time a proof needs between its payment and its acceptance; with less left, the challenge is renewed first. */
export const NEEDED_MS = 45_000;

/**
 * Asks our server for a challenge; with a session it belongs to this member.
 * @throws ApiError when none is given.
 */
export async function newChallenge(): Promise<RunChallenge> {
  const { challengeId, nonce, expiresIn } = await api.call(contract.auth.challenge, {});
  return { id: challengeId, nonce, expiresAt: Date.now() + expiresIn * 1000 };
}

/** Whether a proof started now would come too late for this challenge. */
export function isStale(challenge: RunChallenge | null, neededMs = NEEDED_MS): boolean {
  return !challenge || challenge.expiresAt - Date.now() < neededMs;
}
