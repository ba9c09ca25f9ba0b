import { type CircuitId, chainOf, type Deployment } from "@/lib/proofs/deployment";
import { circuits } from "@/lib/proofs/registry";
import { attestersOf, isAttestedCircuit } from "@/lib/proofs/trust/attesters";
import { requirements } from "../payment/payment";
import { circuitGuides } from "./circuits";

/**
 * GET /api/v1/guide/{circuit_id}: enough to write a client in another language.
 * The circuit must be one that is offered.
 */
export function createGuide(deployment: Deployment, id: CircuitId) {
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
          }
        : null,
      authorized_signers: attester?.signers ?? [],
      merkle_root: attester?.root ?? null,
      selector: attester?.selector ?? null,
      issuers: id === "oidc_domain_attestation" ? issuersOf(deployment) : [],
      payment: {
        x402_version: 2,
        scheme: "exact",
        price_atomic: info.priceAtomic.toString(),
        headers: { payment: "PAYMENT-SIGNATURE", nonce: "X-Payment-Nonce", receipt: "PAYMENT-RESPONSE" },
        rule: "The offers of the 402 answer govern. One signature buys one proof; resending it never charges again.",
      },
      x402: { chains: deployment.offers.map(requirements) },
    },
    formulas,
    endpoints: {
      prove: `POST ${proverUrl}/api/v1/prove`,
      job: `GET ${proverUrl}/api/v1/jobs/{token}`,
      job_events: `GET ${proverUrl}/api/v1/jobs/{token}/events`,
      guide: `GET ${proverUrl}/api/v1/guide/${id}`,
      openapi: `GET ${proverUrl}/openapi.json`,
    },
    limits: { body_bytes: 65_536, nonce_seconds: 300, ...limits },
    test_vectors: vectors,
    encryption: { teePublicKey: null },
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
