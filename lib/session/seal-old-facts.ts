import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { Db } from "@/db/schema";
import type { FactSeals } from "@/lib/context/facts";

/** Rows of one transaction. */
const round = 200;

/**
 * Seals verifications that were written in clear, by a version before migration 011a, and gives shown domains their
 * tags. Runs when the app starts, and with the housekeeping for what an old process writes beside it during an update.
 * Several processes at once share the rows among them.
 */
export async function sealOldFacts(db: Db, seals: FactSeals): Promise<void> {
  for (const step of [sealVerifications, tagBadges]) {
    while ((await step(db, seals)) === round) await yieldToRequests();
  }
}

/** @returns how many rows it found */
async function sealVerifications(db: Db, seals: FactSeals): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("verifications")
      .select(["id", "user_id", "circuit", "domain", "countries", "countries_included"])
      .where("sealed", "is", null)
      .limit(round)
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

/** @returns how many rows it found */
async function tagBadges(db: Db, seals: FactSeals): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("domain_badges")
      .select(["user_id", "domain"])
      .where("domain_tag", "is", null)
      .limit(round)
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
