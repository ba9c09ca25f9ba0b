import type { ProofType } from "@/lib/contract";
import { codesAnd, codesOr, countriesOr } from "@/lib/i18n/countries";
import type { Words } from "@/lib/i18n/words";
import type { CountryRule } from "./run/types";
import type { SealKind } from "./seal-mark";

/** What a topic asks for; the part of a topic that gates and seals need. */
export interface GateTerms {
  readonly proofType: ProofType;
  readonly requiredDomain: string | null;
  /** With a country gate, one of the two lists: who lives in these may enter, */
  readonly allowedCountries: readonly string[] | null;
  /** or who lives in none of these. */
  readonly excludedCountries: readonly string[] | null;
}

/** The list of a country gate, exactly as a proof for it must name it; null for other gates. */
export function countryRuleOf(terms: GateTerms): CountryRule | null {
  if (terms.proofType !== "country") return null;
  return terms.excludedCountries
    ? { countries: terms.excludedCountries, isIncluded: false }
    : { countries: terms.allowedCountries ?? [], isIncluded: true };
}

/** The gate as a sentence. */
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

/** What a proof about a list of countries says: "lives in FR, DE or NL". */
export function countryStatement(words: Words, { countries, isIncluded }: CountryRule): string {
  return isIncluded
    ? words.t("seal.countries", { list: codesOr(words, countries) })
    : words.t("seal.notCountries", { list: codesAnd(words, countries) });
}

/** What a seal for this gate says: "@acme.com". */
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
 * What others see of what its holder proved: the domain where they chose to show it, and otherwise only, inside a topic,
 * that they passed its gate as everybody there did.
 */
export function sealSees(words: Words, terms: GateTerms, shownDomains: readonly string[]): string {
  const { requiredDomain: domain } = terms;
  return domain && shownDomains.includes(domain)
    ? words.t("seal.sees.domain", { domain })
    : words.t("seal.sees.gate");
}

/** Glyph of a seal for this gate. */
export function sealKind(proofType: ProofType): SealKind {
  if (proofType === "kyc") return "person";
  return proofType === "country" ? "country" : "domain";
}
