import type { ProofType } from "@/lib/contract";
import * as en from "@/lib/i18n/en";
import type { SealKind } from "./seal-mark";

/** What a topic asks for; the part of a topic that gates and seals need. */
export interface GateTerms {
  readonly proofType: ProofType;
  readonly requiredDomain: string | null;
  readonly allowedCountries: readonly string[] | null;
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region" });
const eitherOf = new Intl.ListFormat("en", { type: "disjunction" });

/** "FR, DE or NL" in full names. */
export function countryList(codes: readonly string[]): string {
  return eitherOf.format(codes.map((code) => countryNames.of(code) ?? code));
}

/** The gate as a sentence. */
export function gateSentence(terms: GateTerms): string {
  switch (terms.proofType) {
    case "none":
      return en.gate.none;
    case "kyc":
      return en.gate.kyc;
    case "country":
      return en.gate.country(countryList(terms.allowedCountries ?? []));
    default:
      return terms.requiredDomain ? en.gate.domain(terms.requiredDomain) : en.gate.anyWorkspace;
  }
}

/** What a seal for this gate says: "@acme.com". */
export function sealStatement(terms: GateTerms): string {
  switch (terms.proofType) {
    case "kyc":
      return en.seal.person;
    case "country":
      return en.seal.countries(countryList(terms.allowedCountries ?? []));
    default:
      return terms.requiredDomain ? en.seal.domain(terms.requiredDomain) : en.seal.anyDomain;
  }
}

/** Glyph of a seal for this gate. */
export function sealKind(proofType: ProofType): SealKind {
  if (proofType === "kyc") return "person";
  return proofType === "country" ? "country" : "domain";
}
