"use client";

import { useCallback, useEffect, useState } from "react";
import { useWords } from "#words";
import { Field, Input } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { duration, megabytes } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { pointsPart } from "@/lib/proofs/ceremony";
import type { BrowserProvingCode } from "./browser/errors";
import { availableThreads, expectedHere, obstacle, PROGRAM_BYTES } from "./browser/support";
import type { PublicConfig } from "./config";
import { circuitIn, type Demand } from "./demand";
import {
  keepProverChoice,
  keptProverChoice,
  type ProverChoice,
  proverOrigin,
  serverProver,
} from "./prover-choice";

export interface ProverControl {
  readonly choice: ProverChoice;
  /** Why this browser cannot make the proof; undefined before hydration. */
  readonly hindrance: BrowserProvingCode | null | undefined;
  /** Chooses a prover and stores the choice on this device. */
  readonly choose: (choice: ProverChoice) => void;
}

/** Whether a choice is complete: the user's own prover needs an address. */
export function isComplete(choice: ProverChoice): boolean {
  return choice.kind !== "own" || choice.origin !== "";
}

/** Returns the choice of prover, at first the one stored on this device if it is possible here. */
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
  const choose = useCallback((next: ProverChoice) => {
    if (isComplete(next)) keepProverChoice(next);
    setChoice(next);
  }, []);
  return { choice, hindrance, choose };
}

export interface ProverPickerProps {
  readonly config: PublicConfig;
  readonly demand: Demand;
  readonly control: ProverControl;
}

/** Describes the time and download of a proof in this browser, or why it is impossible. */
function aboutBrowser(words: Words, { config, demand, control }: ProverPickerProps): string {
  const { hindrance } = control;
  if (hindrance) return words.t(`prover.unavailable.${shownReason(hindrance)}`);
  const { browserProving } = config;
  const sheet = browserProving.offered ? browserProving.circuits[circuitIn(demand)] : undefined;
  if (!sheet) return words.t("prover.unavailable.not_offered");
  return words.t("prover.browserAbout", {
    // The first render must be the same as on the server, which does not know the threads.
    time: duration(words, expectedHere(sheet.points, hindrance === undefined ? 1 : availableThreads()).total),
    size: megabytes(words, PROGRAM_BYTES + pointsPart(sheet.points).bytes),
  });
}

/** Obstacles with their own text. */
const reasons = ["development_srs", "not_offered", "insecure", "no_wasm", "no_worker", "memory"] as const;

function shownReason(code: BrowserProvingCode): (typeof reasons)[number] {
  return reasons.find((reason) => reason === code) ?? "not_offered";
}

/** Lets the user choose the prover, and says what each one sees and costs. */
export function ProverPicker(props: ProverPickerProps) {
  const { choice, hindrance, choose } = props.control;
  const words = useWords();
  const [address, setAddress] = useState<string | null>(null);
  const { kind } = choice;
  const text = address ?? (choice.kind === "own" ? choice.origin : "");
  const isWrong = kind === "own" && text !== "" && proverOrigin(text) === null;
  const own = (typed: string): ProverChoice => ({ kind: "own", origin: proverOrigin(typed) ?? "" });
  return (
    <div className="grid gap-3">
      <RadioCards
        legend={words.t("prover.legend")}
        name="prover"
        value={kind}
        onChange={(next) => choose(next === "own" ? own(text) : { kind: next })}
        options={[
          {
            value: "browser",
            title: words.t("prover.browser"),
            description: aboutBrowser(words, props),
            disabled: hindrance !== null,
          },
          { value: "server", title: words.t("prover.server"), description: words.t("prover.serverAbout") },
          { value: "own", title: words.t("prover.own"), description: words.t("prover.ownAbout") },
        ]}
      />
      {kind === "own" ? (
        <Field
          label={words.t("prover.address")}
          hint={words.t("prover.addressHint")}
          error={isWrong ? words.t("prover.addressWrong") : null}
        >
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="url"
              placeholder="https://prover.example"
              value={text}
              onChange={(event) => {
                setAddress(event.target.value);
                choose(own(event.target.value));
              }}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
