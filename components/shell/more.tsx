import { useWords } from "#words";
import { ButtonLink } from "@/components/ui/button";

export interface MoreProps {
  /** Returns the address of a page of the list; without a cursor, of the first page. */
  readonly href: (cursor?: string) => string;
  /** Cursor of this page; absent on the first page. */
  readonly cursor: string | null | undefined;
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** Paging by links: works without JavaScript and gives each page an address. */
export function More({ href, cursor, next }: MoreProps) {
  const { t } = useWords();
  if (!next && !cursor) return null;
  return (
    <div className="flex justify-center gap-2 pt-2">
      {cursor ? (
        <ButtonLink href={href()} tone="quiet">
          {t("common.firstPage")}
        </ButtonLink>
      ) : null}
      {next ? <ButtonLink href={href(next)}>{t("common.more")}</ButtonLink> : null}
    </div>
  );
}
