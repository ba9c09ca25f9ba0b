import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isConsumerDomain } from "@/lib/policy/consumer-domains";
import { type Gate, gateTypeOf, isWorkspace } from "@/lib/policy/gate";

type Badge = ResponseBody<typeof contract.profile.getBadges>["badges"][number];

/** GET /api/profile/badges: the latest proof of each kind in the last 30 days; times in Unix milliseconds. */
export const getBadges: Handler<typeof contract.profile.getBadges> = async ({ db, caller, now }) => {
  const rows = await db
    .selectFrom("verifications")
    .select(["circuit", "domain_tag", "verified_at", "expires_at"])
    .where("user_id", "=", caller.userId)
    .where("expires_at", ">", now())
    .orderBy("verified_at", "desc")
    .execute();
  const badges = new Map<Badge["type"], Badge>();
  for (const { circuit, domain_tag, verified_at, expires_at } of rows) {
    const type = badgeType(gateTypeOf(circuit, null), domain_tag !== null);
    if (!type || badges.has(type)) continue;
    badges.set(type, { type, verifiedAt: verified_at.getTime(), expiresAt: expires_at.getTime() });
  }
  return { badges: [...badges.values()] };
};

function badgeType(gate: Gate["type"] | null, hasDomain: boolean): Badge["type"] | null {
  if (gate === null || !isWorkspace(gate)) return gate;
  return hasDomain ? "oidc_domain" : "oidc_login";
}

/** GET /api/profile/domain-badge: the shown domains, and the latest proven domain unless it is among them. */
export async function getDomainBadges(
  ctx: MemberContext,
): Promise<ResponseBody<typeof contract.profile.getDomainBadges>> {
  const domains = await shownDomains(ctx.db, ctx.caller.userId, ctx.now());
  const latest = await latestDomain(ctx);
  return { domains, availableDomain: latest !== null && !domains.includes(latest) ? latest : null };
}

/**
 * POST /api/profile/domain-badge: shows the latest proven workspace domain, and never an older one, so that a repeated
 * call does not reveal more than intended.
 * @throws Refusal no_verified_domain
 */
export const addDomainBadge: Handler<typeof contract.profile.addDomainBadge> = async (ctx) => {
  const { db, caller, facts, now } = ctx;
  const domain = await latestDomain(ctx);
  if (domain === null) throw new Refusal("no_verified_domain");
  const domain_tag = facts.domainTag(caller.userId, domain);
  await db
    .insertInto("domain_badges")
    .values({ user_id: caller.userId, domain, domain_tag, created_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { success: true, domain, domains: await shownDomains(db, caller.userId, now()) };
};

/** DELETE /api/profile/domain-badge: hides one domain, or all. */
export const removeDomainBadge: Handler<typeof contract.profile.removeDomainBadge> = async (
  { db, caller, now },
  { domain },
) => {
  let rows = db.deleteFrom("domain_badges").where("user_id", "=", caller.userId);
  if (domain !== undefined) rows = rows.where("domain", "=", domain);
  await rows.execute();
  return { success: true, domains: await shownDomains(db, caller.userId, now()) };
};

async function shownDomains(db: Db, userId: string, now: Date): Promise<string[]> {
  const shown = await db
    .selectFrom("users")
    .select(domainsShownBy("users.id", now).as("domains"))
    .where("id", "=", userId)
    .executeTakeFirst();
  return [...(shown?.domains ?? [])];
}

/** Returns the latest unexpired workspace domain, without consumer mail domains, which prove nothing. */
async function latestDomain({ db, caller, facts, now }: MemberContext): Promise<string | null> {
  const { userId } = caller;
  const rows = await db
    .selectFrom("verifications")
    .select(["circuit", "sealed"])
    .where("user_id", "=", userId)
    .where("domain_tag", "is not", null)
    .where("expires_at", ">", now())
    .orderBy("verified_at", "desc")
    .orderBy("id")
    .execute();
  for (const { circuit, sealed } of rows) {
    const domain = (await facts.open({ userId, circuit }, sealed))?.domain;
    if (domain && !isConsumerDomain(domain)) return domain;
  }
  return null;
}

/**
 * SQL: the domains that a user shows beside their name, as a JSON list in the order they were added. A domain whose
 * last proof is older than 30 days is left out until it is proven again.
 * @param userId a column such as `p.author_id`
 * @param now the database's clock if omitted
 */
export function domainsShownBy(userId: string, now?: Date) {
  return sql<
    readonly string[]
  >`(select coalesce(json_agg(shown.domain order by shown.created_at, shown.domain), '[]')
    from domain_badges shown where shown.user_id = ${sql.ref(userId)} and exists (select from verifications proof
      where proof.user_id = shown.user_id and proof.domain_tag = shown.domain_tag and proof.expires_at > ${now ?? sql`now()`}))`;
}
