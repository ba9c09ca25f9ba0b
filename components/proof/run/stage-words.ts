import * as en from "@/lib/i18n/en";
import type { PublicConfig } from "../config";
import type { Stage, Subject } from "./types";

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Hosts that a wallet's address is shown to while its attestation is looked up, as people read them. */
export function askedHosts(config: PublicConfig, circuit: string): string {
  return list.format(config.attesters.find((attester) => attester.circuit === circuit)?.asks ?? []);
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
      leaves: stage === "identity" ? leaves.identity(askedHosts(config, subject.circuit)) : leaves[stage],
    };
  }
  // A provider's run has no such stage.
  if (stage === "sign") return { about: "", leaves: "" };
  return { about: en.run.about[stage], leaves: en.run.leaves[stage] };
}
