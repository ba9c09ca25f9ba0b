import { atStage, loadRun, saveRun } from "./storage";
import { stageAfterInputs } from "./types";

export type CallbackOutcome =
  | { readonly kind: "go"; readonly page: string }
  /** The provider refused or the person cancelled. */
  | { readonly kind: "denied"; readonly page: string }
  /** No run of this tab asked for this answer. */
  | { readonly kind: "lost" };

/**
 * Takes the provider's answer out of a fragment and into the run of this tab.
 * @param fragment location.hash as it was on arrival, with or without its #.
 */
export function receiveAnswer(fragment: string): CallbackOutcome {
  const answer = new URLSearchParams(fragment.replace(/^#/, ""));
  const run = loadRun();
  const subject = run?.subject.kind === "domain" ? run.subject : null;
  if (!run || !subject || run.stage !== "identity" || subject.token || answer.get("state") !== subject.state)
    return { kind: "lost" };
  const token = answer.get("id_token");
  if (!token) return { kind: "denied", page: run.page };
  saveRun({ ...run, ...atStage(run, stageAfterInputs(run), Date.now()), subject: { ...subject, token } });
  return { kind: "go", page: run.page };
}
