import Link from "next/link";
import { useWords } from "#words";
import { personPath } from "@/lib/client/places";
import { SealMark } from "./seal-mark";

export interface ShownDomainsProps {
  /** Domains that a user shows next to their name. */
  readonly of: readonly string[];
  /** Who shows them, and in which topic: a press says what they mean. */
  readonly by?: { readonly nickname: string; readonly topicId?: string };
}

/** The seals that a user shows next to their name: the first domain, and the number of others. */
export function ShownDomains({ of: [first, ...others], by }: ShownDomainsProps) {
  const { t } = useWords();
  if (!first) return null;
  const title = t("common.seals", { domains: [first, ...others].map((domain) => `@${domain}`).join(", ") });
  const look = {
    className: `${by ? "reach " : ""}inline-flex min-w-0 items-center gap-1 text-sm text-soft`,
    title,
  };
  const shown = (
    <>
      <SealMark kind="domain" size="sm" className="size-4" />
      <span className="sr-only">{title}</span>
      <span aria-hidden="true" className={by ? "truncate hover:underline" : "truncate"}>
        @{first}
        {others.length > 0 ? ` +${others.length}` : null}
      </span>
    </>
  );
  if (!by) return <span {...look}>{shown}</span>;
  const person = { "data-person": by.nickname, "data-topic": by.topicId };
  return (
    <Link {...look} {...person} href={personPath(by.nickname)} prefetch={false}>
      {shown}
    </Link>
  );
}
