import { useWords } from "#words";
import { isVisible } from "@/lib/contract/visible";

/** A title, or something to press where nothing of it shows: titles from before they were checked. */
export function Title({ of }: { readonly of: string }) {
  const { t } = useWords();
  return <>{isVisible(of) ? of : t("common.untitled")}</>;
}
