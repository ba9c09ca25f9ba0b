import { useWords } from "#words";
import { RadioCards } from "@/components/ui/radio-cards";

export interface WhenFieldProps {
  readonly isNow: boolean;
  readonly onChange: (isNow: boolean) => void;
}

/** When a text without a name is sent, and what that may say. */
export function WhenField({ isNow, onChange }: WhenFieldProps) {
  const { t } = useWords();
  return (
    <RadioCards
      legend={t("anonymous.when")}
      name="anonymous-when"
      columns
      value={isNow ? "now" : "later"}
      onChange={(value) => onChange(value === "now")}
      options={[
        { value: "later", title: t("anonymous.later"), description: t("anonymous.laterHint") },
        { value: "now", title: t("anonymous.now"), description: t("anonymous.nowHint") },
      ]}
    />
  );
}
