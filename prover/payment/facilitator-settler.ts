import { setTimeout as sleep } from "node:timers/promises";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { type Address, type Hex, isAddressEqual } from "viem";
import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import type { PaymentPayload } from "@/lib/proofs/wire";
import { noTracing, type Tracing } from "@/lib/tracing";
import type { PaymentRow } from "../store/payments";
import { type Checked, checkPayment } from "./checks";
import type { FacilitatorAuth } from "./facilitator-auth";
import { enoughSettlements, type GasLeft } from "./gas";
import type { Ledger } from "./ledger";
import { type AuthorizedPayment, requirements } from "./payment";
import { type Learned, type Settlement } from "./settlement";
import { SettlementUnavailableError, type Settler } from "./settler";

export interface FacilitatorSettlerOptions {
  url: string;
  /** How long a settle request may take before its outcome counts as unknown. */
  timeoutMs: number;
  /** Authenticates requests, for a facilitator that requires it. */
  auth?: FacilitatorAuth;
  /** How long the prover looks for an unknown outcome on chain before it asks the client to come back. */
  reconcileMs: number;
  /** What the facilitator's catalog is told about the service (`bazaarExtension`). */
  extensions?: Record<string, unknown>;
  tracing?: Tracing;
  report?: ReportProblem;
}

/** Why a facilitator did not settle a payment, in its own words: buyers only learn that it refused. */
export interface FacilitatorProblem {
  chainId: number;
  request: "verify" | "settle";
  reason: string;
}
export type ReportProblem = (problem: FacilitatorProblem) => void;

/** A code of x402, or a short sentence. Anything longer may repeat the payment, which does not belong in a log. */
const REASON = /^[\w .,()-]{1,120}$/;

/** Headers of the client's requests, which continue the current trace. */
function traceHeaders(tracing: Tracing) {
  const traceparent = tracing.traceparent();
  const headers: Record<string, string> = traceparent ? { traceparent } : {};
  return { verify: headers, settle: headers, supported: {} };
}

/** Returns a payment as a facilitator gets it: without the buyer's extensions, which are between the two of us. */
function forwarded({ payload }: AuthorizedPayment, extensions: PaymentPayload["extensions"]): PaymentPayload {
  return { ...payload, extensions };
}

/** Gas in `/health` of our own facilitator. */
const healthSchema = z.looseObject({
  networks: z.array(
    z.looseObject({
      network: z.string(),
      gas: z.object({ wei: z.string().transform(BigInt), settlements: z.number() }).optional(),
    }),
  ),
});

const supportedSchema = z.looseObject({ signers: z.record(z.string(), z.array(addressSchema)) });

/**
 * Settles through an x402 v2 facilitator. The chain decides, not its answer: "success" must be a mined transfer, and a
 * failure or silence may have settled.
 */
export class FacilitatorSettler implements Settler<AuthorizedPayment> {
  readonly #client: HTTPFacilitatorClient;
  readonly #tracing: Tracing;
  #signers: readonly Address[] = [];

  constructor(
    readonly ledger: Ledger,
    readonly options: FacilitatorSettlerOptions,
  ) {
    const { url, timeoutMs, auth, tracing = noTracing } = options;
    this.#tracing = tracing;
    // A facilitator that wants a token is another company's, which our traces do not concern.
    const createAuthHeaders = auth ?? (async () => traceHeaders(tracing));
    this.#client = new HTTPFacilitatorClient({ url, timeoutMs, createAuthHeaders });
  }

  async verify(payment: AuthorizedPayment): Promise<Checked> {
    const own = await checkPayment(payment, this.ledger);
    const answers = own.ok && (await this.#answers());
    if (own.ok && !own.settled && !answers) {
      throw new SettlementUnavailableError("the facilitator does not answer");
    }
    return own;
  }

  async settle(payment: AuthorizedPayment, row: PaymentRow): Promise<Settlement> {
    const from = BigInt(row.from_block);
    try {
      if (row.state === "settling") {
        // An earlier attempt may have worked although we got no answer.
        const earlier = await this.ledger.outcome(payment, from);
        if (earlier.status === "settled" || earlier.status === "void") return earlier;
        if (earlier.status === "unknown") return await this.#lookFor(payment, from);
      }
      const accepted = await this.#accepts(payment);
      if (!accepted) {
        const outcome = await this.ledger.outcome(payment, from);
        if (outcome.status === "settled" || outcome.status === "void") return outcome;
        return accepted === undefined || outcome.status === "unknown"
          ? { status: "unconfirmed" }
          : { status: "refused", reason: "refused_by_facilitator" };
      }
      const hash = await this.#send(payment);
      const settled = hash && (await this.ledger.confirmed(payment, hash, this.options.reconcileMs));
      if (settled) return settled;
      return await this.#lookFor(payment, from);
    } catch {
      // Only reads of the chain throw here; the transfer may have happened.
      return { status: "unconfirmed" };
    }
  }

  async learn(row: PaymentRow): Promise<Learned> {
    return await this.ledger.learn(row);
  }

  async isReachable(): Promise<boolean> {
    const [supported, left] = await Promise.all([this.#answers(), this.gas()]);
    return supported && left.every(({ settlements }) => settlements >= enoughSettlements);
  }

  /** As the facilitator last listed its accounts. */
  isOurs(sender: Address): boolean | undefined {
    if (this.#signers.length === 0) return undefined;
    return this.#signers.some((each) => isAddressEqual(each, sender));
  }

  /** From `/health` of our own facilitator; others do not report it. */
  async gas(): Promise<GasLeft[]> {
    try {
      const response = await this.#get("/health");
      const { networks } = healthSchema.parse(await response.json());
      return networks.flatMap(({ network, gas }) => (gas ? { network, ...gas } : []));
    } catch {
      return [];
    }
  }

  async #answers(): Promise<boolean> {
    try {
      const headers = (await this.options.auth?.())?.supported;
      const response = await this.#get("/supported", headers);
      if (!response.ok) return false;
      const { data } = supportedSchema.safeParse(await response.json());
      this.#signers = Object.values(data?.signers ?? {}).flat();
      return true;
    } catch {
      return false;
    }
  }

  async #get(path: string, headers?: Record<string, string>): Promise<Response> {
    return await fetch(`${this.options.url}${path}`, { headers, signal: AbortSignal.timeout(5_000) });
  }

  #traced<T>(request: string, { chainId }: PaymentOffer, work: () => Promise<T>): Promise<T> {
    return this.#tracing.call(`facilitator ${request}`, { "parley.chain_id": chainId }, work);
  }

  /** Asks the facilitator whether it would settle; undefined when it does not answer. */
  async #accepts(payment: AuthorizedPayment): Promise<boolean | undefined> {
    try {
      const { offer } = payment;
      const { isValid, invalidReason } = await this.#traced("verify", offer, () =>
        this.#client.verify(forwarded(payment, this.options.extensions), requirements(offer)),
      );
      if (!isValid) this.#report(payment, "verify", invalidReason);
      return isValid;
    } catch (error) {
      this.#report(payment, "verify", error);
      return undefined;
    }
  }

  /** Asks the facilitator to settle; returns the transaction it names, if any. */
  async #send(payment: AuthorizedPayment): Promise<Hex | undefined> {
    try {
      const { offer } = payment;
      const settled = await this.#traced("settle", offer, () =>
        this.#client.settle(forwarded(payment, this.options.extensions), requirements(offer)),
      );
      if (!settled.success) this.#report(payment, "settle", settled.errorReason);
      const hash = hex32Schema.safeParse(settled.transaction);
      return hash.success ? hash.data : undefined;
    } catch (error) {
      this.#report(payment, "settle", error);
      return undefined;
    }
  }

  #report({ offer }: AuthorizedPayment, request: FacilitatorProblem["request"], why: unknown): void {
    // What follows the colon in the client's errors is an excerpt of the response.
    const said = why instanceof Error ? why.message.split(":")[0] : why;
    const reason = typeof said === "string" && REASON.test(said) ? said : "no readable reason";
    this.options.report?.({ chainId: offer.chainId, request, reason });
  }

  async #lookFor(payment: AuthorizedPayment, from: bigint): Promise<Settlement> {
    const until = Date.now() + this.options.reconcileMs;
    for (;;) {
      const outcome = await this.ledger.outcome(payment, from);
      if (outcome.status === "settled" || outcome.status === "void") return outcome;
      if (Date.now() >= until) return { status: "unconfirmed" };
      await sleep(500);
    }
  }
}
