import { useWords } from "#words";
import { useMoment } from "@/components/ui/use-moment";

/** "until Sunday, 22 November, 14:02", in the reader's time zone. */
export function Until({ at }: { readonly at: string | null }) {
  const { t } = useWords();
  const when = useMoment(at);
  if (at === null || when === null) return t("staff.always");
  return <time dateTime={at}>{t("staff.until", { when })}</time>;
}
