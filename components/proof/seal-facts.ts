import * as en from "@/lib/i18n/en";
import type { CircuitId } from "@/lib/proofs/deployment";
import { explorerLink, type PublicConfig } from "./config";
import { type GateTerms, sealKind, sealStatement } from "./gate-words";
import type { SealFacts } from "./seal";

/** Circuit whose proof passes a gate; null for a kind of gate that has none yet. */
export function circuitFor(terms: GateTerms): CircuitId {
  if (terms.proofType === "country") return "partner_country_attestation";
  return terms.proofType === "kyc" ? "network_eligibility" : "oidc_domain_attestation";
}

function voucherFor(terms: GateTerms, config: PublicConfig): string | undefined {
  const provider =
    terms.proofType === "workspace_a"
      ? "provider_a"
      : terms.proofType === "workspace_b"
        ? "provider_b"
        : null;
  const labels = config.issuers.filter((i) => !provider || i.provider === provider).map((i) => i.label);
  return labels.length > 0 ? [...new Set(labels)].join(` ${en.gate.or} `) : undefined;
}

/** The facts of the seal that a gate asks for, or that its members carry. */
export function gateSeal(terms: GateTerms, config: PublicConfig): SealFacts {
  const circuit = circuitFor(terms);
  const verifier = config.verifiers.find((v) => v.circuit === circuit);
  const chain = config.chains.find((c) => c.id === verifier?.chainId);
  const statement = sealStatement(terms);
  return {
    kind: sealKind(terms.proofType),
    statement,
    voucher: circuit === "oidc_domain_attestation" ? voucherFor(terms, config) : undefined,
    sees: [
      terms.requiredDomain ? en.seal.sees.domain(terms.requiredDomain) : statement,
      en.seal.sees.nickname,
    ],
    hides: Object.values(en.seal.hides),
    circuit,
    verifier:
      verifier && chain
        ? {
            chain: chain.name,
            address: verifier.address,
            href: explorerLink(config, chain.id, "address", verifier.address),
          }
        : undefined,
    forgeable: config.srs === "development",
  };
}
