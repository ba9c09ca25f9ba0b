import type { Metadata } from "next";
import Link from "next/link";
import { ApiIndex, ErrorCodes, Operation } from "@/components/docs/operation";
import { Page } from "@/components/shell/page";
import { operations } from "@/lib/contract";
import * as en from "@/lib/i18n/en";

export const metadata: Metadata = { title: en.docs.title, description: en.docs.intro };

/** The API for people to read, from the same declarations that check every request. */
export default function Docs() {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  return (
    <Page title={en.docs.title} back="/" aside={<ApiIndex operations={operations} />}>
      <p className="max-w-[68ch] text-lg text-soft">{en.docs.intro}</p>
      <p>
        <a className="link" href="/api/docs/openapi.json">
          {en.docs.json}
        </a>
        {" · "}
        <Link className="link" href="/actions/example">
          {en.petition.link}
        </Link>
      </p>
      {tags.map((tag) => (
        <section key={tag} aria-labelledby={`tag-${tag}`} className="grid gap-4 pt-4">
          <h2 id={`tag-${tag}`} className="font-serif text-2xl font-semibold">
            {en.docs.tags[tag] ?? tag}
          </h2>
          {operations
            .filter((operation) => operation.tag === tag)
            .map((operation) => (
              <Operation key={operation.id} operation={operation} />
            ))}
        </section>
      ))}
      <ErrorCodes />
    </Page>
  );
}
