import * as en from "@/lib/i18n/en";
import { exactTime } from "@/lib/i18n/time";
import type { Action } from "@/lib/proofs/attestation/action";

/** What the values of a petition's signature stand for. */
export function petitionNotes(statement: string, { message }: Action): readonly string[] {
  const deadline = Number(message.deadline);
  return [
    en.petition.hashOf(statement),
    ...(Number.isSafeInteger(deadline) ? [en.petition.until(exactTime(new Date(deadline * 1000)))] : []),
  ];
}
