import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { type ChallengeBody, encodeHeader, headers, type PaymentRequired } from "@/lib/proofs/wire";
import { requirements } from "../payment/payment";
import type { ProverRefusal } from "../refusal";
import { bazaarExtension, type Seller } from "../seller/seller";
import type { Nonces } from "../store/nonces";

/** Builds 402 answers. */
export class Challenges {
  constructor(
    readonly deployment: Deployment,
    readonly nonces: Nonces,
    /** The current price list (`Prices`): payments under its nonces are compared with it. */
    readonly priceList: number,
    /** Key for encrypting inputs; null for inputs in clear. */
    readonly teePublicKey: string | null,
    readonly seller: Pick<Seller, "challengeExtensions">,
  ) {}

  /**
   * Creates a new challenge for a circuit; with `refused`, the answer to a payment that was not accepted. The nonce is
   * outside `extra`, which standard clients compare with what they echo.
   */
  async create(circuit: CircuitId, refused?: ProverRefusal): Promise<Response> {
    const { proverUrl } = this.deployment.services;
    const message = refused?.message ?? "a proof costs the amount of one of the offers; sign one and send it";
    const required: PaymentRequired = {
      x402Version: 2,
      error: message,
      resource: {
        url: `${proverUrl}/api/v1/prove`,
        description: `Zero-knowledge proof: ${circuits[circuit].displayName}`,
        mimeType: "application/json",
      },
      accepts: this.deployment.offers.map(requirements),
      nonce: this.nonces.issue(circuit, this.priceList),
      extensions: await this.seller.challengeExtensions(),
    };
    const body: ChallengeBody = {
      ...required,
      extensions: { ...required.extensions, ...bazaarExtension(circuit) },
      error: refused ? "PAYMENT_INVALID" : "PAYMENT_REQUIRED",
      message,
      ...refused?.details,
      requiresPayment: true,
      guideUrl: `${proverUrl}/api/v1/guide/${circuit}`,
      teePublicKey: this.teePublicKey,
    };
    return Response.json(body, {
      status: 402,
      headers: { [headers.paymentRequired]: encodeHeader(required), "cache-control": "no-store" },
    });
  }
}
