import { proveHere } from "../browser/driver";
import { BrowserProvingError } from "../browser/errors";
import { domainInputs, type InputsHere, walletInputs } from "../browser/inputs";
import { obstacle } from "../browser/support";
import type { EngineParts } from "./parts";
import { herePatch, keepResult } from "./progress";
import { readyToProve } from "./ready";
import { atStage } from "./storage";
import { circuitOf, hasInputs, type Run } from "./types";
import { isWalletRun, provingInputs } from "./wallet-stages";

/**
 * Makes a run's proof in this browser. Nothing of it leaves the device before the proof is there.
 * @returns false when the run waits for a person now, or ended
 * @throws BrowserProvingError, ProofInputError, TrustUnavailableError, or the signal's reason
 */
export async function makeHere(parts: EngineParts): Promise<boolean> {
  const { config, read, patch, signal } = parts;
  const before = hasInputs(read());
  const ready = await readyToProve(parts);
  // A wallet that has just signed needs no further button: nothing is paid.
  if (!ready && (before || !hasInputs(read()) || read().problem)) return false;
  const circuit = circuitOf(read());
  const offer = config.browserProving;
  const hindrance = obstacle(offer, circuit);
  const sheet = offer.offered ? offer.circuits[circuit] : undefined;
  if (hindrance || !offer.offered || !sheet) throw new BrowserProvingError(hindrance ?? "not_offered");
  patch(atStage(read(), "prepare", Date.now()));
  const { inputs, publicInputs } = await inputsOf(read(), parts);
  const made = await proveHere({
    ...{ circuit, sheet, inputs, signal },
    pointSources: offer.pointSources.map((source) => new URL(source, window.location.origin).href),
    onProgress: (progress) => patch(herePatch(read(), progress, Date.now())),
  });
  const same =
    made.publicInputs.length === publicInputs.length &&
    made.publicInputs.every((word, i) => word === publicInputs[i]?.toLowerCase());
  if (!same) throw new BrowserProvingError("result_mismatch");
  keepResult(parts, { circuit, ...made });
  return true;
}

async function inputsOf(run: Run, { config, signal }: EngineParts): Promise<InputsHere> {
  if (isWalletRun(run)) {
    const { inputs } = await provingInputs(run, config);
    return await walletInputs(run.subject.circuit, inputs, config);
  }
  const { subject } = run;
  const issuer =
    subject.kind === "domain" &&
    config.issuers.find((one) => one.label === subject.issuer && one.provider === subject.provider);
  if (subject.kind !== "domain" || !subject.token || !issuer)
    throw new Error("the run has no identity token");
  const { token, provider } = subject;
  return await domainInputs({ token, provider, issuer: issuer.issuer }, config.scope, signal);
}
