import { cache } from "react";
import { countryRuleOf, type GateTerms, gateSeal } from "@/components/proof/gate-words";
import type { SealFacts } from "@/components/proof/seal";
import { pageContext } from "@/lib/http/page";
import type { Words } from "@/lib/i18n/words";
import { type CountrySet, countriesWithin, gateTypeOf } from "@/lib/policy/gate";
import { shownDomains } from "./me";
import { config } from "./reads";

interface Verification {
  /** The gate it opens. */
  readonly terms: GateTerms;
  readonly verifiedAt: number;
  readonly until: number;
}

/** The visitor's unexpired verifications, latest first. */
const verifications = cache(async (): Promise<readonly Verification[]> => {
  const ctx = await pageContext();
  if (!ctx.caller) return [];
  const { userId } = ctx.caller;
  const rows = await ctx.db
    .selectFrom("verifications")
    .select(["circuit", "provider", "sealed", "verified_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", ctx.now())
    .orderBy("verified_at", "desc")
    .execute();
  const opened = await Promise.all(
    rows.map(async (row) => ({
      ...row,
      facts: await ctx.facts.open({ userId, circuit: row.circuit }, row.sealed),
    })),
  );
  return opened.flatMap(({ facts, ...row }) => {
    const proofType = gateTypeOf(row.circuit, row.provider);
    if (!facts || !proofType) return [];
    return {
      terms: {
        proofType,
        requiredDomain: facts.domain,
        allowedCountries: facts.countriesIncluded === true ? facts.countries : null,
        excludedCountries: facts.countriesIncluded === false ? facts.countries : null,
      },
      verifiedAt: row.verified_at.getTime(),
      until: row.expires_at.getTime(),
    };
  });
});

/** Returns the visitor's seals, one per proven statement. */
export async function mySeals(words: Words): Promise<readonly SealFacts[]> {
  const [settings, shown] = await Promise.all([config(), shownDomains()]);
  const seen = new Set<string>();
  return (await verifications()).flatMap(({ terms, verifiedAt, until }) => {
    const seal = { ...gateSeal(words, terms, settings, shown), checkedAt: verifiedAt, until };
    const isNew = !seen.has(seal.statement);
    seen.add(seal.statement);
    return isNew ? [seal] : [];
  });
}

/** Returns whether a stored verification seems to open this gate. Only a hint for the button: the join decides. */
export async function looksPassed(gate: GateTerms): Promise<boolean> {
  if (gate.proofType === "none") return true;
  return (await verifications()).some(({ terms }) => opens(terms, gate));
}

function opens(terms: GateTerms, gate: GateTerms): boolean {
  switch (gate.proofType) {
    case "none":
    case "kyc":
      return terms.proofType === gate.proofType;
    case "country": {
      const [proven, asked] = [countrySet(terms), countrySet(gate)];
      return proven !== null && asked !== null && countriesWithin(proven, asked);
    }
    case "workspace":
    case "workspace_a":
    case "workspace_b": {
      const rightProvider =
        gate.proofType === terms.proofType ||
        (gate.proofType === "workspace" && terms.proofType.startsWith("workspace"));
      return rightProvider && terms.requiredDomain?.toLowerCase() === gate.requiredDomain?.toLowerCase();
    }
  }
}

function countrySet(terms: GateTerms): CountrySet | null {
  const rule = countryRuleOf(terms);
  return rule && { countries: rule.countries, included: rule.isIncluded };
}
