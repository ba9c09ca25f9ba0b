import type { Address, Hex } from "viem";
import type { CircuitId, PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import type { CircuitRow } from "../circuits/types";
import type { Attempt } from "../http/limits";
import { KeyedLock } from "../keyed-lock";
import type { Observer } from "../observer";
import { keySigned } from "../payment/checks";
import { matchOffer, type PaymentRequest, paymentId } from "../payment/payment";
import type { Settlers } from "../payment/settler";
import { Refusal, refusals } from "../refusal";
import type { Instances } from "../store/instances";
import type { Nonces } from "../store/nonces";
import type { Found, PaymentRow, PaymentStore } from "../store/payments";
import { inputHash } from "./input-hash";
import { Job } from "./job";
import type { Jobs } from "./jobs";
import { type Method, methodOf, unavailable } from "./method";
import type { Places } from "./places";
import { nonceRefusal, paymentRefusal } from "./refusals";
import type { Checkpoint } from "./run";

export interface PaidRequest {
  circuit: CircuitId;
  /** In clear. */
  inputs: Record<string, unknown>;
  payment: PaymentRequest;
  /** X-Payment-Nonce, when sent; always with a payment by transaction. */
  nonce?: Hex;
  /** Counts the request before its witness is solved; `payer` where a signature shows who pays. @throws Refusal 429 */
  attempt(payer?: Address): Promise<Attempt>;
}

/** Either a job to wait for, or a payment whose proof is already there. */
export type Admitted = { job: Job } | { proven: PaymentRow };

export interface AdmissionDependencies {
  circuits: ReadonlyMap<CircuitId, CircuitRow>;
  offers: readonly PaymentOffer[];
  settlers: Settlers;
  payments: PaymentStore;
  nonces: Pick<Nonces, "check" | "bind" | "hold">;
  instances: Pick<Instances, "me">;
  jobs: Pick<Jobs, "running" | "start" | "follow">;
  places: Places;
  /** Seconds until a place may be free. */
  secondsUntilFree(circuit: CircuitId): number;
  /** Key of the input hashes. */
  secret: Uint8Array;
  observer: Observer;
  checkpoint: Checkpoint;
}

/**
 * The order of things for a paid request:
 * known payment? -> offer, inputs, trust, witness -> place in the queue -> payment verified -> nonce -> written down
 * -> (job) settled, proved, checked, delivered.
 * Whatever is refused before "written down" charged nothing and left nothing behind.
 */
export class Admission {
  /** One request per payment at a time: twenty copies of one become one job and nineteen that join it. */
  readonly #perPayment = new KeyedLock<Hex>();

  constructor(readonly deps: AdmissionDependencies) {}

  /**
   * @param stay the proof is made by this process, whatever others have to do
   * @throws Refusal
   */
  async admit(request: PaidRequest, stay = false): Promise<Admitted> {
    const id = paymentId(request.payment);
    return await this.#perPayment.run(id, () => this.#admit(id, request, stay));
  }

  async #admit(id: Hex, request: PaidRequest, stay: boolean): Promise<Admitted> {
    const { payments, circuits, instances, places, observer } = this.deps;
    const startedAt = Date.now();
    const hash = inputHash(this.deps.secret, request.circuit, request.inputs);
    const found = await payments.find(id);
    const known = found && found.row.state !== "void" ? found : undefined;
    const joined = known && this.#join(id, known, request, hash);
    if (joined) return joined;
    const earlier = known?.row;

    const circuit = circuits.get(request.circuit);
    if (!circuit) {
      throw new Refusal(400, "INVALID_CIRCUIT", "this circuit is not offered here", { field: "circuit" });
    }
    // What is paid for is owed, whatever is offered today.
    const method = isPaid(earlier) ? undefined : this.#match(request.payment);
    const busy = () => refusals.busy(this.deps.secondsUntilFree(request.circuit));
    if (places.isFull) throw busy();
    const attempt = isPaid(earlier) ? undefined : await this.#attempt(request);
    const begun = performance.now();
    const prepared = await circuit.prepare(request.inputs).catch(async (error: unknown) => {
      throw await this.#unpreparable(earlier, error);
    });
    const witnessMs = performance.now() - begun;
    observer.stage(request.circuit, "witness", witnessMs);

    const slot = places.reserve();
    const giveUp = () => {
      slot?.release();
      prepared.witness.fill(0);
    };
    try {
      if (!slot) {
        // The witness was solved for nothing, and that was our doing.
        await attempt?.settled();
        throw busy();
      }
      const row =
        earlier || !method
          ? await payments.claim(id, instances.me)
          : await this.#accept(id, method, request, hash);
      if (row?.owner !== instances.me) {
        // Another process was first, in this very moment.
        giveUp();
        return { job: this.#follow(id, row ?? earlier, request) };
      }
      await this.deps.checkpoint("accepted");
      const times = { startedAt, witnessMs, paymentMs: 0, stay };
      const settle = method?.settle ?? (() => Promise.reject(new Error("it is settled")));
      const work = { row, settle, prepared, ...times };
      const job = new Job(id, request.circuit, row.job_token);
      void job.finished.then((end) => end.payment && attempt?.settled());
      return { job: this.deps.jobs.start(job, work, slot.release, () => this.admit(request, true)) };
    } catch (error) {
      giveUp();
      throw error;
    }
  }

  /** Counts what may cost us a witness and settle nothing. Anybody can name a payer: only its own signature counts. */
  async #attempt({ payment, attempt }: PaidRequest): Promise<Attempt> {
    const match = matchOffer(payment, this.deps.offers);
    const named = "payment" in match && match.payment.kind === "authorization" ? match.payment : undefined;
    return await attempt(named && (await keySigned(named)) ? named.payer : undefined);
  }

  /** What becomes of a request for a payment we know; undefined when it has to be worked on here. */
  #join(id: Hex, { row, owned }: Found, request: PaidRequest, hash: Hex): Admitted | undefined {
    assertSameWork(row, request.circuit, hash);
    const running = this.deps.jobs.running(id);
    if (running) return { job: running };
    if (row.state === "proven") {
      if (row.proof === null) throw refusals.removed();
      return { proven: row };
    }
    // An owner that is this process and does not run the job has just ended it.
    if (owned && row.owner !== this.deps.instances.me) return { job: this.#follow(id, row, request) };
    return undefined;
  }

  #follow(id: Hex, row: PaymentRow | undefined, request: PaidRequest): Job {
    const job = new Job(id, request.circuit, row?.job_token ?? "");
    return this.deps.jobs.follow(job, () => this.admit(request, true));
  }

  /** A paid payment whose inputs no longer make a proof (an expired token) is owed to its payer. */
  async #unpreparable(earlier: PaymentRow | undefined, error: unknown): Promise<unknown> {
    if (!isPaid(earlier) || !(error instanceof Refusal) || error.status !== 400) return error;
    await this.deps.payments.apply(hex32Schema.parse(earlier.id), { type: "given-up" });
    return refusals.credited();
  }

  #match(request: PaymentRequest): Method {
    const match = matchOffer(request, this.deps.offers);
    if ("reason" in match) throw paymentRefusal(match.reason);
    const method = methodOf(match.payment, this.deps.settlers);
    if (!method) throw paymentRefusal("wrong_network");
    return method;
  }

  /** Verifies a payment and writes it down; the nonce stays with it from then on. */
  async #accept(id: Hex, method: Method, request: PaidRequest, hash: Hex): Promise<PaymentRow> {
    const { circuit, nonce } = request;
    const { nonces } = this.deps;
    const unfit = nonce && (await nonces.check(nonce, circuit, id));
    if (unfit) throw nonceRefusal(unfit);
    const checked = await method.verify().catch((error: unknown) => {
      throw unavailable(error);
    });
    if (!checked.ok) {
      // Another process may have taken and settled this very payment while our witness was solved.
      const first = (await this.deps.payments.find(id))?.row;
      if (first && first.state !== "void") {
        assertSameWork(first, circuit, hash);
        return first;
      }
      // A transfer may take longer than its nonce lives, and come under another hash when its fee is raised.
      if (nonce && checked.reason === "transaction_not_found") await nonces.hold(nonce, circuit);
      throw paymentRefusal(checked.reason);
    }
    await this.deps.checkpoint("verified");
    // Only now, so that no refused payment uses it up.
    const refused = nonce && (await nonces.bind(nonce, circuit, id));
    if (refused) throw nonceRefusal(refused);
    const { payment } = method;
    const row = await this.deps.payments.accept(
      {
        id,
        network: payment.offer.network,
        chain_id: payment.chainId,
        asset: payment.offer.asset,
        payer: checked.payer,
        pay_to: payment.offer.payTo,
        authorization_nonce: payment.kind === "authorization" ? payment.nonce : null,
        amount: checked.amount.toString(),
        valid_before: payment.kind === "authorization" ? payment.validBefore.toString() : null,
        settlement: payment.kind === "authorization" ? payment.offer.settlement : "transaction",
        circuit,
        input_hash: hash,
        from_block: Number(checked.block),
      },
      this.deps.instances.me,
    );
    // Another process may have been first with this payment.
    assertSameWork(row, circuit, hash);
    if (!checked.settled || row.state !== "accepted") return row;
    const settled = await this.deps.payments.settle(id, checked.settled);
    if (settled.state === "void") throw paymentRefusal("already_used");
    return settled;
  }
}

function isPaid(row: PaymentRow | undefined): row is PaymentRow {
  return row?.state === "settled" || row?.state === "credited";
}

function assertSameWork(
  row: Pick<PaymentRow, "circuit" | "input_hash">,
  circuit: CircuitId,
  hash: Hex,
): void {
  if (row.circuit === circuit && row.input_hash === hash) return;
  throw new Refusal(409, "PAYMENT_ALREADY_USED", "this payment was already used with other inputs");
}
