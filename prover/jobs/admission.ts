import type { Address, Hex } from "viem";
import type { CircuitId, PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import type { CircuitRow, Prepared } from "../circuits/types";
import type { Attempt } from "../http/limits";
import { KeyedLock } from "../keyed-lock";
import type { Observer } from "../observer";
import { type Checked, keySigned } from "../payment/checks";
import { matchOffer, type PaymentRequest, paymentId } from "../payment/payment";
import type { Settlers } from "../payment/settler";
import { Refusal, refusals } from "../refusal";
import type { Instances } from "../store/instances";
import type { Nonces } from "../store/nonces";
import type { Claim, Found, PaymentRow, PaymentStore } from "../store/payments";
import { inputHash } from "./input-hash";
import { Job } from "./job";
import type { Jobs } from "./jobs";
import { type Method, methodOf, unavailable } from "./method";
import type { Places, Slot } from "./places";
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
  /** Settled payments whose proofs are not made yet. */
  proving: Places;
  /** Payments being settled. Far more than proofs: they only wait for a chain. */
  settling: Places;
  /** Seconds until a place for a proof may be free. */
  secondsUntilFree(circuit: CircuitId): number;
  /** Key of the input hashes. */
  secret: Uint8Array;
  observer: Observer;
  checkpoint: Checkpoint;
}

/**
 * The order of things for a paid request:
 * known payment? -> offer -> nonce, time, signature, use and balance -> inputs, trust, witness -> written down
 * -> (job) settled -> place in the queue, proved, checked, delivered.
 * What costs little is asked first, so that nobody gets a witness for a payment that is not worth one. Whatever is
 * refused before "written down" charged nothing and left nothing behind. A payment known to have settled skips its
 * checks and every limit: it is owed a proof.
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
    const { payments, circuits, instances, observer } = this.deps;
    const startedAt = Date.now();
    const hashes = this.#hashes(request);
    const found = await payments.find(id);
    const known = found && found.row.state !== "void" ? found : undefined;
    const joined = known && this.#join(id, known, request, hashes);
    if (joined) return joined;
    const earlier = known?.row;

    const circuit = circuits.get(request.circuit);
    if (!circuit) {
      throw new Refusal(400, "INVALID_CIRCUIT", "this circuit is not offered here", { field: "circuit" });
    }
    // What is paid for is owed, whatever is offered today and however much there is to do.
    const unpaid = isPaid(earlier) ? undefined : await this.#consider(request);
    let slot: Slot | undefined;
    let prepared: Prepared | undefined;
    try {
      const checked = unpaid && !earlier ? await this.#check(id, unpaid.method, request) : undefined;
      // Another process took this very payment meanwhile.
      if (checked === "taken") {
        await unpaid?.attempt.settled();
        return await this.#admit(id, request, stay);
      }
      const begun = performance.now();
      prepared = await circuit.prepare(request.inputs, unpaid !== undefined).catch(async (error: unknown) => {
        throw await this.#unpreparable(earlier, error);
      });
      const witnessMs = performance.now() - begun;
      observer.stage(request.circuit, "witness", witnessMs);

      slot = unpaid && this.#reserve(request.circuit);
      const row =
        unpaid && checked
          ? await this.#accept(id, unpaid.method, checked, request, hashes)
          : await payments.claim(id, instances.me);
      if (row?.owner !== instances.me) {
        // Another process was first, in this very moment.
        giveUp(slot, prepared);
        return { job: this.#follow(id, row ?? earlier, request) };
      }
      await this.deps.checkpoint("accepted");
      const settle = unpaid?.method.settle ?? (() => Promise.reject(new Error("it is settled")));
      const work = { row, settle, slot, prepared, startedAt, witnessMs, paymentMs: 0, stay };
      const job = new Job(id, request.circuit, row.job_token);
      void job.finished.then((end) => end.payment && unpaid?.attempt.settled());
      return { job: this.deps.jobs.start(job, work, () => this.admit(request, true)) };
    } catch (error) {
      giveUp(slot, prepared);
      // That there is no room is not the caller's doing.
      if (error instanceof Refusal && noRoom.has(error.details.reason)) await unpaid?.attempt.settled();
      throw error;
    }
  }

  #hashes({ circuit, inputs }: PaidRequest): InputHashes {
    const full = this.deps.circuits.get(circuit)?.withDefaults?.(inputs) ?? inputs;
    const hash = (of: Record<string, unknown>) => inputHash(this.deps.secret, circuit, of);
    return [hash(full), hash(inputs)];
  }

  /**
   * What costs nothing to ask of a payment that is not known to have settled: its offer, and whether there is room.
   * Counts the request as an attempt.
   */
  async #consider(request: PaidRequest): Promise<{ method: Method; attempt: Attempt }> {
    const method = this.#match(request.payment);
    if (this.deps.proving.isFull) throw this.#queueFull(request.circuit);
    return { method, attempt: await this.#attempt(method, request) };
  }

  /**
   * Nonce, time, signature, use and balance of a payment that nothing is known of.
   * @returns "taken" when another process has written it down meanwhile
   */
  async #check(id: Hex, method: Method, { circuit, nonce }: PaidRequest): Promise<Verified | "taken"> {
    const { nonces, payments } = this.deps;
    const unfit = nonce && (await nonces.check(nonce, circuit, id));
    if (unfit) throw nonceRefusal(unfit);
    const checked = await method.verify().catch((error: unknown) => {
      throw unavailable(error);
    });
    if (checked.ok) {
      if (!(await payments.mayOpen(claimOf(method, checked)))) throw refusals.busy("payments_open", 5);
      await this.deps.checkpoint("verified");
      return checked;
    }
    // Settled by another process while we looked?
    const first = await payments.find(id);
    if (first && first.row.state !== "void") return "taken";
    // A transfer may take longer than its nonce lives, and come under another hash when its fee is raised.
    if (nonce && checked.reason === "transaction_not_found") await nonces.hold(nonce, circuit);
    throw paymentRefusal(checked.reason);
  }

  /** A place to settle in. A proof's place is taken only when that is done. */
  #reserve(circuit: CircuitId): Slot {
    if (this.deps.proving.isFull) throw this.#queueFull(circuit);
    const slot = this.deps.settling.reserve();
    if (!slot) throw refusals.busy("settlements_full", 5);
    return slot;
  }

  #queueFull(circuit: CircuitId): Refusal {
    return refusals.busy("queue_full", this.deps.secondsUntilFree(circuit));
  }

  /** Counts what may cost us a witness and settle nothing. Anybody can name a payer: only its own signature counts. */
  async #attempt({ payment }: Method, { attempt }: PaidRequest): Promise<Attempt> {
    const inTime = payment.kind === "authorization" && payment.validBefore * 1000n > BigInt(Date.now());
    return await attempt(inTime && (await keySigned(payment)) ? payment.payer : undefined);
  }

  /** What becomes of a request for a payment we know; undefined when it has to be worked on here. */
  #join(id: Hex, { row, owned }: Found, request: PaidRequest, hashes: InputHashes): Admitted | undefined {
    assertSameWork(row, request.circuit, hashes);
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
    const method = methodOf(match.payment, this.deps.settlers, this.deps.observer);
    if (!method) throw paymentRefusal("wrong_network");
    return method;
  }

  /** Writes a checked payment down; the nonce stays with it from then on. */
  async #accept(
    id: Hex,
    method: Method,
    checked: Verified,
    request: PaidRequest,
    hashes: InputHashes,
  ): Promise<PaymentRow> {
    const { circuit, nonce } = request;
    // Only now, so that no refused payment uses it up.
    const refused = nonce && (await this.deps.nonces.bind(nonce, circuit, id));
    if (refused) throw nonceRefusal(refused);
    const { payment } = method;
    const row = await this.deps.payments.accept(
      {
        ...claimOf(method, checked),
        id,
        chain_id: payment.chainId,
        pay_to: payment.offer.payTo,
        authorization_nonce: payment.kind === "authorization" ? payment.nonce : null,
        valid_before: payment.kind === "authorization" ? payment.validBefore.toString() : null,
        circuit,
        input_hash: hashes[0],
        from_block: Number(checked.block),
      },
      this.deps.instances.me,
    );
    if (!row) throw refusals.busy("payments_open", 5);
    // Another process may have been first with this payment.
    assertSameWork(row, circuit, hashes);
    if (!checked.settled || row.state !== "accepted") return row;
    const settled = await this.deps.payments.settle(id, checked.settled);
    if (settled.state === "void") throw paymentRefusal("already_used");
    return settled;
  }
}

/** Of the inputs with their defaults; and as they were sent, which is what earlier releases wrote down. */
type InputHashes = readonly [Hex, Hex];
type Verified = Extract<Checked, { ok: true }>;

/** Refusals for want of room. */
const noRoom: ReadonlySet<string | undefined> = new Set(["queue_full", "settlements_full", "witnesses_full"]);

function giveUp(slot: Slot | undefined, prepared: Prepared | undefined): void {
  slot?.release();
  prepared?.witness.fill(0);
}

/** What a payment takes, and what it takes it from. */
function claimOf({ payment }: Method, { payer, amount, balance }: Verified): Claim {
  return {
    network: payment.offer.network,
    asset: payment.offer.asset,
    payer,
    amount: amount.toString(),
    settlement: payment.kind === "authorization" ? payment.offer.settlement : "transaction",
    balance,
  };
}

function isPaid(row: PaymentRow | undefined): row is PaymentRow {
  return row?.state === "settled" || row?.state === "credited";
}

function assertSameWork(
  row: Pick<PaymentRow, "circuit" | "input_hash">,
  circuit: CircuitId,
  hashes: InputHashes,
): void {
  if (row.circuit === circuit && hashes.some((hash) => hash === row.input_hash)) return;
  throw new Refusal(409, "PAYMENT_ALREADY_USED", "this payment was already used with other inputs");
}
