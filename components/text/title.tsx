import { useWords } from "#words";
import { isVisible } from "@/lib/contract/visible";

/** A title, or a placeholder for an invisible one, which old posts and topics can have. */
export function Title({ of }: { readonly of: string }) {
  const { t } = useWords();
  return <>{isVisible(of) ? of : t("common.untitled")}</>;
}
