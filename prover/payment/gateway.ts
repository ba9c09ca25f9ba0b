import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import { BatchFacilitatorClient } from "@circle-fin/x402-batching/server";
import pTimeout from "p-timeout";
import { type Address, type Hex, isAddressEqual, parseUnits } from "viem";
import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import type { PaymentPayload } from "@/lib/proofs/wire";
import { requirements } from "./payment";
import { SettlementUnavailableError } from "./settler";

/**
 * Circle Gateway's x402 interface (developers.circle.com/openapi/gateway-nanopayments.yaml): the package's client where
 * it has an operation, plain HTTP for transfers and balances. Every answer is parsed and has a timeout.
 */

const verifyAnswerSchema = z.looseObject({ isValid: z.boolean(), invalidReason: z.string().optional() });

/** `failed` is final; each of the others means that the payer's deposit was reduced. */
const transferSchema = z.looseObject({
  id: z.string().min(1).max(200),
  status: z.enum(["received", "batched", "confirmed", "completed", "failed"]),
  sendingNetwork: z.string(),
  fromAddress: addressSchema,
  toAddress: addressSchema,
  amount: z.string(),
  nonce: hex32Schema,
});
const transfersSchema = z.looseObject({ transfers: z.array(z.unknown()) });
const balancesSchema = z.looseObject({
  balances: z.array(
    z.looseObject({
      domain: z.int(),
      depositor: addressSchema,
      balance: z.string().regex(/^\d+(\.\d{1,6})?$/),
    }),
  ),
});
const supportedSchema = z.looseObject({
  kinds: z.array(
    z.looseObject({
      network: z.string(),
      extra: z.looseObject({ verifyingContract: addressSchema.optional() }).optional(),
    }),
  ),
});

/** Identifies a transfer. Amounts in atomic units. */
export interface TransferFacts {
  network: string;
  payer: Address;
  payTo: Address;
  amount: bigint;
  nonce: Hex;
}

export interface GatewayOptions {
  url: string;
  /** How long one request may take. */
  timeoutMs: number;
}

export class Gateway {
  readonly #client: BatchFacilitatorClient;

  constructor(readonly options: GatewayOptions) {
    this.#client = new BatchFacilitatorClient({ url: options.url });
  }

  /**
   * Has the gateway check an authorization; it checks balance and use only when it settles.
   * @throws SettlementUnavailableError
   */
  async verify(payload: PaymentPayload, offer: PaymentOffer): Promise<boolean> {
    const { isValid } = await this.#ask(verifyAnswerSchema, () =>
      this.#client.verify(...request(payload, offer)),
    );
    return isValid;
  }

  /** Has the gateway settle. Its answer proves nothing: `transfer` finds the outcome. @throws Error */
  async settle(payload: PaymentPayload, offer: PaymentOffer): Promise<void> {
    await this.#ask(z.unknown(), () => this.#client.settle(...request(payload, offer)));
  }

  /**
   * Returns the transfer that the gateway recorded for an authorization, if any.
   * @throws SettlementUnavailableError
   */
  async transfer(facts: TransferFacts): Promise<{ id: string; failed: boolean } | undefined> {
    const { network, payer, payTo, nonce } = facts;
    const query = new URLSearchParams({ network, nonce, from: payer, to: payTo });
    const { transfers } = await this.#ask(transfersSchema, () => this.#fetch(`/v1/x402/transfers?${query}`));
    const found = transfers.flatMap((each) => {
      const { data } = transferSchema.safeParse(each);
      return data && isTransfer(data, facts) ? data : [];
    });
    const good = found.find((each) => each.status !== "failed") ?? found[0];
    return good && { id: good.id, failed: good.status === "failed" };
  }

  /**
   * Returns an account's deposit on a chain, in atomic units of a token with 6 decimals.
   * @throws SettlementUnavailableError, also for a chain that the gateway does not serve
   */
  async balance(chainId: number, depositor: Address): Promise<bigint> {
    const domain = Object.values(CHAIN_CONFIGS).find((each) => each.chain.id === chainId)?.domain;
    if (domain === undefined) throw new SettlementUnavailableError(`the gateway has no chain ${chainId}`);
    const { balances } = await this.#ask(balancesSchema, () =>
      this.#fetch("/v1/balances", { token: "USDC", sources: [{ domain, depositor }] }),
    );
    const own = balances.find((each) => each.domain === domain && isAddressEqual(each.depositor, depositor));
    return own ? parseUnits(own.balance, 6) : 0n;
  }

  /** Whether the gateway answers, and settles this offer's network with the contract that payers sign for. */
  async serves({ network, verifyingContract }: PaymentOffer): Promise<boolean> {
    try {
      const { kinds } = await this.#ask(supportedSchema, () => this.#client.getSupported());
      return kinds.some(
        (kind) => kind.network === network && kind.extra?.verifyingContract === verifyingContract,
      );
    } catch {
      return false;
    }
  }

  async #fetch(path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.options.url}${path}`, {
      signal: AbortSignal.timeout(this.options.timeoutMs),
      ...(body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the gateway answered ${response.status}`);
    return await response.json();
  }

  /** Adds a timeout, which the package's client lacks, and parses the answer. */
  async #ask<S extends z.ZodType>(schema: S, ask: () => Promise<unknown>): Promise<z.output<S>> {
    try {
      return schema.parse(await pTimeout(ask(), { milliseconds: this.options.timeoutMs }));
    } catch (error) {
      throw new SettlementUnavailableError("the gateway does not answer as it should", { cause: error });
    }
  }
}

type Requirements = Parameters<BatchFacilitatorClient["verify"]>[1];

/** Builds a request with x402's own fields only, and with our offer instead of the client's echo. */
function request(payload: PaymentPayload, offer: PaymentOffer) {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = requirements(offer);
  const asked: Requirements = { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra };
  return [
    {
      x402Version: 2,
      accepted: { ...asked },
      resource: { url: payload.resource?.url ?? "", description: "", mimeType: "application/json" },
      payload: { ...payload.payload },
    },
    asked,
  ] as const;
}

function isTransfer(transfer: z.output<typeof transferSchema>, facts: TransferFacts): boolean {
  return (
    transfer.sendingNetwork === facts.network &&
    transfer.fromAddress === facts.payer &&
    transfer.toAddress === facts.payTo &&
    transfer.nonce === facts.nonce &&
    transfer.amount === facts.amount.toString()
  );
}
