import type { Hex } from "viem";
import type { CircuitId, PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import type { PaymentPayload } from "@/lib/proofs/wire";
import type { CircuitRow } from "../circuits/types";
import { KeyedLock } from "../keyed-lock";
import { ChainUnavailableError } from "../payment/ledger";
import { matchOffer, type Payment, type PaymentRefusal, paymentId } from "../payment/payment";
import { SettlementUnavailableError, type Settler } from "../payment/settler";
import { Refusal, refusals } from "../refusal";
import type { NonceRefusal, Nonces } from "../store/nonces";
import type { PaymentRow, Payments } from "../store/payments";
import { inputHash } from "./input-hash";
import { Job } from "./job";
import type { Jobs } from "./jobs";

export interface PaidRequest {
  circuit: CircuitId;
  inputs: Record<string, unknown>;
  payload: PaymentPayload;
  /** X-Payment-Nonce, when sent. */
  nonce?: Hex;
}

/** Either a job to wait for, or a payment whose proof is already there. */
export type Admitted = { job: Job } | { proven: PaymentRow };

export interface AdmissionDependencies {
  circuits: ReadonlyMap<CircuitId, CircuitRow>;
  offers: readonly PaymentOffer[];
  settlers: Record<PaymentOffer["settlement"], Settler | undefined>;
  payments: Payments;
  nonces: Nonces;
  jobs: Jobs;
  /** Key of the input hashes. */
  secret: Uint8Array;
}

/**
 * The order of things for a paid request:
 * known payment? -> inputs, trust, witness -> place in the queue -> nonce -> payment verified -> written down
 * -> (job) settled, proved, checked, delivered.
 * Whatever is refused before "written down" charged nothing and left nothing behind.
 */
export class Admission {
  /** One request per payment at a time: twenty copies of one become one job and nineteen that join it. */
  readonly #perPayment = new KeyedLock<Hex>();

  constructor(readonly deps: AdmissionDependencies) {}

  /** @throws Refusal */
  async admit(request: PaidRequest): Promise<Admitted> {
    const id = paymentId(request.payload);
    return await this.#perPayment.run(id, () => this.#admit(id, request));
  }

  async #admit(id: Hex, request: PaidRequest): Promise<Admitted> {
    const { payments, jobs, circuits } = this.deps;
    const startedAt = performance.now();
    const hash = inputHash(this.deps.secret, request.circuit, request.inputs);
    const known = await payments.find(id);
    const earlier = known && known.state !== "void" ? known : undefined;
    if (earlier) {
      assertSameWork(earlier, request.circuit, hash);
      const running = jobs.running(id);
      if (running) return { job: running };
      if (earlier.state === "proven") return { proven: earlier };
    }
    const circuit = circuits.get(request.circuit);
    if (!circuit)
      throw new Refusal(400, "INVALID_CIRCUIT", "this circuit is not offered here", { field: "circuit" });
    const prepared = await circuit.prepare(request.inputs).catch(async (error: unknown) => {
      throw await this.#unpreparable(earlier, error);
    });
    const witnessMs = performance.now() - startedAt;

    const slot = jobs.deps.queue.reserve();
    if (!slot) throw refusals.busy(this.#secondsUntilFree(request.circuit));
    try {
      if (!earlier && request.nonce) await this.#bindNonce(request.nonce, request.circuit, id);
      const { payment, settler } = this.#match(request.payload);
      const row = earlier ?? (await this.#accept(payment, settler, request.circuit, hash));
      const work = { row, payment, settler, prepared, startedAt, witnessMs };
      return { job: jobs.start(new Job(id, request.circuit, row.job_token), work, slot.release) };
    } catch (error) {
      slot.release();
      prepared.witness.fill(0);
      throw error;
    }
  }

  /** A paid payment whose inputs no longer make a proof (an expired token) is owed to its payer. */
  async #unpreparable(earlier: PaymentRow | undefined, error: unknown): Promise<unknown> {
    const paid = earlier?.state === "settled" || earlier?.state === "credited";
    if (!paid || !(error instanceof Refusal) || error.status !== 400) return error;
    await this.deps.payments.apply(hex32Schema.parse(earlier.id), { type: "given-up" });
    return refusals.credited();
  }

  #match(payload: PaymentPayload): { payment: Payment; settler: Settler } {
    const match = matchOffer(payload, this.deps.offers);
    if ("reason" in match) throw refusals.paymentInvalid(match.reason, refusalMessages[match.reason]);
    const settler = this.deps.settlers[match.payment.offer.settlement];
    if (!settler) throw refusals.paymentInvalid("wrong_network", refusalMessages.wrong_network);
    return { payment: match.payment, settler };
  }

  async #accept(payment: Payment, settler: Settler, circuit: CircuitId, hash: Hex): Promise<PaymentRow> {
    const checked = await settler.verify(payment).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (!checked.ok) throw refusals.paymentInvalid(checked.reason, refusalMessages[checked.reason]);
    const row = await this.deps.payments.accept({
      id: payment.id,
      network: payment.offer.network,
      chain_id: payment.chainId,
      asset: payment.asset,
      payer: payment.payer,
      pay_to: payment.payTo,
      authorization_nonce: payment.nonce,
      amount: payment.offer.amount,
      valid_before: payment.validBefore.toString(),
      settlement: payment.offer.settlement,
      circuit,
      input_hash: hash,
      from_block: Number(checked.block),
    });
    // Another process may have been first with this payment.
    assertSameWork(row, circuit, hash);
    return row;
  }

  async #bindNonce(nonce: Hex, circuit: CircuitId, id: Hex): Promise<void> {
    const refused = await this.deps.nonces.bind(nonce, circuit, id);
    if (refused === "other-circuit") {
      throw new Refusal(400, "NONCE_CIRCUIT_MISMATCH", "the nonce was given for another circuit", {
        field: "X-Payment-Nonce",
      });
    }
    if (refused) {
      throw new Refusal(400, "INVALID_NONCE", nonceMessages[refused], {
        field: "X-Payment-Nonce",
        reason: refused,
      });
    }
  }

  #secondsUntilFree(circuit: CircuitId): number {
    const { times, queue } = this.deps.jobs.deps;
    return Math.max(1, Math.ceil((times.expected(circuit) * Math.max(1, queue.load)) / 1000));
  }
}

function assertSameWork(row: PaymentRow, circuit: CircuitId, hash: Hex): void {
  if (row.circuit === circuit && row.input_hash === hash) return;
  throw new Refusal(409, "PAYMENT_ALREADY_USED", "this payment was already used with other inputs");
}

function unavailable(error: unknown): unknown {
  if (error instanceof ChainUnavailableError) {
    return refusals.unavailable(
      "chain_unavailable",
      "the payment chain does not answer; nothing was charged",
    );
  }
  if (error instanceof SettlementUnavailableError) {
    return refusals.unavailable(
      "settlement_unavailable",
      "payments cannot be settled now; nothing was charged",
    );
  }
  return error;
}

const nonceMessages: Record<Exclude<NonceRefusal, "other-circuit">, string> = {
  unknown: "the nonce was not given by this service",
  expired: "the nonce has expired; ask for the price again",
  used: "the nonce was already used for another payment",
};

const refusalMessages: Record<PaymentRefusal, string> = {
  wrong_network: "the payment is for a network that is not offered",
  wrong_asset: "the payment is in a token that is not offered",
  wrong_recipient: "the payment goes to another recipient",
  wrong_amount: "the payment is not exactly the price",
  expired: "the authorization has expired, or is about to",
  not_yet_valid: "the authorization is not valid yet",
  invalid_signature: "the authorization was not signed by its payer",
  already_used: "the authorization was already used on chain",
  insufficient_balance: "the payer does not have enough of the token",
  refused_by_facilitator: "the facilitator refused the payment",
};
