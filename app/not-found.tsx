import type { Metadata } from "next";
import { SealMark } from "@/components/proof/seal-mark";
import { Page } from "@/components/shell/page";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

export const metadata: Metadata = { title: en.problems.notFoundTitle };

/** For addresses that lead nowhere, or to what the visitor may not know of. */
export default function NotFound() {
  return (
    <Page title={en.problems.notFoundTitle} back="/" ownHeading>
      <h1 className="sr-only">{en.problems.notFoundTitle}</h1>
      <EmptyState
        picture={<SealMark kind="country" size="md" empty />}
        title={en.problems.notFoundTitle}
        action={
          <>
            <ButtonLink href="/">{en.problems.goHome}</ButtonLink>
            <ButtonLink href="/topics">{en.problems.explore}</ButtonLink>
          </>
        }
      >
        {en.problems.notFound}
      </EmptyState>
    </Page>
  );
}
