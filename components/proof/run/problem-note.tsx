import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Hash } from "@/components/ui/hash";
import { ErrorNote } from "@/components/ui/notes";
import type { PublicConfig } from "../config";
import type { RunProblem } from "./types";

export interface ProblemNoteProps {
  readonly problem: RunProblem;
  readonly config: PublicConfig;
  readonly holder: string | null;
  readonly onAgain: (() => void) | null;
  /** Has the installation's prover do what this browser could not. */
  readonly onOther: (() => void) | null;
}

/** What happened, what helps, and the button that goes on or starts anew. */
export function ProblemNote({ problem, config, holder, onAgain, onOther }: ProblemNoteProps) {
  const { t } = useWords();
  const label = problem.help ? t("attested.look") : t("common.retry");
  return (
    <ErrorNote
      title={problem.help ? t("attested.unusable") : t("run.failed")}
      action={
        <>
          {onAgain ? (
            <Button tone="primary" onClick={onAgain}>
              {problem.final ? t("signIn.startAgain") : label}
            </Button>
          ) : null}
          {onOther ? <Button onClick={onOther}>{t("prover.switchServer")}</Button> : null}
        </>
      }
    >
      {problem.message}
      {problem.help ? <AttestHelp config={config} holder={holder} /> : null}
    </ErrorNote>
  );
}

interface AttestHelpProps {
  readonly config: PublicConfig;
  /** The wallet nobody vouched for. */
  readonly holder: string | null;
}

/** How to get vouched for; on a development installation, where. */
function AttestHelp({ config, holder }: AttestHelpProps) {
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
