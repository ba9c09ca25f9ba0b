"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Field, Input } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { duration, megabytes } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { pointsPart } from "@/lib/proofs/ceremony";
import type { BrowserProvingCode } from "./browser/errors";
import { availableThreads, expectedHere, PROGRAM_BYTES } from "./browser/expected";
import { obstacle } from "./browser/support";
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

export interface ProverPickerProps {
  readonly config: PublicConfig;
  readonly demand: Demand;
  readonly control: ProverControl;
}

/** What a proof in this browser takes, or why there can be none. */
function aboutBrowser(words: Words, { config, demand, control }: ProverPickerProps): string {
  const { hindrance } = control;
  if (hindrance) return words.t(`prover.unavailable.${shownReason(hindrance)}`);
  const { browserProving } = config;
  const sheet = browserProving.offered ? browserProving.circuits[circuitIn(demand)] : undefined;
  if (!sheet) return words.t("prover.unavailable.not_offered");
  return words.t("prover.browserAbout", {
    // On the server nobody knows; what is rendered first must be the same there and here.
    time: duration(words, expectedHere(sheet.points, hindrance === undefined ? 1 : availableThreads()).total),
    size: megabytes(words, PROGRAM_BYTES + pointsPart(sheet.points).bytes),
  });
}

type Reason = "development_srs" | "not_offered" | "insecure" | "no_wasm" | "no_worker" | "memory";
const reasons: readonly Reason[] = [
  "development_srs",
  "not_offered",
  "insecure",
  "no_wasm",
  "no_worker",
  "memory",
];

function shownReason(code: BrowserProvingCode): Reason {
  return reasons.find((reason) => reason === code) ?? "not_offered";
}

/** Who makes the proof, and what each of them sees and costs. */
export function ProverPicker(props: ProverPickerProps) {
  const { choice, hindrance, choose } = props.control;
  const words = useWords();
  const [address, setAddress] = useState<string | null>(null);
  const { kind } = choice;
  const text = address ?? (choice.kind === "own" ? choice.origin : "");
  const wrong = kind === "own" && text !== "" && proverOrigin(text) === null;
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
          error={wrong ? words.t("prover.addressWrong") : null}
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
