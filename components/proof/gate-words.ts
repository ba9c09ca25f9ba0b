import type { ProofType } from "@/lib/contract";
import { codesAnd, codesOr, countriesOr } from "@/lib/i18n/countries";
import * as en from "@/lib/i18n/en";
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
export function gateSentence(terms: GateTerms): string {
  switch (terms.proofType) {
    case "none":
      return en.gate.none;
    case "kyc":
      return en.gate.kyc;
    case "country": {
      const rule = countryRuleOf(terms);
      const names = countriesOr(rule?.countries ?? []);
      return rule?.isIncluded === false ? en.gate.notCountry(names) : en.gate.country(names);
    }
    default:
      return terms.requiredDomain ? en.gate.domain(terms.requiredDomain) : en.gate.anyWorkspace;
  }
}

/** What a proof about a list of countries says: "lives in FR, DE or NL". */
export function countryStatement({ countries, isIncluded }: CountryRule): string {
  return isIncluded ? en.seal.countries(codesOr(countries)) : en.seal.notCountries(codesAnd(countries));
}

/** What a seal for this gate says: "@acme.com". */
export function sealStatement(terms: GateTerms): string {
  switch (terms.proofType) {
    case "kyc":
      return en.seal.person;
    case "country":
      return countryStatement(countryRuleOf(terms) ?? { countries: [], isIncluded: true });
    default:
      return terms.requiredDomain ? en.seal.domain(terms.requiredDomain) : en.seal.anyDomain;
  }
}

/** What others see of the holder of such a seal, in full: countries by their names. */
export function sealSees(terms: GateTerms): string {
  const rule = countryRuleOf(terms);
  if (rule) {
    const names = countriesOr(rule.countries);
    return rule.isIncluded ? en.seal.sees.countries(names) : en.seal.sees.notCountries(names);
  }
  if (terms.proofType === "kyc") return en.seal.sees.person;
  return terms.requiredDomain ? en.seal.sees.domain(terms.requiredDomain) : en.seal.anyDomain;
}

/** Glyph of a seal for this gate. */
export function sealKind(proofType: ProofType): SealKind {
  if (proofType === "kyc") return "person";
  return proofType === "country" ? "country" : "domain";
}
