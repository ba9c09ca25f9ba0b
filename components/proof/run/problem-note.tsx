import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import type { PublicConfig } from "../config";
import { AttestHelp } from "./attest-help";
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
