import { DEVELOPMENT_WALLET } from "@/components/wallet/discover";
import { duration, megabytes } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { ProvingSheet } from "@/lib/proofs/artifact";
import { pointsPart } from "@/lib/proofs/ceremony";
import { expectedHere } from "../browser/expected";
import { availableThreads } from "../browser/threads";
import type { PublicConfig } from "../config";
import { circuitOf, type Run, type Stage } from "./types";
import { isWalletRun } from "./wallet-stages";

/** Milliseconds a stage usually takes; proving is told by the prover when it knows better. */
const usual: Partial<Record<Stage, number>> = { payment: 4000, witness: 1500, proving: 6000, checking: 2000 };

function sheetOf({ browserProving }: PublicConfig, run: Run): ProvingSheet | undefined {
  return browserProving.offered ? browserProving.circuits[circuitOf(run)] : undefined;
}

/** Milliseconds a stage of this run usually takes, where that can be said. */
export function expectedOf(stage: Stage, run: Run, config: PublicConfig): number | null {
  const sheet = run.prover.kind === "browser" ? sheetOf(config, run) : undefined;
  if (!sheet) return (stage === "proving" ? run.expectedMs : null) ?? usual[stage] ?? null;
  const here = expectedHere(sheet.points, availableThreads());
  if (stage === "prepare" || stage === "witness") return here[stage];
  // The circuit's key is made in the same stage, once for a browser.
  if (stage === "proving") return here.proving + (run.keyMade ? here.key : 0);
  return usual[stage] ?? null;
}

/** What is waited for, where it is not the work itself. */
export function noteOf(words: Words, run: Run, config: PublicConfig, working: boolean): string | null {
  if (run.here && working) return noteHere(words, run, config);
  if (run.position !== null) {
    const place = words.t("run.position", { n: run.position });
    return run.queueMs ? words.t("run.expected", { place, time: duration(words, run.queueMs) }) : place;
  }
  const paying = run.stage === "payment" && !run.payment && run.walletId !== DEVELOPMENT_WALLET;
  const signing = run.stage === "sign" && working && isWalletRun(run);
  const asked = paying || (signing && run.subject.holderId !== DEVELOPMENT_WALLET);
  return asked ? words.t("wallet.browser") : null;
}

function noteHere(words: Words, run: Run, config: PublicConfig): string | null {
  const sheet = sheetOf(config, run);
  switch (run.here?.stage) {
    case "loading":
      return words.t("prover.at.loading");
    case "points":
      return words.t("prover.at.points", {
        percent: run.here.fraction ?? 0,
        size: megabytes(words, sheet ? pointsPart(sheet.points).bytes : 0),
      });
    case "key":
      return words.t("prover.at.key");
    case "proving":
      return words.t("prover.at.threads", { n: availableThreads() });
    default:
      return null;
  }
}
