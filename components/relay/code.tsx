import { useWords } from "#words";

/** The six digits both screens show. */
export function Code({ code }: { readonly code: string }) {
  const { t } = useWords();
  return (
    <p className="grid gap-1">
      <span className="text-sm text-soft">{t("relay.code")}</span>
      <output className="font-mono text-3xl font-semibold tracking-widest" aria-label={t("relay.code")}>
        {`${code.slice(0, 3)} ${code.slice(3)}`}
      </output>
    </p>
  );
}
