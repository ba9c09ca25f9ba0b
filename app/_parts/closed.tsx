import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

/** Shown where a secret topic exists and this member is not in it. */
export function Closed() {
  return (
    <Page title={en.problems.secretTitle} back="/topics" ownHeading>
      <EmptyState
        title={en.problems.secretTitle}
        action={<ButtonLink href="/topics">{en.problems.explore}</ButtonLink>}
      >
        {en.problems.secret}
      </EmptyState>
    </Page>
  );
}
