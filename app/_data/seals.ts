import { cache } from "react";
import { countryRuleOf, type GateTerms, gateSeal } from "@/components/proof/gate-words";
import type { SealFacts } from "@/components/proof/seal";
import { type StoredProof, storedProofs } from "@/lib/community/topics/stored-proofs";
import { pageContext } from "@/lib/http/page";
import type { Words } from "@/lib/i18n/words";
import { type Gate, gateDecision, gateTypeOf, isWorkspace } from "@/lib/policy/gate";
import { shownDomains } from "./me";
import { config, viewer } from "./reads";

/** The visitor's unexpired verifications, latest first. */
const verifications = cache(async (): Promise<readonly StoredProof[]> => {
  const ctx = await pageContext();
  return ctx.caller ? await storedProofs(ctx, ctx.caller.userId) : [];
});

/** Returns the visitor's seals, one per proven statement. */
export async function mySeals(words: Words): Promise<readonly SealFacts[]> {
  const [settings, shown] = await Promise.all([config(), shownDomains()]);
  const seen = new Set<string>();
  return (await verifications()).flatMap((proof) => {
    const terms = termsOf(proof);
    if (!terms) return [];
    const life = { checkedAt: proof.provenAt.getTime(), until: proof.expiresAt.getTime() };
    const seal = { ...gateSeal(words, terms, settings, shown), ...life };
    const isNew = !seen.has(seal.statement);
    seen.add(seal.statement);
    return isNew ? [seal] : [];
  });
}

/** Returns the terms of the most specific gate that a proof opens; null for a circuit that opens none. */
function termsOf({ circuit, provider, domain, countries, countriesIncluded }: StoredProof): GateTerms | null {
  const proofType = gateTypeOf(circuit, provider);
  if (!proofType) return null;
  return {
    proofType,
    requiredDomain: domain,
    allowedCountries: countriesIncluded === true ? countries : null,
    excludedCountries: countriesIncluded === false ? countries : null,
  };
}

/** Returns whether a stored verification seems to open this gate. Only a hint for the button: the join decides. */
export async function looksPassed(terms: GateTerms): Promise<boolean> {
  const gate = gateOfView(terms);
  if (!gate) return true;
  return (await verifications()).some((proof) => gateDecision(gate, proof) === "allowed");
}

/** Returns whether the visitor can join a topic with what they have proven, or with nothing. */
export async function standingAt(terms: GateTerms): Promise<"guest" | "passed" | "not_passed"> {
  if (!(await viewer())) return "guest";
  return (await looksPassed(terms)) ? "passed" : "not_passed";
}

/** Returns the gate of a topic's view; null if anyone may join. */
function gateOfView(terms: GateTerms): Gate | null {
  const { proofType: type } = terms;
  if (type === "none") return null;
  if (type === "kyc") return { type };
  if (isWorkspace(type)) return { type, requiredDomain: terms.requiredDomain?.toLowerCase() ?? "" };
  const rule = countryRuleOf(terms);
  return { type, permitted: { countries: rule?.countries ?? [], included: rule?.isIncluded ?? true } };
}
