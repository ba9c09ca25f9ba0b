import { Hash } from "@/components/ui/hash";
import * as en from "@/lib/i18n/en";
import type { PublicConfig } from "../config";

export interface AttestHelpProps {
  readonly config: PublicConfig;
  /** The wallet nobody vouched for. */
  readonly holder: string | null;
}

/** How to get vouched for; on a development installation, where. */
export function AttestHelp({ config, holder }: AttestHelpProps) {
  const about = holder ? `?address=${holder}` : "";
  return (
    <div className="mt-2 grid gap-1">
      {holder ? (
        <p>
          {en.attested.lookedUp} <Hash value={holder} label={en.attested.wallet} picture />
        </p>
      ) : null}
      <p className="font-medium">{en.attested.howTo}</p>
      <p>{config.attesterPage ? en.attested.howToDevelopment : en.attested.howToText}</p>
      {config.attesterPage ? (
        <p>
          <a className="link" href={`${config.attesterPage}${about}`} target="_blank" rel="noreferrer">
            {en.attested.openAttester}
          </a>
        </p>
      ) : null}
    </div>
  );
}
