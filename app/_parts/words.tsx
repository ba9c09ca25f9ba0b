import type { ReactNode } from "react";
import { WordsProvider } from "@/components/shell/words";
import { compiledGroups } from "@/lib/i18n/catalogues";
import { readerLocale } from "@/lib/i18n/server";
import type { Group } from "@/lib/i18n/words";

/** Groups that the frame of every page uses, and pages without a layout of their own. */
export const shellGroups = [
  "bell",
  "common",
  "nav",
  "offline",
  "paid",
  "problems",
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
  readonly groups?: readonly Group[];
  readonly children: ReactNode;
}

/**
 * Brings groups of sentences to the components of the browser below, beside those of the shell. Layouts use it; the nearest
 * counts and names all groups, those of the layouts above it too. `app/words.test.ts` finds what is missing.
 */
export async function WithWords({ groups = [], children }: Props) {
  const locale = await readerLocale();
  return (
    <WordsProvider locale={locale} groups={compiledGroups(locale, [...shellGroups, ...groups])}>
      {children}
    </WordsProvider>
  );
}
