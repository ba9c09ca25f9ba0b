import { z } from "zod";
import { addressSchema, hex32Schema } from "./hex";

/**
 * The one description of an installation that both programs read: chains, verifiers, issuers, payment
 * offers and service addresses. Everything here is public; secrets come from the environment.
 *
 * The development stack writes it to `.parley/deployment.json`; an operator writes it by hand (see
 * docs/deploy.md). What a client says about any of these values is never believed.
 */

/** Identifiers exactly as used on the wire (spec/prover-api.md, "Circuits"). */
export const circuitIds = [
  "oidc_domain_attestation",
  "partner_country_attestation",
  "network_eligibility",
  "regional_attestation",
] as const;
export const circuitIdSchema = z.enum(circuitIds);
export type CircuitId = z.infer<typeof circuitIdSchema>;

export const providerSchema = z.enum(["provider_a", "provider_b"]);
export type Provider = z.infer<typeof providerSchema>;

const chainSchema = z.object({
  id: z.int().positive(),
  name: z.string(),
  /** RPC endpoint our servers use. */
  rpcUrl: z.url(),
  /** Further ones, asked in this order while those before them fail. */
  rpcUrls: z.array(z.url()).max(10).optional(),
  /**
   * RPC endpoint our servers check proofs at; `rpcUrl` without it. Each check shows the node a proof's public inputs, a
   * domain and a nullifier among them, so give the address of a node of your own here.
   */
  verificationRpcUrl: z.url().optional(),
  /** RPC endpoint named in guides and used by browsers; the same as rpcUrl in development. */
  publicRpcUrl: z.url(),
  /** Base of a block explorer without trailing slash, or null. */
  explorerUrl: z.url().nullable(),
  /** What one native token (ETH) costs in USD at most, by the operator's estimate: bounds what a settlement may cost. */
  nativeTokenUsd: z.number().positive().optional(),
});

const verifierSchema = z.object({
  chainId: z.int().positive(),
  /** The canonical-input front contract with verify(bytes,bytes32[]). */
  address: addressSchema,
  vkHash: hex32Schema,
});

const issuerSchema = z.object({
  /** Claim rules of the circuit that apply to this issuer. */
  provider: providerSchema,
  /** Name shown to people. */
  label: z.string(),
  /** Exact `iss`, or for multi-tenant issuers a pattern with `{tenantid}`. */
  issuer: z.string(),
  /** Pinned key set address; never taken from a token. */
  jwksUri: z.url(),
  authorizationEndpoint: z.url(),
  deviceAuthorizationEndpoint: z.url(),
  tokenEndpoint: z.url(),
  /** Client for the browser's implicit id_token flow. */
  webClientId: z.string(),
  /** Client for the device flow of agents. */
  deviceClientId: z.string(),
  /** Google's device flow wants one although every installed app carries it; it protects nothing. */
  deviceClientSecret: z.string().optional(),
  /** True for the development identity provider, which production mode refuses. */
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
  /** EIP-712 domain that is signed: the asset's, or the gateway's ("GatewayWalletBatched", "1"). */
  eip712: z.object({ name: z.string(), version: z.string() }),
  /** The contract of that domain where it is not the asset: the gateway's wallet contract. */
  verifyingContract: addressSchema.optional(),
  /** Plain transfers (X-Payment-TX) are taken too, from this many blocks on; left out where they are not. */
  transactions: z.object({ confirmations: z.int().min(1).max(1000) }).optional(),
});
export type PaymentOffer = z.infer<typeof paymentOfferSchema>;

export const deploymentSchema = z.object({
  mode: z.enum(["development", "production"]),
  /** Application scope string; scope word = keccak256(utf8(scope)). */
  scope: z.string().min(1),
  srs: z.object({ kind: z.enum(["ignition", "development"]), digest: hex32Schema }),
  chains: z.array(chainSchema).min(1),
  /** Verifier per circuit; a circuit without one is not offered and not accepted. */
  verifiers: z.partialRecord(circuitIdSchema, verifierSchema),
  issuers: z.array(issuerSchema),
  offers: z.array(paymentOfferSchema),
  /**
   * Where attestations are looked up (`Attester.source` says which of the two a circuit uses); browsers ask them
   * too. An attested circuit whose source is absent is not offered.
   */
  attestations: z
    .object({
      /** GraphQL index of the attestation registry on chain 8453. */
      graphqlUrl: z.url().nullable(),
      /** Base of the block explorer of chain 91342, whose `/api?module=logs&action=getLogs` is used. */
      explorerUrl: z.url().nullable(),
    })
    .optional(),
  /** Example contracts that take action proofs (contracts/src); left out where there are none. */
  examples: z
    .object({ eligibleAction: z.object({ chainId: z.int().positive(), address: addressSchema }).optional() })
    .optional(),
  recordBoard: z.object({ chainId: z.int().positive(), address: addressSchema }).nullable(),
  services: z.object({
    /** Public base URLs without trailing slash. */
    appUrl: z.url(),
    proverUrl: z.url(),
    facilitatorUrl: z.url().nullable(),
    /** Batching gateway (`/v1/x402/...` below it) of the offers with gateway settlement. */
    gatewayUrl: z.url().nullable().optional(),
  }),
});
export type Deployment = z.infer<typeof deploymentSchema>;
export type Chain = Deployment["chains"][number];

/**
 * The configured chain with this id.
 * @throws Error when the installation has no such chain (a configuration mistake, not a client's).
 */
export function chainOf(deployment: Pick<Deployment, "chains">, chainId: number): Chain {
  const chain = deployment.chains.find((c) => c.id === chainId);
  if (!chain) throw new Error(`deployment has no chain ${chainId}`);
  return chain;
}
