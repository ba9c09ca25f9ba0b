import { ApiError } from "@/components/api";
import { PayerNotSeparateError, payerFor } from "@/components/wallet/signer";
import {
  BuyProofError,
  type BuyProofRequest,
  buyProof,
  forgetPayment,
  localStorageStore,
  type PayingWallet,
  type ProofProgress,
  ProverError,
  payingWallet,
  resumeProof,
} from "@/lib/proofs/client";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { proverConfig } from "./own-prover";
import type { EngineParts } from "./parts";
import { problemOf } from "./problems";
import { keepResult, progressPatch } from "./progress";
import { readyToProve } from "./ready";
import { atStage, backAt } from "./storage";
import { tokenProblem } from "./token-check";
import { circuitOf, hasInputs, type Run, withoutSecrets } from "./types";
import { identify, isWalletRun, provingInputs, sign } from "./wallet-stages";

/** Whether a signed payment of this run lies on this device, so that going on needs no wallet. */
export async function hasPaid(run: Run): Promise<boolean> {
  return (await localStorageStore().get(run.id)) !== null;
}

/** A wallet for a payment that is signed already: it is never asked. */
const signedAlready: PayingWallet = payingWallet({
  address: "0x0000000000000000000000000000000000000000",
  signTypedData: () => Promise.reject(new Error("this run has paid already")),
});

/**
 * Drives a run on from wherever it stands: to the next button a person has to press, or to its seal. What fails is
 * written into the run.
 */
export async function drive(parts: EngineParts): Promise<void> {
  const { config, read, patch, signal, words } = parts;
  const store = localStorageStore();
  patch({ problem: null });
  try {
    if (!read().proof && !(await obtain(parts))) return;
    const { proof } = read();
    if (!proof) return;
    patch(atStage(read(), "checking", Date.now()));
    const sealed = await acceptProof(read(), proof, { config, patch });
    const { subject, purpose } = read();
    // Until here a reload would hand the same proof in again; from here on nothing is left to repeat. A petition's
    // proof has still to reach its contract, and is found again by its payment.
    if (purpose.kind !== "petition") await forgetPayment(store, read().id);
    patch({
      sealed,
      subject: withoutSecrets(subject),
      // A proof for a contract is still to be handed in, by a transaction from here.
      proof: purpose.kind === "petition" ? proof : null,
      ...atStage(read(), "sealed", Date.now()),
    });
  } catch (error) {
    if (signal.aborted) return;
    if (hasRunOut(error)) return await withdraw(parts);
    const problem = problemOf(words, error, await hasPaid(read()).catch(() => false));
    // A refused proof can serve nothing else: the payment is spent, and keeping secrets helps nobody.
    if (problem.final && error instanceof ApiError) await forgetPayment(store, read().id);
    patch({
      problem,
      ...(problem.final ? { subject: withoutSecrets(read().subject) } : {}),
      // Another wallet has to be chosen, which is done at the price.
      ...(error instanceof PayerNotSeparateError ? backAt(read(), "price", Date.now()) : {}),
    });
  }
}

/** Gives a run up, its payment included. */
export async function giveUp(run: Run): Promise<void> {
  await forgetPayment(localStorageStore(), run.id);
}

/** Gets the proof, from wherever the run stands. False when it waits for a person now, or ended. */
async function obtain(parts: EngineParts): Promise<boolean> {
  const { read, patch, words } = parts;
  if (read().prover.kind === "browser") {
    const { makeHere } = await import("./make-here");
    return await makeHere(parts);
  }
  const paid = await hasPaid(read());
  if (!paid) {
    if (read().payment) {
      patch({ problem: { message: words.t("run.elsewhere"), final: true } });
      return false;
    }
    if (!(await readyToProve(parts))) return false;
  } else if (!hasInputs(read())) {
    if (await resume(parts)) return true;
    if (!(await askForInputs(parts))) return false;
  } else if (read().inputsNeeded && !canSendAgain(parts)) return false;
  await buy(parts, paid);
  return true;
}

/** Follows the paid job of a tab that was closed. False when the prover needs its inputs once more. */
async function resume(parts: EngineParts): Promise<boolean> {
  const run = parts.read();
  try {
    keepResult(parts, await resumeProof({ ...order(parts), circuit: circuitOf(run) }));
    return true;
  } catch (error) {
    const lost =
      (error instanceof BuyProofError && error.code === "INPUTS_NEEDED") ||
      (error instanceof ProverError && error.code === "PROVE_FAILED");
    if (lost) return false;
    throw error;
  }
}

/**
 * A paid run without its inputs goes back to whom they come from; a wallet is asked here, a provider elsewhere.
 * @returns whether they are all here now
 */
async function askForInputs(parts: EngineParts): Promise<boolean> {
  const { read, patch } = parts;
  const run = read();
  if (!run.inputsNeeded) {
    patch({ inputsNeeded: true, ...backAt(run, "identity", Date.now()) });
  } else if (isWalletRun(run)) {
    if (!run.subject.attestation) await identify(parts, run);
    else await sign(parts);
  }
  return hasInputs(read());
}

/** Before the new token of a paid run is sent: it must be one that a proof can be made of. */
function canSendAgain({ config, read, patch, words }: EngineParts): boolean {
  const run = read();
  const problem = tokenProblem(words, run, config.scope);
  if (!problem) return true;
  patch({
    problem: { message: problem.message, final: false },
    subject: withoutSecrets(run.subject),
    ...backAt(run, "identity", Date.now()),
  });
  return false;
}

/** The payment was refused for good, unused: its time is over. */
function hasRunOut(error: unknown): boolean {
  return error instanceof ProverError && error.code === "PAYMENT_INVALID" && error.reason === "expired";
}

/** Nothing was charged and nothing will be: back to the price, for a payment of today. */
async function withdraw({ read, patch, words }: EngineParts): Promise<void> {
  const run = read();
  await forgetPayment(localStorageStore(), run.id);
  const problem = { message: words.t("run.expired"), final: !hasInputs(run) };
  patch({ payment: null, inputsNeeded: false, problem, ...backAt(run, "price", Date.now()) });
}

/** What the prover is asked for, by the kind of proof. */
async function wanted(
  run: Run,
  config: PublicConfig,
): Promise<Pick<BuyProofRequest, "circuit" | "inputs" | "expectedPublicInputs">> {
  if (isWalletRun(run)) return { circuit: run.subject.circuit, ...(await provingInputs(run, config)) };
  const { subject } = run;
  if (subject.kind !== "domain" || !subject.token) throw new Error("the run has no identity token");
  return {
    circuit: "oidc_domain_attestation",
    inputs: { jwt: subject.token, scope: config.scope, provider: subject.provider },
  };
}

/** What every call of the paying client has in common. */
function order({ config, read, patch, signal }: EngineParts) {
  return {
    proverUrl: proverConfig(config, read()).proverUrl,
    store: localStorageStore(),
    jobKey: read().id,
    onProgress: (event: ProofProgress) => patch(progressPatch(read(), event, Date.now())),
    signal,
  };
}

async function buy(parts: EngineParts, paid: boolean): Promise<void> {
  const { read, patch } = parts;
  const run = read();
  const config = proverConfig(parts.config, run);
  const offer = config.offers.find((o) => o.network === run.network);
  if (!offer) throw new Error("no offer for the chosen network");
  const request = await wanted(run, config);
  patch(atStage(read(), "payment", Date.now()));
  const holder = run.subject.kind === "wallet" ? run.subject.holder : null;
  const wallet = paid ? signedAlready : await payerFor({ ...run, holder }, offer, config);
  const result = await buyProof({
    ...request,
    ...order(parts),
    wallet,
    // The amount that was shown is the most that may be signed.
    maxAmount: BigInt(offer.amount),
    expectedOffers: config.offers,
    accept: (offers) => offers.find((o) => o.network === run.network),
    forNewInputs: run.inputsNeeded,
  });
  keepResult(parts, result);
}
