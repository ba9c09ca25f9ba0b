import { isStale, neededMs } from "./challenge";
import type { EngineParts } from "./parts";
import { tokenProblem } from "./token-check";
import { withoutSecrets } from "./types";
import { identify, isWalletRun, keepFresh, sign } from "./wallet-stages";

/** Does what comes before payment or proof. False when the run waits for a person now, or ended. */
export async function readyToProve(parts: EngineParts): Promise<boolean> {
  const { config, read, patch, words } = parts;
  const run = read();
  if (isWalletRun(run)) {
    if (!run.subject.attestation) await identify(parts, run);
    else if (!run.subject.signature) await sign(parts);
    else return keepFresh(parts, run);
    return false;
  }
  const problem = isStale(run.challenge, neededMs(run))
    ? { message: words.t("run.stale"), final: true }
    : tokenProblem(words, run, config.scope);
  if (problem) patch({ problem, subject: withoutSecrets(run.subject) });
  return problem === null;
}
