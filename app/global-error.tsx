"use client";

import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import * as en from "@/lib/i18n/en";
import "./globals.css";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Stands in for the whole document when even the frame failed. */
export default function GlobalError({ error, reset }: Props) {
  return (
    <html lang="en">
      <body>
        <title>{en.problems.errorTitle}</title>
        <main className="mx-auto max-w-xl p-6 pt-16">
          <ErrorNote
            title={en.problems.errorTitle}
            action={<Button onClick={reset}>{en.common.retry}</Button>}
          >
            {en.problems.error}
            {error.digest ? (
              <span className="mt-1 block text-soft">{en.problems.reference(error.digest)}</span>
            ) : null}
          </ErrorNote>
        </main>
      </body>
    </html>
  );
}
