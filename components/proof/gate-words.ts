import type { ProofType } from "@/lib/contract";
import { codesAnd, codesOr, countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import type { CountryRule } from "./run/types";
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
      return rule?.isIncluded === false
        ? words.t("gate.notCountry", { list: names })
        : words.t("gate.country", { list: names });
    }
    default:
      return terms.requiredDomain
        ? words.t("gate.domain", { domain: terms.requiredDomain })
        : words.t("gate.anyWorkspace");
  }
}

/** Returns the text of a proof about countries: "lives in FR, DE or NL". */
export function countryStatement(words: Words, { countries, isIncluded }: CountryRule): string {
  return isIncluded
    ? words.t("seal.countries", { list: codesOr(words, countries) })
    : words.t("seal.notCountries", { list: codesAnd(words, countries) });
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

/**
 * Returns what others see of a proof: the domain if its holder chose to show it; otherwise only, inside the topic, that they
 * passed the gate like every member.
 */
export function sealSees(words: Words, terms: GateTerms, shownDomains: readonly string[]): string {
  const { requiredDomain: domain } = terms;
  return domain && shownDomains.includes(domain)
    ? words.t("seal.sees.domain", { domain })
    : words.t("seal.sees.gate");
}

/** Returns the kind of seal for this gate. */
export function sealKind(proofType: ProofType): SealKind {
  if (proofType === "kyc") return "person";
  return proofType === "country" ? "country" : "domain";
}
