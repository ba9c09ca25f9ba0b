import { hkdfSync } from "node:crypto";
import { declareDiscoveryExtension } from "@x402/extensions/bazaar";
import {
  createOfferEIP712,
  createReceiptEIP712,
  OFFER_RECEIPT,
  type SignTypedDataFn,
} from "@x402/extensions/offer-receipt";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { type Address, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import {
  CREDIT_NOTE,
  type CreditNote,
  creditNoteSchema,
  creditNoteTypes,
  type Receipt,
  receiptSchema,
} from "@/lib/proofs/receipts";
import type { Job, JobPayment } from "@/lib/proofs/wire";
import { remembered } from "@/lib/remembered";
import { requirements } from "../payment/payment";

/** An offer stands this long: time to sign and send what was asked, twice an authorization's lifetime. */
export const offerSeconds = 600;

/** Signed offers are shared by all challenges of a minute: signing costs a millisecond for each, and anyone may ask. */
const offersKeptMs = 60_000;

/** How a settled payment ends: its proof is made, or its payer has a credit. */
export type PaymentEnd = "proof" | "credit";

/** Returns how the payment of an ended job ended; undefined while it is owed a proof. @param reason of a failed job */
export function paymentEnd(status: Job["status"], reason: string | undefined): PaymentEnd | undefined {
  if (status === "done") return "proof";
  return status === "failed" && reason === "credited" ? "credit" : undefined;
}

/** A signed statement about a settled payment. */
export type Statement = Pick<Job, "receipt" | "creditNote">;

/** What a buyer can hold the prover to: offers, receipts and credit notes, signed (EIP-712) by one published key. */
export class Seller {
  /** The published key's address. */
  readonly address: Address;
  readonly resourceUrl: string;
  readonly #sign: SignTypedDataFn;
  /** Returns the current offers, signed, in the order of `accepts`. */
  readonly offers;

  /** @param secret of the installation: the key is derived from it, so that all processes of a database have the same */
  constructor({ services, offers }: Pick<Deployment, "services" | "offers">, secret: Uint8Array) {
    const key = hkdfSync("sha256", secret, new Uint8Array(), "parley seller key", 32);
    const account = privateKeyToAccount(toHex(new Uint8Array(key)));
    this.address = account.address;
    this.#sign = (data) => account.signTypedData(data);
    this.resourceUrl = `${services.proverUrl}/api/v1/prove`;
    this.offers = remembered(
      offersKeptMs,
      async () =>
        await Promise.all(
          offers.map(async (offer, acceptIndex) => {
            const { scheme, network, asset, payTo, amount } = requirements(offer);
            const offerValiditySeconds = offerSeconds;
            const terms = { acceptIndex, scheme, network, asset, payTo, amount, offerValiditySeconds };
            return await createOfferEIP712(this.resourceUrl, terms, this.#sign);
          }),
        ),
    );
  }

  /** Returns the x402 extensions of a challenge's header; its body also has `bazaarExtension`. */
  async challengeExtensions(): Promise<Record<string, unknown>> {
    return {
      [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(),
      // Without the JSON Schema of the offers, which is longer than they are: proxies limit headers.
      [OFFER_RECEIPT]: { info: { offers: await this.offers() } },
    };
  }

  /** Returns what the seller signs about how a settled payment ended; nothing about one that has not. */
  async statement(payment: JobPayment | undefined, end: PaymentEnd | undefined): Promise<Statement> {
    if (payment && end === "proof") return { receipt: await this.#receipt(payment) };
    if (payment && end === "credit") return { creditNote: await this.#creditNote(payment) };
    return {};
  }

  /** States that a payment's proof was delivered. */
  async #receipt({ network, payer, transaction }: JobPayment): Promise<Receipt> {
    const terms = { resourceUrl: this.resourceUrl, network, payer, transaction };
    return receiptSchema.parse(await createReceiptEIP712(terms, this.#sign));
  }

  /** States that a payment got no proof, and that its payer has a credit for one. */
  async #creditNote({ network, payer, transaction, amount }: JobPayment): Promise<CreditNote> {
    const { resourceUrl } = this;
    const issuedAt = Math.floor(Date.now() / 1000);
    const payload = { version: 1, network, resourceUrl, payer, amount, issuedAt, transaction };
    const message = { ...payload, version: BigInt(payload.version), issuedAt: BigInt(issuedAt) };
    const { domain, primaryType, types } = creditNoteTypes;
    const signature = await this.#sign({
      domain,
      primaryType,
      types: { CreditNote: [...types.CreditNote] },
      message,
    });
    return creditNoteSchema.parse({ format: "eip712", payload, signature });
  }
}

/** Returns a statement as extensions of PAYMENT-RESPONSE. */
export function settledExtensions({ receipt, creditNote }: Statement): Record<string, unknown> | undefined {
  if (receipt) return { [OFFER_RECEIPT]: { info: { receipt } } };
  return creditNote && { [CREDIT_NOTE]: { info: { creditNote } } };
}

/** Describes how to call POST /api/v1/prove, for catalogs of x402 services (extension "bazaar"). */
export function bazaarExtension(circuit: CircuitId): Record<string, unknown> {
  const declaration = {
    method: "POST" as const,
    bodyType: "json" as const,
    input: { circuit, inputs: {} },
    inputSchema: {
      type: "object",
      properties: {
        circuit: { type: "string", enum: [circuit] },
        inputs: { type: "object", description: "As the circuit's guide says" },
      },
      required: ["circuit"],
    },
  };
  return declareDiscoveryExtension(declaration);
}
