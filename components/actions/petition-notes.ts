import { exactTime } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { Action } from "@/lib/proofs/attestation/action";

/** Explains the values that a petition's signature contains. */
export function petitionNotes(words: Words, statement: string, { message }: Action): readonly string[] {
  const deadline = Number(message.deadline);
  return [
    words.t("petition.hashOf", { text: statement }),
    ...(Number.isSafeInteger(deadline)
      ? [words.t("petition.until", { moment: exactTime(words, new Date(deadline * 1000)) })]
      : []),
  ];
}
