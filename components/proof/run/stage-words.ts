import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { chainName, type PublicConfig } from "../config";
import type { Run, Stage, Subject } from "./types";

/** Who is shown a wallet's address while its attestation is looked up, as people read it. */
export function askedServices(words: Words, config: PublicConfig, circuit: string): string {
  const attester = config.attesters.find((one) => one.circuit === circuit);
  if (!attester) return "";
  const chain = chainName(config, attester.chainId);
  const asked = attester.asks.map(
    ({ what, host }) => `${words.t(`attested.services.${what}`, { chain })} (${host})`,
  );
  return listed(words, asked);
}

/** What happens in a stage, and what leaves this device in it. */
export function stageWords(
  words: Words,
  stage: Stage,
  { subject, prover }: Pick<Run, "subject" | "prover">,
  config: PublicConfig,
): { readonly about: string; readonly leaves: string } {
  const here = prover.kind === "browser" ? stageHere(stage) : null;
  if (here) {
    const about =
      here === "checking" ? usualWords(words, stage, subject, config).about : words.t(`prover.about.${here}`);
    return { about, leaves: words.t(`prover.leaves.${here}`) };
  }
  return usualWords(words, stage, subject, config);
}

/** A stage whose words differ where the proof is made in this browser. */
function stageHere(stage: Stage) {
  return stage === "prepare" || stage === "witness" || stage === "proving" || stage === "checking"
    ? stage
    : null;
}

function usualWords(
  words: Words,
  stage: Stage,
  subject: Subject,
  config: PublicConfig,
): { readonly about: string; readonly leaves: string } {
  // Only proofs that are made here have it.
  if (stage === "prepare") return { about: "", leaves: "" };
  if (subject.kind === "wallet") {
    const services = askedServices(words, config, subject.circuit);
    return {
      about: words.t(`attested.about.${stage}`),
      leaves: words.t(`attested.leaves.${stage}`, { services }),
    };
  }
  // A provider's run has no such stage.
  if (stage === "sign") return { about: "", leaves: "" };
  return { about: words.t(`run.about.${stage}`), leaves: words.t(`run.leaves.${stage}`) };
}
