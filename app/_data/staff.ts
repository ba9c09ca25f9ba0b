import { cache } from "react";
import * as community from "@/lib/community";
import { type ClientInput, contract } from "@/lib/contract";
import type { Member } from "@/lib/contract/members";
import type { OwnershipOffer } from "@/lib/contract/ownership";
import { isStaff } from "@/lib/policy/decision";
import { members } from "./reads";
import { readAsMember } from "./result";

/** What pages read for the staff of a topic; null for a guest. */

/** Pending requests that a tab counts; more show as "20+". */
const COUNTED_REQUESTS = 20;

/** Join requests of a topic. */
export const joinRequests = ({ topicId, ...query }: ClientInput<typeof contract.requests.list>) =>
  readAsMember((ctx) =>
    community.listRequests(ctx, { topicId, ...contract.requests.list.query.parse(query) }),
  );

/** The number of pending requests as a tab shows it, "3" or "20+"; null for none. */
export const waitingRequests = cache(async (topicId: string): Promise<string | null> => {
  const found = await joinRequests({ topicId, limit: COUNTED_REQUESTS });
  if (!found?.ok || found.value.requests.length === 0) return null;
  return `${found.value.requests.length}${found.value.nextCursor ? "+" : ""}`;
});

/** Reports of a topic. */
export const reports = ({ topicId, ...query }: ClientInput<typeof contract.moderation.reports>) =>
  readAsMember((ctx) =>
    community.listReports(ctx, { topicId, ...contract.moderation.reports.query.parse(query) }),
  );

/** Mutes and bans of a topic. */
export const sanctions = ({ topicId, ...query }: ClientInput<typeof contract.moderation.sanctions>) =>
  readAsMember((ctx) =>
    community.listSanctions(ctx, { topicId, ...contract.moderation.sanctions.query.parse(query) }),
  );

/** The bans of a topic's anonymous authors. */
export const anonymousBans = (topicId: string) => readAsMember((ctx) => community.listBans(ctx, { topicId }));

/** The open offer of a topic's ownership, if it concerns the visitor; null otherwise. */
export async function ownershipOffer(topicId: string): Promise<OwnershipOffer | null> {
  const found = await readAsMember((ctx) => community.getOffer(ctx, { topicId }));
  return found?.ok ? found.value.offer : null;
}

/** Where what happens in a topic is sent. */
export const webhooks = (topicId: string) => readAsMember((ctx) => community.listWebhooks(ctx, { topicId }));

/** The moderation log of a topic. */
export const log = ({ topicId, ...query }: ClientInput<typeof contract.moderation.log>) =>
  readAsMember((ctx) => community.readLog(ctx, { topicId, ...contract.moderation.log.query.parse(query) }));

/** The owner and admins of a topic. The list of members starts with them. */
export async function staffOf(topicId: string): Promise<readonly Member[]> {
  const found = await members({ topicId, limit: 100 });
  return found?.ok ? found.value.members.filter(({ role }) => isStaff(role)) : [];
}
