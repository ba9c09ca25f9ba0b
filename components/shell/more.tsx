import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";

export interface MoreProps {
  /** Address of the next page, or null at the end. */
  readonly next: string | null;
  /** Address of the first page, when this is not it. */
  readonly first: string | null;
}

/** Paging by links: it works without JavaScript, and a page has an address. */
export function More({ next, first }: MoreProps) {
  const { t } = useWords();
  if (!next && !first) return null;
  return (
    <div className="flex justify-center gap-2 pt-2">
      {first ? (
        <ButtonLink href={first} tone="quiet">
          {t("common.firstPage")}
        </ButtonLink>
      ) : null}
      {next ? <ButtonLink href={next}>{t("common.older")}</ButtonLink> : null}
    </div>
  );
}
