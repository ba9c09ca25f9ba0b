import { ApiError } from "@/components/api";
import { signerFor } from "@/components/wallet/signer";
import * as en from "@/lib/i18n/en";
import {
  buyProof,
  forgetPayment,
  localStorageStore,
  type PayingWallet,
  type ProofProgress,
} from "@/lib/proofs/client";
import { decodeOidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { problemOf } from "./problems";
import { atStage } from "./storage";
import { tokenProblem } from "./token-check";
import type { Run, RunPatch } from "./types";

const CIRCUIT = "oidc_domain_attestation" as const;
/** A payment is not started when less than this is left of the challenge: the proof would come too late. */
const NEEDED_MS = 45_000;

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
const signedAlready: PayingWallet = {
  address: "0x0000000000000000000000000000000000000000",
  signTypedData: () => Promise.reject(new Error("this run has paid already")),
};

/** Drives a run from its token to its seal, wherever it stands. What fails is written into the run. */
export async function drive({ config, read, patch, signal }: EngineParts): Promise<void> {
  const store = localStorageStore();
  patch({ problem: null });
  try {
    if (!read().proof) {
      const paid = await hasPaid(read());
      if (!paid && read().expiresAt - Date.now() < NEEDED_MS) {
        patch({ problem: { message: en.run.stale, final: true }, token: null });
        return;
      }
      const problem = paid ? null : tokenProblem(read(), config.scope);
      if (problem) {
        patch({ problem, token: null });
        return;
      }
      await buy({ config, read, patch, signal }, paid);
    }
    const { proof } = read();
    if (!proof) return;
    patch(atStage(read(), "checking", Date.now()));
    const sealed = await acceptProof(read(), proof);
    // Until here a reload would hand the same proof in again; from here on nothing is left to repeat.
    await forgetPayment(store, read().id);
    patch({ sealed, proof: null, token: null, ...atStage(read(), "sealed", Date.now()) });
  } catch (error) {
    if (signal.aborted) return;
    const problem = problemOf(error, await hasPaid(read()).catch(() => false));
    // A refused proof can serve nothing else: the payment is spent, and keeping the token helps nobody.
    if (problem.final && error instanceof ApiError) await forgetPayment(store, read().id);
    patch({ problem, ...(problem.final ? { token: null } : {}) });
  }
}

async function buy({ config, read, patch, signal }: EngineParts, paid: boolean): Promise<void> {
  const run = read();
  if (!run.token) throw new Error("the run has no identity token");
  const offer = config.offers.find((o) => o.network === run.network);
  if (!offer) throw new Error("no offer for the chosen network");
  patch(atStage(read(), "payment", Date.now()));
  const wallet = paid ? signedAlready : await signerFor(run.walletId, offer, config);
  const result = await buyProof({
    proverUrl: config.proverUrl,
    circuit: CIRCUIT,
    inputs: { jwt: run.token, scope: config.scope, provider: run.provider },
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
  patch({
    proof: { circuit: result.circuit, proof: result.proof, publicInputs: result.publicInputs },
    domain: decodeOidcPublicInputs(result.publicInputs).domain,
    token: null,
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
          amount: run.payment?.amount ?? "0",
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
