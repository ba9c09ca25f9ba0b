import { createHmac, hkdfSync } from "node:crypto";
import { errors } from "jose";
import { z } from "zod";
import { log } from "@/lib/runtime/log";
import { openSealed, seal } from "./sealed";

const factsSchema = z.object({
  domain: z.string().nullable(),
  countries: z.array(z.string()).nullable(),
  countriesIncluded: z.boolean().nullable(),
});

/** What a verification says about its holder. */
export interface ProvenFacts {
  readonly domain: string | null;
  readonly countries: readonly string[] | null;
  /** Whether the holder lives in one of `countries` or in none of them; null exactly when they are. */
  readonly countriesIncluded: boolean | null;
}

/** Whose facts these are: sealed for one user and circuit they open under no other. */
export interface FactsOf {
  readonly userId: string;
  readonly circuit: string;
}

/** Columns of `verifications` that stand for facts. */
export interface SealedFacts {
  readonly sealed: string;
  readonly facts_tag: string;
  readonly domain_tag: string | null;
}

/** Keeps what members proved out of reach of whoever reads the database without the installation's secret. */
export interface FactSeals {
  seal(of: FactsOf, facts: ProvenFacts): Promise<SealedFacts>;
  /** Null for what this installation's secret did not seal for them; the log has a line then. */
  open(of: FactsOf, sealed: string | null): Promise<ProvenFacts | null>;
  /** What SQL compares instead of a domain. Another one for every user, so that tags show no colleagues. */
  domainTag(userId: string, domain: string): string;
}

/** Texts are filled up to a multiple of this many characters: their length tells no domain from another. */
const paddedTo = 256;

/** @param secret USER_ID_SECRET: who changes it makes everybody a stranger, whose old verifications help nobody */
export function createFactSeals(secret: Uint8Array): FactSeals {
  const tagKey = derived(secret, "", "parley verification tags");
  // The label first and NUL between the parts, as in identity.ts.
  const tag = (...parts: readonly string[]) =>
    createHmac("sha256", tagKey).update(parts.join("\0")).digest("base64url");
  const keyOf = ({ userId, circuit }: FactsOf) =>
    derived(secret, userId, `parley verification of ${circuit}`);
  const domainTag: FactSeals["domainTag"] = (userId, domain) => tag("domain", userId, domain);

  return {
    domainTag,
    async seal(of, { domain, countries, countriesIncluded }) {
      const facts = { domain, countries, countriesIncluded };
      const text = JSON.stringify(facts);
      const filler = " ".repeat(paddedTo - (text.length % paddedTo));
      return {
        sealed: await seal(keyOf(of), { ...facts, filler }),
        facts_tag: tag("facts", of.userId, of.circuit, text),
        domain_tag: domain === null ? null : domainTag(of.userId, domain),
      };
    },
    async open(of, sealed) {
      if (sealed === null) return null;
      try {
        return factsSchema.parse(await openSealed(keyOf(of), sealed));
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        log.warn({ circuit: of.circuit }, "a verification was not sealed with this installation's secret");
        return null;
      }
    },
  };
}

function derived(secret: Uint8Array, salt: string, label: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, salt, label, 32));
}
