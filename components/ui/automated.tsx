import { useWords } from "#words";
import { Badge } from "./badge";

/** Says that a program wrote something, and what is known of whoever runs it. */
export function Automated() {
  const { t } = useWords();
  return (
    <span title={t("common.automatedBy")}>
      <Badge>{t("common.automated")}</Badge>
      <span className="sr-only">{` ${t("common.automatedBy")}`}</span>
    </span>
  );
}
