import type { Address, Hex } from "viem";
import type { CircuitId, PaymentOffer } from "@/lib/proofs/deployment";
import { hex32Schema } from "@/lib/proofs/hex";
import { KeyedLock } from "@/lib/proofs/keyed-lock";
import type { CircuitRow, Prepared } from "../circuits/types";
import type { Attempt } from "../http/limits";
import type { Observer } from "../observer";
import { type Checked, keySigned } from "../payment/checks";
import { identifierHash } from "../payment/identifier";
import { type PaymentRequest, paymentId } from "../payment/payment";
import { type PaymentRefusal } from "../payment/settlement";
import type { Settlers } from "../payment/settler";
import { ProverRefusal, refusals } from "../refusal";
import type { CreditStore, CreditWanted } from "../store/credits";
import type { Instances } from "../store/instances";
import { type Nonces } from "../store/nonces";
import type { Claim } from "../store/open-payments";
import type { Found, PaymentRow, PaymentStore } from "../store/payments";
import type { Prices } from "../store/prices";
import { assertSameWork, type InputHashes, inputHash } from "./input-hash";
import { Job } from "./job";
import type { Jobs } from "./jobs";
import { creditWanted, type Method, unavailable } from "./method";
import { nonceRefusal, paymentRefusal } from "./refusals";
import type { Checkpoint, Work } from "./run";
import type { Slot, Slots } from "./slots";
import { Terms } from "./terms";

export interface PaidRequest {
  circuit: CircuitId;
  /** Decrypted. */
  inputs: Record<string, unknown>;
  payment: PaymentRequest;
  /** X-Payment-Nonce, when sent; always with a payment by transaction. */
  nonce?: Hex;
  /** Counts the request before its witness is solved; `payer` where a signature shows who pays. @throws ProverRefusal 429 */
  attempt(payer?: Address): Promise<Attempt>;
}

/** A job to wait for, or a payment whose proof exists already. */
export type Admitted = { job: Job } | { proven: PaymentRow; token: string };

export interface AdmissionDependencies {
  circuits: ReadonlyMap<CircuitId, CircuitRow>;
  offers: readonly PaymentOffer[];
  settlers: Settlers;
  payments: PaymentStore;
  credits: CreditStore;
  prices: Pick<Prices, "offers" | "since">;
  nonces: Pick<Nonces, "check" | "bind" | "asked" | "paid">;
  instances: Pick<Instances, "me">;
  jobs: Pick<Jobs, "running" | "start" | "follow">;
  /** Slots of settled payments whose proofs are still to be made. */
  proving: Slots;
  /** Slots of payments being settled: far more than of proofs, because they only wait for a chain. */
  settling: Slots;
  /** Returns the seconds until a slot for a proof may be free. */
  secondsUntilFree(circuit: CircuitId): number;
  /** Key of the input hashes. */
  secret: Uint8Array;
  observer: Observer;
  checkpoint: Checkpoint;
}

/**
 * Admits a paid request, in this order:
 * known payment? -> offer -> nonce, time, signature, use and balance -> inputs, trust, witness -> stored
 * -> (job) settled -> queued, proved, checked, delivered.
 * A payer with a credit is not charged: the credit makes the proof, and the authorization expires. Cheap checks come
 * first, so that a worthless payment gets no witness. A request refused before "stored" charges nothing and leaves nothing
 * behind. A payment known to have settled skips its checks and every limit: it is owed a proof.
 */
export class Admission {
  /** One request per payment at a time: twenty copies of one become one job and nineteen that join it. */
  readonly #perPayment = new KeyedLock<Hex>();
  readonly #terms: Terms;

  constructor(readonly deps: AdmissionDependencies) {
    this.#terms = new Terms(deps);
  }

  /** @throws ProverRefusal */
  async admit(request: PaidRequest): Promise<Admitted> {
    const purchase = this.#purchase(request);
    if (!purchase) return await this.#admitPayment(request);
    // Two authorizations of one purchase wait for each other.
    return await this.#perPayment.run(purchase, () => this.#admitPayment(request, purchase));
  }

  async #admitPayment(request: PaidRequest, purchase?: Hex): Promise<Admitted> {
    const signed = paymentId(request.payment);
    // An uncharged authorization stands for the credit that took its place, or the payment that its purchase has already.
    const credited = await this.deps.credits.standsFor(signed);
    const before = credited || !purchase ? undefined : await this.#paidBefore(signed, purchase, request);
    const id = credited ?? (before === "charged too" ? signed : (before ?? signed));
    const named = before === "charged too" ? undefined : purchase;
    return await this.#perPayment.run(id, () => this.#admit(id, request, named));
  }

  async #admit(id: Hex, request: PaidRequest, purchase?: Hex): Promise<Admitted> {
    const { payments, circuits, instances, observer } = this.deps;
    const startedAt = Date.now();
    const hashes = this.#hashes(request);
    const found = await this.#find(id, request, hashes);
    const known = found && found.row.state !== "void" ? found : undefined;
    const joined = known && (await this.#join(id, known, request, hashes));
    if (joined) return joined;
    const earlier = known?.row;

    const circuit = circuits.get(request.circuit);
    if (!circuit) {
      throw refusals.invalid("INVALID_CIRCUIT", "this circuit is not offered here", "circuit");
    }
    // What this request signed must not pay for it too: the first authorization may still be charged.
    if (earlier && !isPaid(earlier) && id !== paymentId(request.payment)) throw refusals.unconfirmed();
    // A settled payment is owed its proof, whatever is offered today and however long the queue is.
    const unpaid = isPaid(earlier) ? undefined : await this.#consider(request, earlier);
    let slot: Slot | undefined;
    let prepared: Prepared | undefined;
    try {
      const checked = unpaid && !earlier ? await this.#check(id, unpaid.method, request) : undefined;
      // Another process took this very payment meanwhile.
      if (checked === "taken") {
        await unpaid?.attempt.settled();
        return await this.#admit(id, request, purchase);
      }
      const credit = checked && "circuit" in checked ? checked : undefined;
      const begun = performance.now();
      prepared = await circuit
        .prepare(request.inputs, unpaid !== undefined && !credit)
        .catch(async (error: unknown) => {
          throw await this.#unpreparable(earlier, error);
        });
      const witnessMs = performance.now() - begun;
      observer.stage(request.circuit, "witness", witnessMs);

      if (credit) {
        const named = { inputHash: hashes[0], identifierHash: purchase };
        const use = { authorizationId: id, owner: instances.me, ...named };
        const row = await this.deps.credits.spend(credit, use);
        // Taken by another request of the payer's, in this very moment.
        if (!row) throw refusals.busy("credit_in_use", 1);
        const times = { startedAt, witnessMs, paymentMs: 0 };
        return { job: await this.#start(row, request, { prepared, ...times }, unpaid) };
      }
      slot = unpaid && this.#reserve(request.circuit);
      const row =
        unpaid && checked && "ok" in checked
          ? await this.#accept(id, unpaid.method, checked, request, { hashes, purchase })
          : await payments.claim(id, instances.me);
      if (row?.owner !== instances.me) {
        // Another process was first, in this very moment.
        giveUp(slot, prepared);
        return { job: await this.#follow(row ?? earlier, request) };
      }
      await this.deps.checkpoint("accepted");
      const work = { slot, prepared, startedAt, witnessMs, paymentMs: 0 };
      return { job: await this.#start(row, request, work, unpaid) };
    } catch (error) {
      giveUp(slot, prepared);
      // That there is no room is not the caller's doing.
      if (error instanceof ProverRefusal && noRoom.has(error.details.reason)) await unpaid?.attempt.settled();
      throw error;
    }
  }

  /** Returns the `identifierHash` of the purchase that the client names, if it names one. */
  #purchase({ payment }: PaidRequest): Hex | undefined {
    if (payment.kind !== "authorization" || payment.identifier === undefined) return undefined;
    return identifierHash(this.deps.secret, payment.payload.payload.authorization.from, payment.identifier);
  }

  /**
   * Finds the payment that a purchase has already: a client that lost the answer and kept nothing signs anew, and the new
   * authorization is checked, but never charged.
   * @returns "charged too" when someone submitted the new one: it has paid, so it gets a proof of its own
   * @throws ProverRefusal 402 when the payer did not sign the new one
   */
  async #paidBefore(
    signed: Hex,
    purchase: Hex,
    request: PaidRequest,
  ): Promise<Hex | "charged too" | undefined> {
    const { payments } = this.deps;
    const first = await payments.findPurchase(purchase);
    if (!first || first.row.id === signed) return undefined;
    const own = await payments.find(signed);
    if (own && own.row.state !== "void") return undefined;
    const method = await this.#terms.match(request);
    const attempt = await this.#attempt(method, request);
    const checked = await method.verify().catch((error: unknown) => {
      throw unavailable(error);
    });
    if (!checked.ok && !lacksMoney.has(checked.reason)) throw paymentRefusal(checked.reason);
    await attempt.settled();
    if (checked.ok && checked.settled) return "charged too";
    return hex32Schema.parse(first.row.id);
  }

  #hashes({ circuit, inputs }: PaidRequest): InputHashes {
    const full = this.deps.circuits.get(circuit)?.withDefaults?.(inputs) ?? inputs;
    const hash = (of: Record<string, unknown>) => inputHash(this.deps.secret, circuit, of);
    return [hash(full), hash(inputs)];
  }

  /**
   * Finds a known payment. A credited one takes new inputs from the client that shows its nonce: a settled signature is
   * public, the nonce never is.
   */
  async #find(id: Hex, { circuit, nonce }: PaidRequest, hashes: InputHashes): Promise<Found | undefined> {
    const { payments, credits, nonces } = this.deps;
    const found = await payments.find(id);
    if (found?.row.state !== "credited" || hashes.some((hash) => hash === found.row.input_hash)) return found;
    if (!nonce || !(await nonces.paid(nonce, id))) return found;
    return (await credits.rebind(id, circuit, hashes[0])) ? await payments.find(id) : found;
  }

  async #start(
    row: PaymentRow,
    request: PaidRequest,
    rest: Omit<Work, "row" | "settle">,
    unpaid: { method: Method; attempt: Attempt } | undefined,
  ): Promise<Job> {
    const settle = unpaid?.method.settle ?? (() => Promise.reject(new Error("it is settled")));
    const token = await this.deps.payments.tokenOf(row);
    const job = new Job(hex32Schema.parse(row.id), request.circuit, token);
    void job.finished.then((end) => end.payment && unpaid?.attempt.settled());
    return this.deps.jobs.start(job, { row, settle, ...rest }, () => this.admit(request));
  }

  /**
   * Checks what costs nothing for a payment that is not known to have settled: its offer, and whether a slot is free.
   * Counts the request as an attempt.
   */
  async #consider(
    request: PaidRequest,
    earlier: PaymentRow | undefined,
  ): Promise<{ method: Method; attempt: Attempt }> {
    const method = await this.#terms.match(request, earlier);
    if (this.deps.proving.isFull) throw this.#queueFull(request.circuit);
    return { method, attempt: await this.#attempt(method, request) };
  }

  /**
   * Checks nonce, time, signature, use and balance of an unknown payment.
   * @returns "taken" when another process has stored it meanwhile; the credit to use instead, when its payer has one
   */
  async #check(
    id: Hex,
    method: Method,
    { circuit, nonce }: PaidRequest,
  ): Promise<Verified | CreditWanted | "taken"> {
    const { nonces, payments } = this.deps;
    const unfit = nonce && (await nonces.check(nonce, circuit, id));
    if (unfit) throw nonceRefusal(unfit);
    const checked = await method.verify().catch((error: unknown) => {
      throw unavailable(error);
    });
    // The balance is checked last: by then the signature has shown whose credit this is.
    if (checked.ok || lacksMoney.has(checked.reason)) {
      const wanted = creditWanted(method, circuit);
      if (wanted && (await this.deps.credits.hasCredit(wanted))) return wanted;
    }
    if (checked.ok) {
      if (!(await payments.mayOpen(claimOf(method, checked)))) throw refusals.busy("payments_open", 5);
      await this.deps.checkpoint("verified");
      return checked;
    }
    // Did another process settle it meanwhile?
    const first = await payments.find(id);
    if (first && first.row.state !== "void") return "taken";
    throw paymentRefusal(checked.reason);
  }

  /** Takes a slot to settle in. A slot for the proof is taken only when the payment has settled. */
  #reserve(circuit: CircuitId): Slot {
    if (this.deps.proving.isFull) throw this.#queueFull(circuit);
    const slot = this.deps.settling.reserve();
    if (!slot) throw refusals.busy("settlements_full", 5);
    return slot;
  }

  #queueFull(circuit: CircuitId): ProverRefusal {
    return refusals.busy("queue_full", this.deps.secondsUntilFree(circuit));
  }

  /** Counts a request that may cost a witness and settle nothing. Anyone can name a payer: only its own signature counts. */
  async #attempt({ payment }: Method, { attempt }: PaidRequest): Promise<Attempt> {
    const inTime = payment.kind === "authorization" && payment.validBefore * 1000n > BigInt(Date.now());
    return await attempt(inTime && (await keySigned(payment)) ? payment.payer : undefined);
  }

  /** Joins the work on a known payment; undefined when this process has to do it. */
  async #join(
    id: Hex,
    { row, owned }: Found,
    request: PaidRequest,
    hashes: InputHashes,
  ): Promise<Admitted | undefined> {
    assertSameWork(row, request.circuit, hashes);
    const running = this.deps.jobs.running(id);
    if (running) return { job: running };
    if (row.state === "refunded") throw refusals.refunded();
    if (row.state === "proven") {
      if (row.proof === null) throw refusals.removed();
      return { proven: row, token: await this.deps.payments.tokenOf(row) };
    }
    // An owner that is this process and does not run the job has just ended it.
    if (owned && (row.queued_at || row.owner !== this.deps.instances.me))
      return { job: await this.#follow(row, request) };
    return undefined;
  }

  async #follow(row: PaymentRow | undefined, request: PaidRequest): Promise<Job> {
    if (!row) throw new Error("a payment does not vanish");
    const job = new Job(hex32Schema.parse(row.id), request.circuit, await this.deps.payments.tokenOf(row));
    return this.deps.jobs.follow(job, () => this.admit(request));
  }

  /** Credits a settled payment whose inputs no longer make a proof (an expired token). */
  async #unpreparable(earlier: PaymentRow | undefined, error: unknown): Promise<unknown> {
    if (!isPaid(earlier) || !(error instanceof ProverRefusal) || error.status !== 400) return error;
    await this.deps.payments.apply(hex32Schema.parse(earlier.id), { type: "given-up" });
    return refusals.credited();
  }

  /** Stores a checked payment; its nonce belongs to it from then on. */
  async #accept(
    id: Hex,
    method: Method,
    checked: Verified,
    request: PaidRequest,
    { hashes, purchase }: { hashes: InputHashes; purchase?: Hex },
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
        tx_hash: payment.kind === "transaction" ? payment.hash : null,
        pay_to: payment.offer.payTo,
        authorization_nonce: payment.kind === "authorization" ? payment.nonce : null,
        valid_before: payment.kind === "authorization" ? payment.validBefore.toString() : null,
        circuit,
        input_hash: hashes[0],
        identifier_hash: purchase ?? null,
        from_block: Number(checked.block),
      },
      this.deps.instances.me,
    );
    if (!row) throw refusals.busy("payments_open", 5);
    // Another process may have been first with this payment.
    assertSameWork(row, circuit, hashes);
    if (!checked.settled || row.state !== "accepted" || row.id !== id) return row;
    const settled = await this.deps.payments.settle(id, checked.settled);
    if (settled.state === "void") throw paymentRefusal("already_used");
    return settled;
  }
}

type Verified = Extract<Checked, { ok: true }>;

/** Refusals that say nothing against the payer's signature. */
const lacksMoney: ReadonlySet<PaymentRefusal> = new Set(["insufficient_balance", "insufficient_deposit"]);

/** Refusals for want of room. */
const noRoom: ReadonlySet<string | undefined> = new Set(["queue_full", "settlements_full", "witnesses_full"]);

function giveUp(slot: Slot | undefined, prepared: Prepared | undefined): void {
  slot?.release();
  prepared?.witness.fill(0);
}

/** Returns the amount of a payment and the balance it comes from. */
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
