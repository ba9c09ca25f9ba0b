import { createHmac, hkdfSync } from "node:crypto";
import { errors } from "jose";
import { z } from "zod";
import type { FactSeals, FactsOf } from "@/lib/context/facts";
import { log } from "@/lib/log";
import { openSealed, seal } from "./sealed";

const factsSchema = z.object({
  domain: z.string().nullable(),
  countries: z.array(z.string()).nullable(),
  countriesIncluded: z.boolean().nullable(),
});

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
