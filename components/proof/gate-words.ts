import type { ProofType } from "@/lib/contract";
import { codesOr, countriesOr } from "@/lib/i18n/countries";
import { listed } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { gateCircuit, gateProvider } from "@/lib/policy/gate";
import type { CircuitId } from "@/lib/proofs/deployment";
import { hiddenBy } from "@/lib/proofs/hidden";
import { chainName, explorerLink, type PublicConfig, type PublicIssuer } from "./config";
import type { CountryRule } from "./run/types";
import type { SealFacts } from "./seal";
import type { SealKind } from "./seal-mark";

/** The part of a topic that describes its gate. */
export interface GateTerms {
  readonly proofType: ProofType;
  readonly requiredDomain: string | null;
  /** A country gate has one of the two lists: residents of these countries may join, */
  readonly allowedCountries: readonly string[] | null;
  /** or residents of any other country. */
  readonly excludedCountries: readonly string[] | null;
}

/** Returns the list of a country gate exactly as its proofs must name it; null for other gates. */
export function countryRuleOf(terms: GateTerms): CountryRule | null {
  if (terms.proofType !== "country") return null;
  return terms.excludedCountries
    ? { countries: terms.excludedCountries, isIncluded: false }
    : { countries: terms.allowedCountries ?? [], isIncluded: true };
}

/** Returns the gate as a sentence. */
export function gateSentence(words: Words, terms: GateTerms): string {
  switch (terms.proofType) {
    case "none":
      return words.t("gate.none");
    case "kyc":
      return words.t("gate.kyc");
    case "country": {
      const rule = countryRuleOf(terms);
      const names = countriesOr(words, rule?.countries ?? []);
      return words.t(rule?.isIncluded === false ? "gate.notCountry" : "gate.country", { list: names });
    }
    default:
      return terms.requiredDomain
        ? words.t("gate.domain", { domain: terms.requiredDomain })
        : words.t("gate.anyWorkspace");
  }
}

/** Returns the text of a proof about countries: "lives in FR, DE or NL". */
export function countryStatement(words: Words, { countries, isIncluded }: CountryRule): string {
  if (isIncluded) return words.t("seal.countries", { list: codesOr(words, countries) });
  return words.t("seal.notCountries", { list: listed(words, countries) });
}

/** Returns the text of a seal for this gate: "@acme.com". */
export function sealStatement(words: Words, terms: GateTerms): string {
  switch (terms.proofType) {
    case "kyc":
      return words.t("seal.person");
    case "country":
      return countryStatement(words, countryRuleOf(terms) ?? { countries: [], isIncluded: true });
    default:
      return terms.requiredDomain
        ? words.t("seal.domain", { domain: terms.requiredDomain })
        : words.t("seal.anyDomain");
  }
}

/** Returns the kind of seal for this gate. */
export function sealKind(proofType: ProofType): SealKind {
  if (proofType === "kyc") return "person";
  return proofType === "country" ? "country" : "domain";
}

/** Returns the configured issuers whose proofs a gate accepts. */
export function issuersFor(
  { issuers }: Pick<PublicConfig, "issuers">,
  type: GateTerms["proofType"],
): readonly PublicIssuer[] {
  const provider = gateProvider(type);
  return provider ? issuers.filter((issuer) => issuer.provider === provider) : issuers;
}

/** Returns who vouches for such a proof; undefined when no provider or attester is configured. */
function voucherFor(words: Words, terms: GateTerms, circuit: CircuitId, config: PublicConfig) {
  if (circuit === "oidc_domain_attestation") {
    const labels = new Set(issuersFor(config, terms.proofType).map(({ label }) => label));
    return labels.size > 0 ? [...labels].join(` ${words.t("gate.or")} `) : undefined;
  }
  const attester = config.attesters.find((one) => one.circuit === circuit);
  return attester && words.t("attested.attester", { chain: chainName(config, attester.chainId) });
}

/** Returns the facts of a gate's seal. @param shownDomains domains that its holder shows next to their name */
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
  const { requiredDomain: domain } = terms;
  return {
    kind: sealKind(terms.proofType),
    statement: sealStatement(words, terms),
    voucher: voucherFor(words, terms, circuit, config),
    sees: [
      // Without the domain, others see only, inside the topic, that the holder passed the gate.
      domain && shownDomains.includes(domain)
        ? words.t("seal.sees.domain", { domain })
        : words.t("seal.sees.gate"),
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
