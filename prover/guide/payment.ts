import type { Deployment, PaymentOffer } from "@/lib/proofs/deployment";
import { headers } from "@/lib/proofs/wire";

/** Who submits a signed authorization, and what its payer needs for it. */
const settlements: Readonly<Record<PaymentOffer["settlement"], string>> = {
  facilitator: "a facilitator submits it and pays the gas; the payer needs the token in the wallet",
  payee: "this service submits it and pays the gas; the payer needs the token in the wallet",
  gateway:
    "a gateway takes it from the payer's deposit there, which is another balance than the wallet's, and settles in batches",
};

/** How a proof is paid for: what every circuit's guide says of it. @param priceAtomic units of a 6-decimal dollar */
export function paymentGuide({ offers }: Deployment, priceAtomic: bigint) {
  const byTransaction = offers.filter((offer) => offer.transactions);
  const offered = [...new Set(offers.map((offer) => offer.settlement))];
  return {
    x402_version: 2,
    scheme: "exact",
    price_atomic: priceAtomic.toString(),
    headers: {
      payment: headers.paymentSignature,
      nonce: headers.paymentNonce,
      transaction: headers.paymentTx,
      network: headers.paymentNetwork,
      receipt: headers.paymentResponse,
    },
    ways: {
      signature: {
        send: `${headers.paymentSignature}: base64 JSON {x402Version: 2, accepted: <the offer as it came>, payload: {signature, authorization}}`,
        sign: "EIP-712 TransferWithAuthorization (EIP-3009) {from, to: payTo, value: amount, validAfter, validBefore, nonce: 32 random bytes} under eip712_domain of the offer; by a key, or a contract wallet (ERC-1271)",
        settlements: Object.fromEntries(offered.map((name) => [name, settlements[name]])),
      },
      transaction:
        byTransaction.length === 0
          ? null
          : {
              send: `${headers.paymentTx}: hash; ${headers.paymentNonce}: the challenge's nonce; ${headers.paymentNetwork}: network, default ${byTransaction[0]?.network}`,
              calldata:
                "transfer(payTo, amount) of the asset (0xa9059cbb, two 32-byte words), then the 32 bytes keccak256(nonce)",
              amount:
                "at least the offer's amount, in one Transfer event of the asset to payTo; what is above it is not given back",
              networks: byTransaction.map(({ network, transactions }) => ({
                network,
                confirmations: transactions?.confirmations,
              })),
            },
    },
    rule: "The offers of the 402 answer govern. One payment buys one proof; resending it, with the same inputs, never charges again.",
  };
}
