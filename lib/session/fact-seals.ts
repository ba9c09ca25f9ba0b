import { createHmac, hkdfSync } from "node:crypto";
import { setImmediate as yieldToRequests } from "node:timers/promises";
import { errors } from "jose";
import { z } from "zod";
import type { Db } from "@/db/schema";
import type { FactSeals, FactsOf } from "@/lib/context/proofs";
import { log } from "@/lib/log";
import { openSealed, seal } from "./sealed";

const factsSchema = z.object({
  domain: z.string().nullable(),
  countries: z.array(z.string()).nullable(),
  countriesIncluded: z.boolean().nullable(),
});

/** Sealed texts are padded to a multiple of this, so that their length does not tell one domain from another. */
const PADDED_TO = 256;

/** @param secret USER_ID_SECRET: changing it makes every user a stranger, whose old verifications are useless */
export function createFactSeals(secret: Uint8Array): FactSeals {
  const tagKey = derived(secret, "", "parley verification tags");
  // The label comes first and NUL separates the parts, as in identity.ts.
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
      const filler = " ".repeat(PADDED_TO - (text.length % PADDED_TO));
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
        log.warn({ circuit: of.circuit }, "cannot open a verification sealed with another secret");
        return null;
      }
    },
  };
}

function derived(secret: Uint8Array, salt: string, label: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, salt, label, 32));
}

/** Rows per transaction. */
const ROUND = 200;

/**
 * Seals verifications that a version before migration 013 stored in clear, and tags the domains users show. Runs when
 * the app starts, and during housekeeping for rows an old process writes during an update. Several processes may run
 * it at once; they share the rows.
 */
export async function sealOldFacts(db: Db, seals: FactSeals): Promise<void> {
  for (const step of [sealVerifications, tagBadges]) {
    while ((await step(db, seals)) === ROUND) await yieldToRequests();
  }
}

/** @returns the number of rows found */
async function sealVerifications(db: Db, seals: FactSeals): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("verifications")
      .select(["id", "user_id", "circuit", "domain", "countries", "countries_included"])
      .where("sealed", "is", null)
      .limit(ROUND)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { id, user_id, circuit, domain, countries, countries_included } of rows) {
      const facts = { domain, countries, countriesIncluded: countries_included };
      await trx
        .updateTable("verifications")
        .set({
          ...(await seals.seal({ userId: user_id, circuit }, facts)),
          domain: null,
          countries: null,
          countries_included: null,
        })
        .where("id", "=", id)
        .execute();
    }
    return rows.length;
  });
}

/** @returns the number of rows found */
async function tagBadges(db: Db, seals: FactSeals): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("domain_badges")
      .select(["user_id", "domain"])
      .where("domain_tag", "is", null)
      .limit(ROUND)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { user_id, domain } of rows) {
      await trx
        .updateTable("domain_badges")
        .set({ domain_tag: seals.domainTag(user_id, domain) })
        .where("user_id", "=", user_id)
        .where("domain", "=", domain)
        .execute();
    }
    return rows.length;
  });
}
