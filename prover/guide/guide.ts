import type { Address } from "viem";
import { type CircuitId, chainOf, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { attestersOf, isAttestedCircuit } from "@/lib/proofs/trust/attesters";
import { headers } from "@/lib/proofs/wire";
import { maxBodyBytes, maxDepth } from "../http/body";
import type { LimitSettings } from "../http/limits";
import { requirements } from "../payment/payment";
import { circuitGuides } from "./circuits";

/** Who submits a signed authorization, and what its payer needs for it. */
const settlements: Readonly<Record<PaymentOffer["settlement"], string>> = {
  facilitator: "a facilitator submits it and pays the gas; the payer needs the token in the wallet",
  payee: "this service submits it and pays the gas; the payer needs the token in the wallet",
  gateway:
    "a gateway takes it from the payer's deposit there, which is another balance than the wallet's, and settles in batches",
};

/** Describes payment, the same for every circuit. @param priceAtomic units of a 6-decimal dollar */
function paymentGuide({ offers }: Deployment, priceAtomic: bigint) {
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

/** Facts about this installation. */
export interface ServiceFacts {
  /** Key for encrypting inputs; null for inputs in clear. */
  teePublicKey: string | null;
  limits: LimitSettings;
  /** Milliseconds from settlement within which a proof is promised. */
  deliveryMs: number;
  /** Signs offers, receipts and credit notes. */
  receiptSigner: Address;
}

/** Builds GET /api/v1/guide/{circuit_id}, enough to write a client in another language. @throws Error for a circuit that is not offered */
export function createGuide(deployment: Deployment, id: CircuitId, service: ServiceFacts) {
  const info = circuits[id];
  const verifier = deployment.verifiers[id];
  if (!verifier) throw new Error(`${id} is not offered`);
  const chain = chainOf(deployment, verifier.chainId);
  const attester = isAttestedCircuit(id) ? attestersOf(deployment.mode)[id] : undefined;
  const { fields, serverComputed, formulas, limits, vectors } = circuitGuides[id](deployment);
  const { proverUrl } = deployment.services;
  return {
    circuit_id: id,
    display_name: info.displayName,
    description: info.description,
    reveals: info.reveals,
    hides: info.hides,
    input_schema: {
      fields,
      client_fields: fields.map((field) => field.name),
      server_computed_fields: serverComputed,
    },
    public_inputs: info.layout,
    constants: {
      verification: {
        chain_id: verifier.chainId,
        verifier_address: verifier.address,
        vk_hash: verifier.vkHash,
        function_signature: "verify(bytes proof, bytes32[] publicInputs) view returns (bool)",
        rpc: chain.publicRpcUrl,
      },
      attestation: attester
        ? {
            chain_id: attester.chainId,
            registry: attester.registry,
            attester_contract: attester.contract,
            schema: attester.schema,
            source: attester.source,
            graphql_url: deployment.attestations?.graphqlUrl ?? null,
            explorer_url: deployment.attestations?.explorerUrl ?? null,
          }
        : null,
      authorized_signers: attester?.signers ?? [],
      merkle_root: attester?.root ?? null,
      selector: attester?.selector ?? null,
      issuers: id === "oidc_domain_attestation" ? issuersOf(deployment) : [],
      payment: paymentGuide(deployment, info.priceAtomic),
      x402: { chains: deployment.offers.map(requirements) },
    },
    formulas,
    endpoints: {
      prove: `POST ${proverUrl}/api/v1/prove`,
      job: `GET ${proverUrl}/api/v1/jobs/{token}`,
      job_events: `GET ${proverUrl}/api/v1/jobs/{token}/events`,
      purchases: `GET ${proverUrl}/api/v1/purchases`,
      promises: `GET ${proverUrl}/api/v1/promises`,
      guide: `GET ${proverUrl}/api/v1/guide/${id}`,
      openapi: `GET ${proverUrl}/openapi.json`,
      discovery: `GET ${proverUrl}/.well-known/x402`,
      health: `GET ${proverUrl}/health`,
      live: `GET ${proverUrl}/health/live`,
      ready: `GET ${proverUrl}/health/ready`,
      for_people: proverUrl,
    },
    limits: { ...serviceLimits(service.limits), ...limits },
    test_vectors: vectors,
    encryption: encryptionGuide(id, service.teePublicKey),
    srs: deployment.srs.kind,
    srs_note:
      deployment.srs.kind === "development"
        ? "Development setup data: anybody can forge proofs under it. Do not rely on these proofs."
        : null,
  };
}

function issuersOf({ issuers }: Deployment) {
  return issuers.map(({ provider, label, issuer, jwksUri, webClientId, deviceClientId, development }) => ({
    provider,
    label,
    issuer,
    jwks_uri: jwksUri,
    client_ids: { web: webClientId, device: deviceClientId },
    development,
  }));
}

function serviceLimits({ challenges, attempts, requests }: LimitSettings) {
  return {
    body_bytes: maxBodyBytes,
    json_depth: maxDepth,
    nonce_seconds: 300,
    sync_answer_seconds: 50,
    proof_kept_hours: 24,
    requests_per_minute: requests,
    challenges_per_minute: challenges,
    /** Requests whose witness was solved and that settled nothing. */
    unsettled_attempts_per_10_minutes: attempts,
  };
}

/** How inputs travel. */
function encryptionGuide(circuit: CircuitId, teePublicKey: string | null) {
  const format = "compact JWE (RFC 7516): alg ECDH-ES on X25519 (RFC 8037), enc A256GCM";
  return {
    teePublicKey,
    required: teePublicKey !== null,
    format,
    protected_header: { alg: "ECDH-ES", enc: "A256GCM", purpose: circuit },
    recipient: "JWK {kty: OKP, crv: X25519, x: teePublicKey}",
    inputs:
      teePublicKey === null
        ? "sent in clear, over HTTPS"
        : '{"encrypted": "<compact JWE of the JSON of the inputs>"}',
    who_reads_them: "this service: it makes the witness from them. They are never written to disk or log.",
  };
}
