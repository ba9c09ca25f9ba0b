import type { ReactNode } from "react";
import { sentencesOf } from "@/lib/i18n/catalogues";
import { WordsProvider } from "@/lib/i18n/client";
import { readerLocale } from "@/lib/i18n/server";
import type { Group } from "@/lib/i18n/words";

/** Groups that the frame of every page uses, and pages that name none: lists of posts and topics. */
export const shellGroups = [
  "bell",
  "card",
  "common",
  "nav",
  "offline",
  "outbox",
  "paid",
  "post",
  "problems",
  "shortcuts",
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

/** Brings groups of sentences to the client components below, beside those of providers above. */
export async function WithWords({ groups, children }: Props) {
  const locale = await readerLocale();
  return (
    <WordsProvider locale={locale} sentences={sentencesOf(locale, groups)}>
      {children}
    </WordsProvider>
  );
}

/**
 * A page with the groups of sentences that its client components use, beside those of the frame. `app/words.test.ts` finds
 * what is missing.
 */
export function withWords<P extends object>(
  groups: readonly Group[],
  Page: (props: P) => ReactNode | Promise<ReactNode>,
) {
  return (props: P) => (
    <WithWords groups={groups}>
      <Page {...props} />
    </WithWords>
  );
}
