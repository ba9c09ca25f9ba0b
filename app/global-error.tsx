"use client";

import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { fatal } from "@/lib/i18n/en/common";
import "./globals.css";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Stands in for the whole document when even the frame failed; with it the reader's language, so it speaks English. */
export default function GlobalError({ error, reset }: Props) {
  return (
    <html lang="en">
      <body>
        <title>{fatal.title}</title>
        <main className="mx-auto max-w-xl p-6 pt-16">
          <h1 className="mb-5 font-serif text-2xl font-semibold">{fatal.title}</h1>
          <ErrorNote action={<Button onClick={reset}>{fatal.retry}</Button>}>
            {fatal.text}
            {error.digest ? <span className="mt-1 block text-soft">{error.digest}</span> : null}
          </ErrorNote>
        </main>
      </body>
    </html>
  );
}
