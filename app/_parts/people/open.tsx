import { useWords } from "#words";
import { Part, Points, Text } from "./article";

const limits = [
  "guess",
  "account",
  "small",
  "nameless",
  "payment",
  "prover",
  "server",
  "readers",
  "once",
] as const;

/** What is not protected, told once and the same on every page (docs/security.md). */
export function NotProtected({ id }: { readonly id: string }) {
  const { t } = useWords();
  return (
    <Part id={id} title={t("open.title")}>
      <Text>{t("open.lead")}</Text>
      <Points items={limits.map((limit) => t(`open.${limit}`))} />
    </Part>
  );
}
