import { type Expression, type RawBuilder, sql } from "kysely";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { isConsumerDomain } from "@/lib/policy/consumer-domains";
import { type Gate, gateTypeOf, isWorkspace } from "@/lib/policy/gate";
import { topicAccess } from "@/lib/policy/topic";
import { transact } from "@/lib/sql/transact";
import { authorizeTopic, loadTopics } from "../topics/load";
import { viewerOf } from "../viewer";

type BadgePlace = ResponseBody<typeof contract.profile.previewDomainBadge>["topics"][number];
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

/**
 * GET /api/profile/domain-badge: the domains shown in every topic, those shown in some topics or beside new content only,
 * and the latest proven domain unless it is shown without limits.
 */
export async function getDomainBadges(
  ctx: MemberContext,
): Promise<ResponseBody<typeof contract.profile.getDomainBadges>> {
  const { db, caller } = ctx;
  const [domains, everywhere, limits, latest] = await Promise.all([
    shownDomains(ctx, null),
    db.selectFrom("domain_badges").select("domain").where("user_id", "=", caller.userId).execute(),
    db
      .selectFrom("limited_badges")
      .select(["domain", "topic_id", "since"])
      .where("user_id", "=", caller.userId)
      .orderBy("created_at")
      .orderBy("topic_id")
      .execute(),
    latestDomain(ctx),
  ]);
  const titles = await visibleTitles(
    ctx,
    limits.flatMap(({ topic_id }) => topic_id ?? []),
  );
  const isNew = latest !== null && !everywhere.some(({ domain }) => domain === latest);
  return {
    domains,
    limited: limits.map(({ domain, topic_id, since }) => ({
      domain,
      topicId: topic_id,
      topicTitle: topic_id && (titles.get(topic_id) ?? null),
      since: since?.toISOString() ?? null,
    })),
    availableDomain: isNew ? latest : null,
  };
}

/** Returns the titles of those topics that the caller may see: who left a secret one no longer may. */
async function visibleTitles(
  { db, caller }: MemberContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const topics = await loadTopics(db, [...new Set(ids)], caller.userId);
  const seen = topics.filter((topic) => topicAccess(topic, viewerOf(caller, topic)).see === "allowed");
  return new Map(seen.map(({ id, title }) => [id, title]));
}

/**
 * GET /api/profile/domain-badge/preview: where the latest proven domain would appear: every topic in which the caller is a
 * member or wrote something, by how much they wrote.
 * @throws Refusal no_verified_domain
 */
export const previewDomainBadge: Handler<typeof contract.profile.previewDomainBadge> = async (ctx) => {
  const { db, caller } = ctx;
  const domain = await latestDomain(ctx);
  if (domain === null) throw new Refusal("no_verified_domain");
  const { rows } = await sql<Omit<BadgePlace, "title">>`
    with written as (
      select p.topic_id, count(*) as posts, 0 as comments from posts p
        where p.author_id = ${caller.userId} and p.deleted_at is null group by 1
      union all
      select p.topic_id, 0, count(*) from comments c join posts p on p.id = c.post_id
        where c.author_id = ${caller.userId} and c.deleted_at is null and p.deleted_at is null group by 1
      union all
      select m.topic_id, 0, 0 from memberships m where m.user_id = ${caller.userId}
    )
    select t.id as "topicId", t.visibility, sum(w.posts)::int as posts, sum(w.comments)::int as comments,
      exists (select from memberships m where m.topic_id = t.id and m.user_id = ${caller.userId}) as "isMember"
    from written w join topics t on t.id = w.topic_id
    group by t.id order by sum(w.posts) + sum(w.comments) desc, t.id`.execute(db);
  const titles = await visibleTitles(
    ctx,
    rows.map(({ topicId }) => topicId),
  );
  return { domain, topics: rows.map((row) => ({ ...row, title: titles.get(row.topicId) ?? null })) };
};

/**
 * POST /api/profile/domain-badge: shows the latest proven workspace domain, and never an older one, so that a repeated
 * call does not reveal more than intended. A limit adds to what is shown already and takes nothing away.
 * @throws Refusal no_verified_domain; topic_not_found, not_a_member for the topic
 */
export const addDomainBadge: Handler<typeof contract.profile.addDomainBadge> = async (ctx, input) => {
  const { db, caller, facts, now } = ctx;
  const { topicId = null, onlyNew } = input;
  if (topicId) await authorizeTopic(db, topicId, caller, "inside");
  const domain = await latestDomain(ctx);
  if (domain === null) throw new Refusal("no_verified_domain");
  const user_id = caller.userId;
  const badge = { user_id, domain, domain_tag: facts.domainTag(user_id, domain), created_at: now() };
  if (topicId || onlyNew) {
    await db
      .insertInto("limited_badges")
      .values({ ...badge, topic_id: topicId, since: onlyNew ? now() : null })
      .onConflict((conflict) =>
        conflict.columns(["user_id", "domain", "topic_id"]).doUpdateSet((eb) => ({
          since: eb
            .case()
            .when("excluded.since", "is", null)
            .then(null)
            .else(eb.ref("limited_badges.since"))
            .end(),
        })),
      )
      .execute();
  } else {
    await transact(db, async (trx) => {
      await trx
        .insertInto("domain_badges")
        .values(badge)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const limited = trx.deleteFrom("limited_badges").where("user_id", "=", user_id);
      await limited.where("domain", "=", domain).execute();
    });
  }
  return { success: true, domain, domains: await shownDomains(ctx, null) };
};

/** DELETE /api/profile/domain-badge: hides one domain, or all, in every topic. */
export const removeDomainBadge: Handler<typeof contract.profile.removeDomainBadge> = async (
  ctx,
  { domain },
) => {
  await transact(ctx.db, async (trx) => {
    for (const table of ["domain_badges", "limited_badges"] as const) {
      await trx
        .deleteFrom(table)
        .where("user_id", "=", ctx.caller.userId)
        .$if(domain !== undefined, (rows) => rows.where("domain", "=", domain ?? ""))
        .execute();
    }
  });
  return { success: true, domains: await shownDomains(ctx, null) };
};

/** Returns the domains that appear beside what the caller writes in a topic from now on; in every topic if null. */
export async function shownDomains(
  { db, caller, now }: Pick<MemberContext, "db" | "caller" | "now">,
  topicId: string | null,
): Promise<string[]> {
  const place = topicId ? { topicId: sql`${topicId}::uuid` } : {};
  const shown = await db
    .selectFrom("users")
    .select(domainsShownBy("users.id", place, now()).as("domains"))
    .where("id", "=", caller.userId)
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

/** Where a name stands; without a topic, outside of all. */
interface NamePlace {
  readonly topicId?: Expression<unknown>;
  /** When the content beside it was written; left out for a list of people. */
  readonly writtenAt?: Expression<unknown>;
}

/**
 * SQL: the domains that a user shows beside their name in one place, as a JSON list in the order they were added. A domain
 * whose last proof is older than 30 days is left out until it is proven again.
 * @param userId a column such as `p.author_id`
 * @param now the database's clock if omitted
 */
export function domainsShownBy(userId: string, place: NamePlace, now?: Date) {
  const user = sql.ref(userId);
  return sql<
    readonly string[]
  >`(select coalesce(json_agg(shown.domain order by shown.created_at, shown.domain), '[]') from (
      select badge.domain, min(badge.created_at) as created_at from (${badgesIn(user, place)}) badge
      where exists (select from verifications proof where ${isProofOf(user, now)})
      group by badge.domain) shown)`;
}

/** A domain that a user shows, with the latest proof of it. */
export interface ShownSeal {
  readonly domain: string;
  readonly provider: string | null;
  /** YYYY-MM */
  readonly month: string;
}

/** SQL: what `domainsShownBy` returns, each with who vouched for it and the month of its latest proof. */
export function sealsShownBy(userId: string, place: NamePlace, now: Date) {
  const user = sql.ref(userId);
  return sql<readonly ShownSeal[]>`(select coalesce(json_agg(json_build_object('domain', shown.domain,
      'provider', shown.provider, 'month', to_char(shown.proven at time zone 'UTC', 'YYYY-MM'))
      order by shown.created_at, shown.domain), '[]') from (
      select badge.domain, min(badge.created_at) as created_at, max(proof.verified_at) as proven,
        (array_agg(proof.provider order by proof.verified_at desc))[1] as provider
      from (${badgesIn(user, place)}) badge join verifications proof on ${isProofOf(user, now)}
      group by badge.domain) shown)`;
}

/** SQL: the rows of a user's choices to show a domain in a place. */
function badgesIn(user: RawBuilder<unknown>, { topicId, writtenAt }: NamePlace) {
  const inTopic = topicId ? sql`(l.topic_id is null or l.topic_id = ${topicId})` : sql`l.topic_id is null`;
  const isNew = writtenAt ? sql`and (l.since is null or l.since <= ${writtenAt})` : sql``;
  return sql`select b.domain, b.domain_tag, b.created_at from domain_badges b where b.user_id = ${user}
    union all
    select l.domain, l.domain_tag, l.created_at from limited_badges l where l.user_id = ${user} and ${inTopic} ${isNew}`;
}

/** SQL: whether `proof` is an unexpired one of what `badge` shows. */
function isProofOf(user: RawBuilder<unknown>, now?: Date) {
  return sql`proof.user_id = ${user} and proof.domain_tag = badge.domain_tag and proof.expires_at > ${now ?? sql`now()`}`;
}
