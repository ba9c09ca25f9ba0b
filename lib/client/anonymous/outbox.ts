import { ApiError } from "@/lib/client";
import { BannedError } from "@/lib/proofs/anonymous/membership";
import { NotInCrowdError } from "@/lib/proofs/anonymous/statement";
import { change, RETRY_MS, refuse, type SendingParts, waitingActs } from "./entries";
import { readSecret } from "./secret";
import { sendBallot } from "./send-ballot";
import { sendDeletion } from "./send-deletion";
import { NoPictureSlots } from "./send-pictures";
import { sendText } from "./send-text";
import type { AnonymousEntry } from "./store";

/**
 * Sends what is due, one after the other, in one tab at a time.
 * @returns when the next one is due, in Unix milliseconds; null where nothing waits
 */
export async function sendDue(userId: string, parts: SendingParts): Promise<number | null> {
  const work = async () => {
    for (const entry of await waitingActs(userId)) {
      if (entry.state === "waiting" && entry.dueAt <= parts.now()) await sendOne(entry, parts);
    }
    const next = (await waitingActs(userId)).find(({ state }) => state === "waiting");
    return next?.dueAt ?? null;
  };
  return await navigator.locks.request("parley-anonymous", work);
}

async function sendOne(entry: AnonymousEntry, parts: SendingParts): Promise<void> {
  const { userId, act } = entry;
  const again = () => change(entry, { dueAt: parts.now() + RETRY_MS });
  try {
    const master = await readSecret(userId);
    if (!master) return await refuse(entry, "not_counted");
    if (act.kind === "ballot") await sendBallot(entry, act, master, parts);
    else if (act.kind === "deletion") await sendDeletion(entry, act, master, parts);
    else await sendText(entry, act, master, parts);
  } catch (error) {
    if (error instanceof BannedError) return await refuse(entry, "anonymous_banned");
    if (error instanceof NoPictureSlots) return await refuse(entry, "no_picture_slots");
    if (error instanceof NotInCrowdError) return await refuse(entry, "not_counted");
    if (error instanceof ApiError && error.status !== 0) {
      // Many pictures can take longer than terms hold; those that were uploaded stay.
      const isPassing = error.status >= 500 || error.status === 429 || error.code === "terms_expired";
      if (isPassing) return await again();
      return await refuse(entry, error.code, error.message);
    }
    // Without an answer, and when a proof could not be made: its reason is not the text's.
    await again();
  }
}
