import { useEffect, useState } from "react";
import type { BrowserProvingCode } from "./browser/errors";
import { obstacle } from "./browser/support";
import type { PublicConfig } from "./config";
import { circuitIn, type Demand } from "./demand";
import { keepProverChoice, keptProverChoice, type ProverChoice, serverProver } from "./prover-choice";

export interface ProverControl {
  readonly choice: ProverChoice;
  /** Why the proof cannot be made here; undefined until the browser has looked. */
  readonly hindrance: BrowserProvingCode | null | undefined;
  /** Chooses, and keeps it on this device. */
  readonly choose: (choice: ProverChoice) => void;
}

/** Whether a choice says all that is needed: an own prover has an address. */
export function isComplete(choice: ProverChoice): boolean {
  return choice.kind !== "own" || choice.origin !== "";
}

/** Who is to make a proof: what this device chose the last time, as far as it is possible here. */
export function useProver(config: PublicConfig, demand: Demand): ProverControl {
  const [choice, setChoice] = useState<ProverChoice>(serverProver);
  const [hindrance, setHindrance] = useState<BrowserProvingCode | null>();
  const circuit = circuitIn(demand);
  useEffect(() => {
    const found = obstacle(config.browserProving, circuit);
    const kept = keptProverChoice();
    setHindrance(found);
    setChoice(kept.kind === "browser" && found ? serverProver : kept);
  }, [config, circuit]);
  return {
    choice,
    hindrance,
    choose(next) {
      if (isComplete(next)) keepProverChoice(next);
      setChoice(next);
    },
  };
}
