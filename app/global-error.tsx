"use client";

import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import "./globals.css";

interface Props {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Not in the catalogues: importing one would make this script as large as the catalogue. */
const fatal = {
  title: "This page did not load",
  text: "Something went wrong on our side. Nothing you wrote was lost. Try again in a moment.",
  retry: "Try again",
};

/** Replaces the whole document when the root layout fails. The reader's language is unknown then, so it is English. */
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
