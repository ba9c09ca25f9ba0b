import * as en from "@/lib/i18n/en";
import { chainName, type PublicConfig } from "../config";
import type { Stage, Subject } from "./types";

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Who is shown a wallet's address while its attestation is looked up, as people read it. */
export function askedServices(config: PublicConfig, circuit: string): string {
  const attester = config.attesters.find((one) => one.circuit === circuit);
  if (!attester) return "";
  const chain = chainName(config, attester.chainId);
  return list.format(attester.asks.map(({ what, host }) => `${en.attested.services[what](chain)} (${host})`));
}

/** What happens in a stage, and what leaves this device in it. */
export function stageWords(
  stage: Stage,
  subject: Subject,
  config: PublicConfig,
): { readonly about: string; readonly leaves: string } {
  if (subject.kind === "wallet") {
    const { about, leaves } = en.attested;
    return {
      about: about[stage],
      leaves: stage === "identity" ? leaves.identity(askedServices(config, subject.circuit)) : leaves[stage],
    };
  }
  // A provider's run has no such stage.
  if (stage === "sign") return { about: "", leaves: "" };
  return { about: en.run.about[stage], leaves: en.run.leaves[stage] };
}
