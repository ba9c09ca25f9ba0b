import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import type { PublicConfig } from "../config";

export interface AttestHelpProps {
  readonly config: PublicConfig;
  /** The wallet nobody vouched for. */
  readonly holder: string | null;
}

/** How to get vouched for; on a development installation, where. */
export function AttestHelp({ config, holder }: AttestHelpProps) {
  const { t } = useWords();
  const about = holder ? `?address=${holder}` : "";
  return (
    <div className="mt-2 grid gap-1">
      {holder ? (
        <p>
          {t("attested.lookedUp")} <Hash value={holder} label={t("attested.wallet")} picture />
        </p>
      ) : null}
      <p className="font-medium">{t("attested.howTo")}</p>
      <p>{config.attesterPage ? t("attested.howToDevelopment") : t("attested.howToText")}</p>
      {config.attesterPage ? (
        <p>
          <a className="link" href={`${config.attesterPage}${about}`} target="_blank" rel="noreferrer">
            {t("attested.openAttester")}
          </a>
        </p>
      ) : null}
    </div>
  );
}
