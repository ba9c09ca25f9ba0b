import * as en from "@/lib/i18n/en";
import type { CircuitId } from "@/lib/proofs/deployment";
import { chainName, explorerLink, type PublicConfig } from "./config";
import { countryRuleOf, type GateTerms, sealKind, sealSees, sealStatement } from "./gate-words";
import type { SealFacts } from "./seal";

/** Circuit whose proof passes a gate. */
export function circuitFor(terms: GateTerms): CircuitId {
  if (terms.proofType === "country") return "partner_country_attestation";
  return terms.proofType === "kyc" ? "network_eligibility" : "oidc_domain_attestation";
}

function providerNames(terms: GateTerms, config: PublicConfig): string | undefined {
  const provider =
    terms.proofType === "workspace_a"
      ? "provider_a"
      : terms.proofType === "workspace_b"
        ? "provider_b"
        : null;
  const labels = config.issuers.filter((i) => !provider || i.provider === provider).map((i) => i.label);
  return labels.length > 0 ? [...new Set(labels)].join(` ${en.gate.or} `) : undefined;
}

function voucherFor(terms: GateTerms, circuit: CircuitId, config: PublicConfig): string | undefined {
  if (circuit === "oidc_domain_attestation") return providerNames(terms, config);
  const attester = config.attesters.find((one) => one.circuit === circuit);
  return attester && en.attested.attester(chainName(config, attester.chainId));
}

/** What a list of countries leaves open; of one country nothing. */
function hiddenOfCountries(terms: GateTerms): readonly string[] {
  const rule = countryRuleOf(terms);
  if (!rule) return [];
  if (!rule.isIncluded) return [en.attested.hiddenWhere];
  return rule.countries.length > 1 ? [en.attested.hiddenCountry] : [];
}

/** The facts of the seal that a gate asks for, or that its members carry. */
export function gateSeal(terms: GateTerms, config: PublicConfig): SealFacts {
  const circuit = circuitFor(terms);
  const wallet = circuit !== "oidc_domain_attestation";
  const verifier = config.verifiers.find((v) => v.circuit === circuit);
  return {
    kind: sealKind(terms.proofType),
    statement: sealStatement(terms),
    voucher: voucherFor(terms, circuit, config),
    sees: [sealSees(terms), wallet ? en.seal.sees.nicknameWallet : en.seal.sees.nickname],
    hides: [...hiddenOfCountries(terms), ...Object.values(wallet ? en.seal.hidesWallet : en.seal.hides)],
    circuit,
    technical: wallet ? en.seal.technicalWallet : en.seal.technical,
    verifier: verifier && {
      chain: chainName(config, verifier.chainId),
      address: verifier.address,
      href: explorerLink(config, verifier.chainId, "address", verifier.address),
    },
    forgeable: config.srs === "development",
  };
}
