import { ApiError } from "@/components/api";
import { PayerNotSeparateError, payerFor } from "@/components/wallet/signer";
import { newTraceparent } from "@/lib/client/traceparent";
import {
  BuyProofError,
  type BuyProofRequest,
  buyProof,
  forgetPayment,
  localStorageStore,
  type PayingWallet,
  type PaymentRecord,
  type ProofProgress,
  ProverError,
  payingWallet,
  resumeProof,
} from "@/lib/proofs/client";
import { decodeOidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import { BrowserProvingError } from "../browser/errors";
import type { InputsHere } from "../browser/inputs";
import { obstacle } from "../browser/support";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { isStale, issuerOf, neededMs } from "./challenge";
import { type DriverParts, identify, keepFresh, provingInputs, sign, tokenProblem } from "./inputs";
import { goesOnAlone, needsPress, nextStep, type Step } from "./machine";
import { proverConfig } from "./own-prover";
import { problemOf } from "./problems";
import { circuitOf, isWalletRun, type Run, type RunProof } from "./types";

/** Returns the signed payment of a run from this device; with it, the run continues without a wallet. */
export async function paymentOf({ id }: Run): Promise<PaymentRecord | null> {
  return await localStorageStore().get(id);
}

/** Whether a run continues by itself when a page loads it. Fails an unpaid run whose token cannot be proven. */
export async function canResume({ read, dispatch, config, words }: DriverParts): Promise<boolean> {
  const run = read();
  const isPaid = (await paymentOf(run)) !== null;
  const problem = isPaid ? null : tokenProblem(words, run, config.scope);
  if (problem) dispatch({ type: "failed", problem });
  return goesOnAlone(run, isPaid);
}

/** Deletes the stored payment of a run that ended or is given up. */
export async function giveUp({ id }: Run): Promise<void> {
  await forgetPayment(localStorageStore(), id);
}

const steps: Readonly<Record<Step, (parts: DriverParts, isPaid: boolean) => Promise<void>>> = {
  identify,
  sign,
  resume,
  buy,
  "prove-here": proveHere,
  "hand-in": handIn,
};

/** Performs a run's steps up to the next one that needs a click, or to its end, as one trace. A failure becomes the run's problem. */
export async function drive(given: DriverParts): Promise<void> {
  const parts = { ...given, traceparent: newTraceparent() };
  const { read, dispatch, signal, words } = parts;
  dispatch({ type: "retried" });
  try {
    const isPaid = await findPayment(parts);
    // One click allows one step.
    let isPressed = true;
    for (let step = nextStep(read(), isPaid); step; step = nextStep(read(), isPaid)) {
      if (needsPress(step, isPaid) && !isPressed) return;
      isPressed = false;
      const before = read();
      await steps[step](parts, isPaid);
      if (read() === before) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    const run = read();
    if (isExpiredPayment(error)) {
      await giveUp(run);
      return dispatch({ type: "payment-expired", message: words.t("run.expired") });
    }
    const isPaid = (await paymentOf(run).catch(() => null)) !== null;
    const problem = problemOf(words, error, isPaid);
    // A refused proof has no other use, so its payment is lost.
    if (problem.final && error instanceof ApiError) await giveUp(run);
    if (error instanceof PayerNotSeparateError) dispatch({ type: "payer-refused", message: problem.message });
    else dispatch({ type: "failed", problem });
  }
}

/** Reconciles the run with the stored payment. @returns whether there is one */
async function findPayment({ read, dispatch, words }: DriverParts): Promise<boolean> {
  const run = read();
  if (run.prover.kind === "browser" || run.proof) return false;
  const record = await paymentOf(run);
  if (record && !run.payment) {
    const { network, amount, payer } = record;
    dispatch({ type: "bought", progress: { stage: "payment", network, amount, payer, reused: true } });
  }
  if (!record && run.payment)
    dispatch({ type: "failed", problem: { message: words.t("run.elsewhere"), final: true } });
  return record !== null;
}

/** Whether the prover refused the payment because it expired unused. */
function isExpiredPayment(error: unknown): boolean {
  return error instanceof ProverError && error.code === "PAYMENT_INVALID" && error.reason === "expired";
}

/** Continues a paid job, for example after its tab was closed. */
async function resume(parts: DriverParts): Promise<void> {
  const run = parts.read();
  try {
    proofMade(parts, await resumeProof({ ...order(parts), circuit: circuitOf(run) }));
  } catch (error) {
    const isLost =
      (error instanceof BuyProofError && error.code === "INPUTS_NEEDED") ||
      (error instanceof ProverError && error.code === "PROVE_FAILED");
    if (!isLost) throw error;
    parts.dispatch({ type: "inputs-lost" });
  }
}

/** Whether a proof of the run's inputs would still be accepted; if not, dispatches why. */
async function isProvable(parts: DriverParts, isPaid: boolean): Promise<boolean> {
  const { config, read, dispatch, words } = parts;
  const run = read();
  if (isPaid && !run.inputsNeeded) return true;
  if (!isPaid && isWalletRun(run)) return keepFresh(parts, run);
  const problem =
    !isPaid && isStale(run.challenge, neededMs(run))
      ? { message: words.t("run.stale"), final: true }
      : tokenProblem(words, run, config.scope);
  if (!problem) return true;
  if (isPaid) dispatch({ type: "inputs-refused", message: problem.message });
  else dispatch({ type: "failed", problem });
  return false;
}

/** Stands in for the wallet when the payment is already signed. */
const signedAlready: PayingWallet = payingWallet({
  address: "0x0000000000000000000000000000000000000000",
  signTypedData: () => Promise.reject(new Error("this run is already paid")),
});

async function buy(parts: DriverParts, isPaid: boolean): Promise<void> {
  const { read, dispatch } = parts;
  if (!(await isProvable(parts, isPaid))) return;
  const run = read();
  const config = proverConfig(parts.config, run);
  const offer = config.offers.find((o) => o.network === run.network);
  if (!offer) throw new Error("no offer for the chosen network");
  const request = await orderedProof(run, config);
  dispatch({ type: "paying" });
  const holder = run.subject.kind === "wallet" ? run.subject.holder : null;
  const wallet = isPaid ? signedAlready : await payerFor({ ...run, holder }, offer, config);
  const result = await buyProof({
    ...request,
    ...order(parts),
    wallet,
    // The wallet must not sign more than the amount shown.
    maxAmount: BigInt(offer.amount),
    expectedOffers: config.offers,
    accept: (offers) => offers.find((o) => o.network === run.network),
    forNewInputs: run.inputsNeeded,
  });
  proofMade(parts, result);
}

/** Returns the options that every call of the paying client needs. */
function order({ config, read, dispatch, signal, traceparent }: DriverParts) {
  return {
    // A prover of their own is none of our traces' business.
    traceparent: read().prover.kind === "own" ? undefined : traceparent,
    proverUrl: proverConfig(config, read()).proverUrl,
    store: localStorageStore(),
    jobKey: read().id,
    onProgress: (progress: ProofProgress) => dispatch({ type: "bought", progress }),
    signal,
  };
}

/** Returns the circuit and the inputs for the prover. */
async function orderedProof(
  run: Run,
  config: PublicConfig,
): Promise<Pick<BuyProofRequest, "circuit" | "inputs" | "expectedPublicInputs">> {
  if (isWalletRun(run)) return { circuit: run.subject.circuit, ...(await provingInputs(run, config)) };
  const { token, provider } = identityOf(run);
  return { circuit: "oidc_domain_attestation", inputs: { jwt: token, scope: config.scope, provider } };
}

function identityOf({ subject }: Run) {
  if (subject.kind !== "domain" || !subject.token) throw new Error("the run has no identity token");
  return { token: subject.token, provider: subject.provider };
}

/** Makes a run's proof in this browser. Nothing about it leaves the device before the proof exists. */
async function proveHere(parts: DriverParts): Promise<void> {
  const { config, read, dispatch, signal } = parts;
  if (!(await isProvable(parts, false))) return;
  const circuit = circuitOf(read());
  const offer = config.browserProving;
  const hindrance = obstacle(offer, circuit);
  const sheet = offer.offered ? offer.circuits[circuit] : undefined;
  if (hindrance || !offer.offered || !sheet) throw new BrowserProvingError(hindrance ?? "not_offered");
  dispatch({ type: "preparing" });
  const { inputs, publicInputs } = await inputsHere(read(), parts);
  const { proveHere: prove } = await import("../browser/driver");
  const made = await prove({
    ...{ circuit, sheet, inputs, signal },
    pointSources: offer.pointSources.map((source) => new URL(source, window.location.origin).href),
    onProgress: (progress) => dispatch({ type: "worked", progress }),
  });
  const isSame =
    made.publicInputs.length === publicInputs.length &&
    made.publicInputs.every((word, i) => word === publicInputs[i]?.toLowerCase());
  if (!isSame) throw new BrowserProvingError("result_mismatch");
  proofMade(parts, { circuit, ...made });
}

async function inputsHere(run: Run, { config, signal }: DriverParts): Promise<InputsHere> {
  const { domainInputs, walletInputs } = await import("../browser/inputs");
  if (isWalletRun(run)) {
    const { inputs } = await provingInputs(run, config);
    return await walletInputs(run.subject.circuit, inputs, config);
  }
  const issuer = issuerOf(run, config);
  if (!issuer) throw new Error("the run's provider is not configured");
  return await domainInputs({ ...identityOf(run), issuer: issuer.issuer }, config.scope, signal);
}

function proofMade({ read, dispatch }: DriverParts, { circuit, proof, publicInputs }: RunProof): void {
  const isDomain = read().subject.kind === "domain";
  const domain = isDomain ? decodeOidcPublicInputs([...publicInputs]).domain : null;
  dispatch({ type: "proof-made", proof: { circuit, proof, publicInputs }, domain });
}

/** Submits the proof to our server, to the other device or, for a petition, checks it for the contract. */
async function handIn({ config, read, dispatch, traceparent }: DriverParts): Promise<void> {
  const run = read();
  if (!run.proof) throw new Error("the run has no proof");
  const sealed = await acceptProof(run, run.proof, { config, dispatch, traceparent });
  // Until now a reload would submit the same proof again. A petition's proof still has to reach its contract, so its stored
  // payment stays to find the proof again.
  if (run.purpose.kind !== "petition") await giveUp(run);
  dispatch({ type: "accepted", sealed });
}
