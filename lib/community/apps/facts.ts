import type { Context } from "@/lib/context";
import type { AppClaim } from "@/lib/contract/app-claims";
import { isConsumerDomain } from "@/lib/policy/consumer-domains";
import { type Gate, gateDecision } from "@/lib/policy/gate";
import { type StoredProof, storedProofs } from "../topics/stored-proofs";

/** One thing that an app asks. */
export interface AskedClaim {
  readonly claim: AppClaim;
  /** Domains or countries of which one must be the person's; null where any will do. */
  readonly values: readonly string[] | null;
  /** Whether the app does not go on without it. */
  readonly essential: boolean;
}

/** What an app is told, by claim. */
export interface ToldClaims {
  readonly domain?: string;
  /** Countries by ISO 3166-1 alpha-2 code, in one of which the person lives. */
  readonly country_in?: readonly string[];
  readonly human?: true;
}

/**
 * Returns what a person's proofs of the last 30 days say to what an app asks; without what they do not say. A question with
 * values is answered by those of it that hold, and tells nothing beyond them.
 */
export async function answersTo(
  ctx: Pick<Context, "db" | "facts" | "now">,
  userId: string,
  asked: readonly AskedClaim[],
): Promise<ToldClaims> {
  if (asked.length === 0) return {};
  const proofs = await storedProofs(ctx, userId);
  return Object.assign({}, ...asked.map(({ claim, values }) => answers[claim](proofs, values)));
}

type Answer = (proofs: readonly StoredProof[], values: AskedClaim["values"]) => ToldClaims;

const answers: Readonly<Record<AppClaim, Answer>> = {
  human: (proofs) => (opens(proofs, { type: "kyc" }) ? { human: true } : {}),
  domain(proofs, values) {
    const proven = proofs.flatMap(({ domain }) => domain?.toLowerCase() ?? []);
    const named = values?.map((value) => value.toLowerCase());
    const domain = proven.find((its) => !isConsumerDomain(its) && (named?.includes(its) ?? true));
    return domain === undefined ? {} : { domain };
  },
  country_in(proofs, values) {
    if (values) {
      const permitted = { countries: values, included: true };
      return opens(proofs, { type: "country", permitted }) ? { country_in: values } : {};
    }
    const proven = proofs.find(({ countries, countriesIncluded }) => countries?.length && countriesIncluded);
    return proven?.countries ? { country_in: proven.countries } : {};
  },
};

function opens(proofs: readonly StoredProof[], gate: Gate): boolean {
  return proofs.some((proof) => gateDecision(gate, proof) === "allowed");
}
