import Link from "next/link";
import { useWords } from "#words";
import { SealMark } from "@/components/proof/seal-mark";

/** The name and seal of the site, which link to the home page. */
export function Brand({ short }: { readonly short?: boolean }) {
  const { t } = useWords();
  return (
    <Link
      href="/"
      className="tap inline-flex items-center gap-2 rounded-control font-serif text-xl font-semibold"
      aria-label={t("common.name")}
    >
      <SealMark kind="person" size="sm" className="size-7" />
      {short ? null : <span>{t("common.name")}</span>}
    </Link>
  );
}
