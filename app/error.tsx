"use client";

import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** A page that failed to render; the frame around it stands. */
export default function PageError({ error, reset }: Props) {
  return (
    <Page title={en.problems.errorTitle} back="/">
      <ErrorNote title={en.problems.errorTitle} action={<Button onClick={reset}>{en.common.retry}</Button>}>
        {en.problems.error}
        {error.digest ? (
          <span className="mt-1 block text-soft">{en.problems.reference(error.digest)}</span>
        ) : null}
      </ErrorNote>
    </Page>
  );
}
