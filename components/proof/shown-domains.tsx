import { useWords } from "#words";
import { SealMark } from "./seal-mark";

export interface ShownDomainsProps {
  /** Domains that a user shows next to their name. */
  readonly of: readonly string[];
}

/** The seals that a user shows next to their name: the first domain, and the number of others. */
export function ShownDomains({ of: [first, ...others] }: ShownDomainsProps) {
  const { t } = useWords();
  if (!first) return null;
  const all = [first, ...others].map((domain) => `@${domain}`).join(", ");
  return (
    <span
      className="inline-flex min-w-0 items-center gap-1 text-sm text-soft"
      title={t("common.seals", { domains: all })}
    >
      <SealMark kind="domain" size="sm" className="size-4" />
      <span className="sr-only">{t("common.seals", { domains: all })}</span>
      <span aria-hidden="true" className="truncate">
        @{first}
        {others.length > 0 ? ` +${others.length}` : null}
      </span>
    </span>
  );
}
