import type { Metadata } from "next";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

export const metadata: Metadata = { title: en.profile.alertsTitle };

/** What happened to things of mine. */
export default function Alerts() {
  return (
    <Page title={en.profile.alertsTitle}>
      <EmptyState
        title={en.profile.alertsNone}
        action={<ButtonLink href="/topics">{en.problems.explore}</ButtonLink>}
      >
        {en.profile.alertsEmpty}
      </EmptyState>
    </Page>
  );
}
