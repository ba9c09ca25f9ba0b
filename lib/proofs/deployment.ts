import { z } from "zod";
import { addressSchema, hex32Schema } from "./hex";

/**
 * The description of an installation that both programs read: chains, verifiers, issuers, payment offers and service
 * addresses. Everything here is public; secrets come from the environment. The development stack writes it to
 * `.parley/deployment.json`; an operator writes it by hand (docs/deploy.md). Clients can never override these values.
 */

/** Circuit ids, as on the wire (spec/prover-api.md, "Circuits"). */
export const circuitIds = [
  "oidc_domain_attestation",
  "partner_country_attestation",
  "network_eligibility",
  "regional_attestation",
] as const;
export const circuitIdSchema = z.enum(circuitIds);
export type CircuitId = z.infer<typeof circuitIdSchema>;

/** Every circuit: those whose proofs the prover sells, and the one that members prove themselves. */
export const circuitNames = [...circuitIds, "anonymous_membership"] as const;
export type CircuitName = (typeof circuitNames)[number];

export const providerSchema = z.enum(["provider_a", "provider_b"]);
export type Provider = z.infer<typeof providerSchema>;

const chainSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  /** RPC endpoint for our servers. */
  rpcUrl: z.url(),
  /** Fallback endpoints, tried in this order. */
  rpcUrls: z.array(z.url()).max(10).optional(),
  /**
   * RPC endpoint where our servers verify proofs; default `rpcUrl`. Each call shows the node a proof's public inputs,
   * including a domain and a nullifier, so use a node of your own.
   */
  verificationRpcUrl: z.url().optional(),
  /** RPC endpoint for browsers and guides; the same as rpcUrl in development. */
  publicRpcUrl: z.url(),
  /** Base URL of a block explorer, without a trailing slash. */
  explorerUrl: z.url().nullable(),
  /** The operator's upper estimate of one native token (ETH) in USD: limits what a settlement may cost. */
  nativeTokenUsd: z.number().positive().optional(),
});

const verifierSchema = z.object({
  chainId: z.int().positive(),
  /** Contract VerifierFront, which has verify(bytes,bytes32[]) and accepts canonical inputs only. */
  address: addressSchema,
  vkHash: hex32Schema,
});

const issuerSchema = z.object({
  /** Selects the circuit's claim rules for this issuer. */
  provider: providerSchema,
  /** Name shown to people. */
  label: z.string(),
  /** Exact `iss`, or a pattern with `{tenantid}` for a multi-tenant issuer. */
  issuer: z.string(),
  /** Pinned key set URL; never taken from a token. */
  jwksUri: z.url(),
  authorizationEndpoint: z.url(),
  deviceAuthorizationEndpoint: z.url(),
  tokenEndpoint: z.url(),
  /** OAuth client for the browser's implicit id_token flow. */
  webClientId: z.string(),
  /** OAuth client for the device flow of agents. */
  deviceClientId: z.string(),
  /** Google's device flow requires one. It is not confidential: every installed app contains it. */
  deviceClientSecret: z.string().optional(),
  /** True for the development identity provider, which production mode rejects. */
  development: z.boolean(),
});
export type Issuer = z.infer<typeof issuerSchema>;

export const paymentOfferSchema = z.object({
  chainId: z.int().positive(),
  /** CAIP-2, e.g. eip155:8453. */
  network: z.templateLiteral(["eip155:", z.int()]),
  asset: addressSchema,
  /** Display symbol, e.g. USDC. */
  symbol: z.string(),
  decimals: z.literal(6),
  /** Atomic units; 100000 = 0.10 USD. */
  amount: z.string().regex(/^[1-9][0-9]*$/),
  payTo: addressSchema,
  settlement: z.enum(["facilitator", "payee", "gateway"]),
  /** EIP-712 domain to sign: the asset's, or the gateway's ("GatewayWalletBatched", "1"). */
  eip712: z.object({ name: z.string(), version: z.string() }),
  /** Contract of that domain if it is not the asset: the gateway's wallet contract. */
  verifyingContract: addressSchema.optional(),
  /** Accepts plain transfers (X-Payment-TX) with this many confirmations. */
  transactions: z.object({ confirmations: z.int().min(1).max(1000) }).optional(),
});
export type PaymentOffer = z.infer<typeof paymentOfferSchema>;

export const deploymentSchema = z.object({
  mode: z.enum(["development", "production"]),
  /** Application scope string; its scope word is keccak256(utf8(scope)). */
  scope: z.string().min(1),
  srs: z.object({ kind: z.enum(["ignition", "development"]), digest: hex32Schema }),
  chains: z.array(chainSchema).min(1),
  /** Verifier per circuit; a circuit without one is neither offered nor accepted. */
  verifiers: z.partialRecord(circuitIdSchema, verifierSchema),
  issuers: z.array(issuerSchema),
  offers: z.array(paymentOfferSchema),
  /**
   * Where servers and browsers look up attestations; `Attester.source` selects one of the two per circuit. A circuit
   * without its source is not offered.
   */
  attestations: z
    .object({
      /** GraphQL index of the attestation registry on chain 8453. */
      graphqlUrl: z.url().nullable(),
      /** Base URL of the block explorer of chain 91342, for `/api?module=logs&action=getLogs`. */
      explorerUrl: z.url().nullable(),
    })
    .optional(),
  /** Example contracts that take action proofs (contracts/src). */
  examples: z
    .object({ eligibleAction: z.object({ chainId: z.int().positive(), address: addressSchema }).optional() })
    .optional(),
  recordBoard: z.object({ chainId: z.int().positive(), address: addressSchema }).nullable(),
  services: z.object({
    /** Public base URLs without trailing slash. */
    appUrl: z.url(),
    proverUrl: z.url(),
    facilitatorUrl: z.url().nullable(),
    /** Base URL of the batching gateway (`/v1/x402/...`), for offers with gateway settlement. */
    gatewayUrl: z.url().nullable().optional(),
  }),
});
export type Deployment = z.infer<typeof deploymentSchema>;
export type Chain = Deployment["chains"][number];

/** What an installation publishes of its description: everything but the endpoints of its servers. */
export function publicDeployment(deployment: Deployment): Deployment {
  const { mode, scope, srs, verifiers, issuers, offers, attestations, examples, recordBoard } = deployment;
  const { appUrl, proverUrl } = deployment.services;
  return {
    ...{ mode, scope, srs, verifiers, issuers, offers, attestations, examples, recordBoard },
    chains: deployment.chains.map(({ id, name, publicRpcUrl, explorerUrl }) => ({
      ...{ id, name, publicRpcUrl, explorerUrl },
      rpcUrl: publicRpcUrl,
    })),
    services: { appUrl, proverUrl, facilitatorUrl: null },
  };
}

/** Returns the configured chain with this id. @throws Error for a missing chain: a configuration error, not a client's */
export function chainOf(deployment: Pick<Deployment, "chains">, chainId: number): Chain {
  const chain = deployment.chains.find((c) => c.id === chainId);
  if (!chain) throw new Error(`deployment has no chain ${chainId}`);
  return chain;
}
