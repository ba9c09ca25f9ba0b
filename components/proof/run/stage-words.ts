import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { chainName, type PublicConfig } from "../config";
import type { Stage, Subject } from "./types";

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
  subject: Subject,
  config: PublicConfig,
): { readonly about: string; readonly leaves: string } {
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
