import { cache } from "react";
import * as community from "@/lib/community";
import type { MemberContext } from "@/lib/context";
import { type ClientInput, contract } from "@/lib/contract";
import type { Member } from "@/lib/contract/members";
import { pageContext } from "@/lib/http/page";
import { isStaff } from "@/lib/policy/decision";
import { type Read, read } from "./result";

/** What the staff of a topic read. */

/** Waiting requests that are counted for a tab; more are "20+". */
const countedRequests = 20;

async function asMember<T>(work: (ctx: MemberContext) => Promise<T>): Promise<Read<T> | null> {
  const ctx = await pageContext();
  const { caller } = ctx;
  return caller && read(() => work({ ...ctx, caller }));
}

/** Join requests of a topic; null for a guest. */
export const joinRequests = ({ topicId, ...query }: ClientInput<typeof contract.requests.list>) =>
  asMember((ctx) => community.listRequests(ctx, { topicId, ...contract.requests.list.query.parse(query) }));

/** How many requests wait, as a tab shows it: "3", "20+", or null where nothing is to be shown. */
export const waitingRequests = cache(async (topicId: string): Promise<string | null> => {
  const found = await joinRequests({ topicId, limit: countedRequests });
  if (!found?.ok || found.value.requests.length === 0) return null;
  return `${found.value.requests.length}${found.value.nextCursor ? "+" : ""}`;
});

/** Reports of a topic; null for a guest. */
export const reports = ({ topicId, ...query }: ClientInput<typeof contract.moderation.reports>) =>
  asMember((ctx) =>
    community.listReports(ctx, { topicId, ...contract.moderation.reports.query.parse(query) }),
  );

/** Mutes and bans of a topic; null for a guest. */
export const sanctions = ({ topicId, ...query }: ClientInput<typeof contract.moderation.sanctions>) =>
  asMember((ctx) =>
    community.listSanctions(ctx, { topicId, ...contract.moderation.sanctions.query.parse(query) }),
  );

/** What the staff of a topic did; null for a guest. */
export const log = ({ topicId, ...query }: ClientInput<typeof contract.moderation.log>) =>
  asMember((ctx) => community.readLog(ctx, { topicId, ...contract.moderation.log.query.parse(query) }));

/** Owner and admins, who stand first in the list of members. */
export async function staffOf(topicId: string): Promise<readonly Member[]> {
  const found = await asMember((ctx) =>
    community.listMembers(ctx, { topicId, ...contract.members.list.query.parse({ limit: 100 }) }),
  );
  return found?.ok ? found.value.members.filter(({ role }) => isStaff(role)) : [];
}
