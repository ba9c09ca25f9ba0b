import type { Words } from "@/lib/i18n/words";
import { gateCircuit } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";
import { hiddenBy } from "@/lib/proofs/hidden";
import { chainName, explorerLink, type PublicConfig } from "./config";
import { issuersFor } from "./demand";
import { countryRuleOf, type GateTerms, sealKind, sealSees, sealStatement } from "./gate-words";
import type { SealFacts } from "./seal";

function providerNames(words: Words, terms: GateTerms, config: PublicConfig): string | undefined {
  const labels = issuersFor(config, terms.proofType).map(({ label }) => label);
  return labels.length > 0 ? [...new Set(labels)].join(` ${words.t("gate.or")} `) : undefined;
}

function voucherFor(
  words: Words,
  terms: GateTerms,
  circuit: CircuitId,
  config: PublicConfig,
): string | undefined {
  if (circuit === "oidc_domain_attestation") return providerNames(words, terms, config);
  const attester = config.attesters.find((one) => one.circuit === circuit);
  return attester && words.t("attested.attester", { chain: chainName(config, attester.chainId) });
}

/**
 * Returns the facts of the seal that a gate requires and its members have.
 * @param shownDomains domains that its holder shows next to their name
 */
export function gateSeal(
  words: Words,
  terms: GateTerms,
  config: PublicConfig,
  shownDomains: readonly string[],
): SealFacts {
  // Without a gate, only an email domain can be proven.
  const circuit = terms.proofType === "none" ? "oidc_domain_attestation" : gateCircuit(terms.proofType);
  const wallet = circuit !== "oidc_domain_attestation";
  const verifier = config.verifiers.find((v) => v.circuit === circuit);
  return {
    kind: sealKind(terms.proofType),
    statement: sealStatement(words, terms),
    voucher: voucherFor(words, terms, circuit, config),
    sees: [
      sealSees(words, terms, shownDomains),
      wallet ? words.t("seal.sees.nicknameWallet") : words.t("seal.sees.nickname"),
    ],
    hides: hiddenBy(circuit, countryRuleOf(terms)).map((fact) => words.t(`seal.hides.${fact}`)),
    circuit,
    technical: wallet ? words.t("seal.technicalWallet") : words.t("seal.technical"),
    verifier: verifier && {
      chain: chainName(config, verifier.chainId),
      address: verifier.address,
      href: explorerLink(config, verifier.chainId, "address", verifier.address),
    },
    forgeable: config.srs === "development",
  };
}
