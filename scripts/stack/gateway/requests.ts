import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { isAddressEqual, recoverTypedDataAddress } from "viem";
import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema, hexSchema } from "@/lib/proofs/hex";
import { transferTypes } from "@/lib/proofs/wire";

const amount = z.string().regex(/^(0|[1-9][0-9]*)$/);

const requirementsSchema = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  asset: addressSchema,
  amount,
  payTo: addressSchema,
  maxTimeoutSeconds: z.number(),
  extra: z.looseObject({ name: z.string(), version: z.string(), verifyingContract: addressSchema }),
});

/** Body of /v1/x402/verify and /v1/x402/settle. */
export const paymentSchema = z.looseObject({
  paymentPayload: z.looseObject({
    x402Version: z.literal(2),
    payload: z.looseObject({
      signature: hexSchema,
      authorization: z.object({
        from: addressSchema,
        to: addressSchema,
        value: amount,
        validAfter: amount,
        validBefore: amount,
        nonce: hex32Schema,
      }),
    }),
  }),
  paymentRequirements: requirementsSchema,
});
export type Payment = z.infer<typeof paymentSchema>;

/** Query of GET /v1/x402/transfers. */
export const transfersQuerySchema = z.object({
  network: z.string().optional(),
  from: addressSchema.optional(),
  to: addressSchema.optional(),
  nonce: hex32Schema.optional(),
});

/** Body of POST /v1/balances. */
export const balancesSchema = z.object({
  token: z.literal("USDC"),
  sources: z.array(z.object({ domain: z.int(), depositor: addressSchema })).max(20),
});

/** Body of POST /deposits. The real gateway lacks it: there a deposit is a transaction. */
export const depositSchema = z.object({ network: z.string(), depositor: addressSchema, amount });

/** A network on which the gateway moves deposits, with the wallet contract that payers sign for. */
export type GatewayNetwork = ReturnType<typeof servedNetworks>[number];

/** Circle's minimum validity: a batch may take that long. */
const MIN_VALIDITY_SECONDS = 7n * 24n * 3600n;

/**
 * Runs the read-only checks of Circle Gateway (developers.circle.com/openapi/gateway-nanopayments.yaml). Settlement
 * checks the balance and the nonce.
 * @param now seconds
 * @returns Circle's code of the problem, or undefined
 */
export async function paymentProblem(
  payment: Payment,
  networks: readonly GatewayNetwork[],
  now: bigint,
): Promise<string | undefined> {
  const { paymentRequirements: asked, paymentPayload } = payment;
  const { authorization, signature } = paymentPayload.payload;
  const served = networks.find(({ network }) => network === asked.network);
  if (asked.scheme !== "exact") return "unsupported_scheme";
  if (!served) return "unsupported_network";
  if (!isAddressEqual(asked.asset, served.asset)) return "unsupported_asset";
  if (!isAddressEqual(asked.extra.verifyingContract, served.verifyingContract)) return "unsupported_domain";
  if (!isAddressEqual(authorization.to, asked.payTo)) return "address_mismatch";
  if (authorization.value !== asked.amount) return "amount_mismatch";
  if (isAddressEqual(authorization.from, authorization.to)) return "self_transfer";
  const validBefore = BigInt(authorization.validBefore);
  if (BigInt(authorization.validAfter) > now) return "authorization_not_yet_valid";
  if (validBefore <= now) return "authorization_expired";
  if (validBefore - now < MIN_VALIDITY_SECONDS) return "authorization_validity_too_short";
  const signer = await recoverTypedDataAddress({
    domain: {
      name: CIRCLE_BATCHING_NAME,
      version: CIRCLE_BATCHING_VERSION,
      chainId: Number(served.network.slice("eip155:".length)),
      verifyingContract: served.verifyingContract,
    },
    types: transferTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from,
      to: authorization.to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore,
      nonce: authorization.nonce,
    },
    signature,
  }).catch(() => undefined);
  return signer && isAddressEqual(signer, authorization.from) ? undefined : "invalid_signature";
}

/** Returns the networks on which a deployment's offers settle through a gateway. */
export function servedNetworks(offers: readonly PaymentOffer[]) {
  return offers.flatMap(({ settlement, network, asset, verifyingContract }) =>
    settlement === "gateway" && verifyingContract ? [{ network, asset, verifyingContract }] : [],
  );
}
