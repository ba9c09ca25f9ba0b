import { ApiError } from "@/components/api";
import { PayerNotSeparateError, payerFor } from "@/components/wallet/signer";
import * as en from "@/lib/i18n/en";
import {
  type BuyProofRequest,
  buyProof,
  forgetPayment,
  localStorageStore,
  type PayingWallet,
  type ProofProgress,
  payingWallet,
} from "@/lib/proofs/client";
import { decodeOidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { isStale } from "./challenge";
import { problemOf } from "./problems";
import { atStage, backAt } from "./storage";
import { tokenProblem } from "./token-check";
import { type Run, type RunPatch, withoutSecrets } from "./types";
import { identify, isWalletRun, keepFresh, provingInputs, sign } from "./wallet-stages";

export interface EngineParts {
  readonly config: PublicConfig;
  /** The run as it stands now. */
  readonly read: () => Run;
  /** Changes the run; kept for a reload before it is shown. */
  readonly patch: (patch: RunPatch) => void;
  readonly signal: AbortSignal;
}

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
  const { config, read, patch, signal } = parts;
  const store = localStorageStore();
  patch({ problem: null });
  try {
    if (!read().proof) {
      const paid = await hasPaid(read());
      if (!paid && !(await readyToPay(parts))) return;
      await buy(parts, paid);
    }
    const { proof } = read();
    if (!proof) return;
    patch(atStage(read(), "checking", Date.now()));
    const sealed = await acceptProof(read(), proof, { config, patch });
    // Until here a reload would hand the same proof in again; from here on nothing is left to repeat.
    await forgetPayment(store, read().id);
    const { subject, purpose } = read();
    patch({
      sealed,
      subject: withoutSecrets(subject),
      // A proof for a contract is still to be handed in, by a transaction from here.
      proof: purpose.kind === "petition" ? proof : null,
      ...atStage(read(), "sealed", Date.now()),
    });
  } catch (error) {
    if (signal.aborted) return;
    const problem = problemOf(error, await hasPaid(read()).catch(() => false));
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

/** Does what comes before the payment. False when the run waits for a person now, or ended. */
async function readyToPay(parts: EngineParts): Promise<boolean> {
  const { config, read, patch } = parts;
  const run = read();
  if (isWalletRun(run)) {
    if (!run.subject.attestation) await identify(parts, run);
    else if (!run.subject.signature) await sign(parts);
    else return keepFresh(parts, run);
    return false;
  }
  const problem = isStale(run.challenge)
    ? { message: en.run.stale, final: true }
    : tokenProblem(run, config.scope);
  if (problem) patch({ problem, subject: withoutSecrets(run.subject) });
  return problem === null;
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

async function buy({ config, read, patch, signal }: EngineParts, paid: boolean): Promise<void> {
  const run = read();
  const offer = config.offers.find((o) => o.network === run.network);
  if (!offer) throw new Error("no offer for the chosen network");
  const request = await wanted(run, config);
  patch(atStage(read(), "payment", Date.now()));
  const holder = run.subject.kind === "wallet" ? run.subject.holder : null;
  const wallet = paid ? signedAlready : await payerFor({ ...run, holder }, offer, config);
  const result = await buyProof({
    ...request,
    proverUrl: config.proverUrl,
    wallet,
    store: localStorageStore(),
    jobKey: run.id,
    // The amount that was shown is the most that may be signed.
    maxAmount: BigInt(offer.amount),
    expectedOffers: config.offers,
    accept: (offers) => offers.find((o) => o.network === run.network),
    onProgress: (event) => patch(progressPatch(read(), event, Date.now())),
    signal,
  });
  const { circuit, proof, publicInputs } = result;
  const subject = withoutSecrets(read().subject);
  patch({
    proof: { circuit, proof, publicInputs },
    subject:
      subject.kind === "domain"
        ? { ...subject, domain: decodeOidcPublicInputs(publicInputs).domain }
        : subject,
  });
}

/** What an event of the paying client changes in the run. */
export function progressPatch(run: Run, event: ProofProgress, now: number): RunPatch {
  switch (event.stage) {
    case "payment":
      return {
        ...atStage(run, "payment", now),
        payment: { network: event.network, amount: event.amount, payer: event.payer },
      };
    case "settled":
      return {
        payment: {
          network: event.network,
          amount: event.amount,
          payer: event.payer,
          transaction: event.transaction,
        },
        ...atStage(run, "witness", now),
      };
    case "queued":
      return { position: event.position };
    case "witness":
      // The prover runs the witness before it settles; the payment stage ends when the money has moved.
      return run.payment?.transaction
        ? { position: null, ...atStage(run, "witness", now) }
        : { position: null };
    case "proving":
      return { position: null, expectedMs: event.expectedMs, ...atStage(run, "proving", now) };
    case "checking":
    case "done":
      return { position: null, ...atStage(run, "checking", now) };
    case "price":
    case "settling":
    case "retrying":
      return {};
  }
}
