import Link from "next/link";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { Panel } from "@/components/shell/panel";

/** A part of an article: its heading, which the contents link to. */
export interface PartName {
  readonly id: string;
  readonly title: string;
}

/** Links to the parts of an article. */
export function Contents({ parts }: { readonly parts: readonly PartName[] }) {
  const { t } = useWords();
  return (
    <Panel title={t("people.contents")}>
      <ul className="grid gap-1.5 text-sm">
        {parts.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="tap inline-flex items-center text-soft hover:text-ink hover:underline"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The first paragraph of an article. */
export function Lead({ children }: { readonly children: ReactNode }) {
  return <p className="max-w-[60ch] text-lg text-soft">{children}</p>;
}

/** A part of an article under its heading. */
export function Part({ id, title, children }: PartName & { readonly children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-3 pt-3">
      <h2 id={id} className="font-serif text-xl font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** A paragraph of an article. */
export function Text({ children }: { readonly children: ReactNode }) {
  return <p className="max-w-[68ch] text-lg">{children}</p>;
}

/** A link on a line of its own. */
export function Onward({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <p>
      <Link href={href} prefetch={false} className="link tap inline-flex items-center text-lg">
        {children}
      </Link>
    </p>
  );
}

export interface NamedItem {
  readonly name: string;
  readonly about: readonly string[];
}

/** A list of named things, each with sentences about it. */
export function Named({ items }: { readonly items: readonly NamedItem[] }) {
  return (
    <dl className="grid max-w-[68ch] gap-3 text-lg">
      {items.map(({ name, about }) => (
        <div key={name}>
          <dt className="font-semibold">{name}</dt>
          {about.map((sentence) => (
            <dd key={sentence} className="mt-1">
              {sentence}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** A list of sentences in an article. */
export function Points({ items }: { readonly items: readonly string[] }) {
  return (
    <ul className="grid max-w-[68ch] list-disc gap-2 ps-5 text-lg">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
