import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { deskAccess } from "@/lib/policy/desk";
import { recordDay } from "@/lib/policy/record";
import {
  exceededKind,
  type LimitedKind,
  type NewAccount,
  newAccount,
  type Standing,
  type TextUsage,
} from "@/lib/policy/trust";
import { carriedToday, countToday } from "./days";

/** Accepted posts and comments that are counted at most. */
const MAX_COUNTED = Math.max(LIMITS.newAccount.accepted, LIMITS.consumerAccount.accepted);

/** Reads what the rules need to know of an account. A post that waits for review is not accepted yet. */
async function standingOf(db: Db | Trx, userId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select u.created_at as "createdAt", u.consumer_mail as "isConsumer", (select count(*)::int from (
        (select 1 from posts p where p.author_id = u.id and p.hidden_at is null
          and (p.deleted_at is null or p.deleted_by = p.author_id) limit ${MAX_COUNTED})
        union all
        (select 1 from comments c where c.author_id = u.id and c.hidden_at is null
          and c.deleted_by is distinct from 'admin' limit ${MAX_COUNTED})
      ) written) as accepted
    from users u where u.id = ${userId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Refusal("not_authenticated");
  return row;
}

/** Returns why the caller's account counts as new; null for an established one, and where there are no such limits. */
async function newAccountOf(
  db: Db | Trx,
  { caller, trust, now }: Pick<MemberContext, "caller" | "trust" | "now">,
): Promise<NewAccount | null> {
  if (!trust.spamLimits || deskAccess(caller.operator).act === "allowed") return null;
  return newAccount(await standingOf(db, caller.userId), trust, now());
}

/** @throws Refusal new_account_limit if a new account's text has more than it may */
export async function assertUsage(
  trx: Trx,
  ctx: Pick<MemberContext, "caller" | "trust" | "now">,
  usage: TextUsage,
): Promise<void> {
  const kind = exceededKind(usage);
  if (!kind) return;
  const account = await newAccountOf(trx, ctx);
  if (account) throw limited(kind, LIMITS.newAccount[kind], account);
}

/**
 * Counts a topic that a new account creates, for the day of the person behind it.
 * @throws Refusal new_account_limit after the day's topics
 */
export async function countTopic(
  trx: Trx,
  ctx: Pick<MemberContext, "caller" | "trust" | "now">,
): Promise<void> {
  const account = await newAccountOf(trx, ctx);
  if (!account) return;
  const { topicsPerDay } = LIMITS.newAccount;
  const { userId } = ctx.caller;
  const made = await countToday(trx, { userId, kind: "topic", day: recordDay(ctx.now()) });
  if (made > topicsPerDay) throw limited("topics", topicsPerDay, account);
}

const LIMITED = {
  links: (max: number) => `A text of a new account can have up to ${max} links.`,
  images: (max: number) => `A text of a new account can have up to ${max} images.`,
  mentions: (max: number) => `A text of a new account can have up to ${max} mentions.`,
  topics: (max: number) =>
    `A new account can create up to ${max} topics a day. The count resets at midnight UTC.`,
} as const satisfies Record<LimitedKind, (max: number) => string>;

function limited(kind: LimitedKind, max: number, { until, acceptedMissing }: NewAccount): Refusal {
  return new Refusal("new_account_limit", {
    message: LIMITED[kind](max),
    extra: { limit: { kind, max }, until: until?.toISOString() ?? null, acceptedMissing },
  });
}

/** GET /api/profile/limits: the lower limits of the caller while their account counts as new. */
export async function getLimits(
  ctx: MemberContext,
): Promise<ResponseBody<typeof contract.profile.getLimits>> {
  const account = await newAccountOf(ctx.db, ctx);
  if (!account) return { newAccount: null };
  const { links, images, mentions, topicsPerDay } = LIMITS.newAccount;
  const { userId } = ctx.caller;
  const made = await carriedToday(ctx.db, { userId, kind: "topic", day: recordDay(ctx.now()) });
  return {
    newAccount: {
      links,
      images,
      mentions,
      topicsPerDay,
      topicsLeft: Math.max(0, topicsPerDay - made),
      until: account.until?.toISOString() ?? null,
      acceptedMissing: account.acceptedMissing,
    },
  };
}
