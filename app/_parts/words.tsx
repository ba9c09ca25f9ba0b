import type { ReactNode } from "react";
import { sentencesOf } from "@/lib/i18n/catalogues";
import { WordsProvider } from "@/lib/i18n/client";
import { readerLocale } from "@/lib/i18n/server";
import type { Group } from "@/lib/i18n/words";

/** Groups that the frame of every page uses, and pages without a layout of their own: lists of posts and topics. */
export const shellGroups = [
  "bell",
  "common",
  "nav",
  "offline",
  "outbox",
  "paid",
  "post",
  "problems",
  "search",
  "time",
] as const satisfies readonly Group[];

/** Groups of everything a proof run may say. */
export const proofGroups = [
  "attested",
  "gate",
  "petition",
  "profile",
  "prover",
  "relay",
  "run",
  "seal",
  "signIn",
  "wallet",
] as const satisfies readonly Group[];

interface Props {
  readonly groups: readonly Group[];
  readonly children: ReactNode;
}

/**
 * Brings groups of sentences to the components of the browser below, beside those of layouts above. Layouts use it;
 * `app/words.test.ts` finds what is missing.
 */
export async function WithWords({ groups, children }: Props) {
  const locale = await readerLocale();
  return (
    <WordsProvider locale={locale} sentences={sentencesOf(locale, groups)}>
      {children}
    </WordsProvider>
  );
}
