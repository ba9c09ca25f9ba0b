import { cache } from "react";
import type { ManagedMember, MemberAct } from "@/components/staff/member-rows";
import type { LiftableSanction } from "@/components/staff/sanction-rows";
import * as community from "@/lib/community";
import type { MemberContext } from "@/lib/context";
import { type ClientInput, contract } from "@/lib/contract";
import type { Role } from "@/lib/contract/common";
import type { Member } from "@/lib/contract/members";
import type { Report, Sanction } from "@/lib/contract/moderation";
import { pageContext } from "@/lib/http/page";
import { mayDiscipline } from "@/lib/policy/topic";
import { isStaff } from "@/lib/policy/verdict";
import { type Read, read } from "./result";

/** What the staff of a topic read, and what the rules let the reader do; the API asks the same rules again. */

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

/** The acts somebody of this role is offered on a member. */
function memberActs(role: Role | null, me: string, { userId, role: theirs }: Member): MemberAct[] {
  const acts: MemberAct[] = [];
  if (role === "owner" && userId !== me) {
    acts.push(theirs === "admin" ? "demote" : "promote", "transfer");
  }
  if (mayDiscipline(role, theirs, userId === me) === "allowed") acts.push("mute", "ban", "remove");
  return acts;
}

/** Members with what the reader may do to each. */
export function managed(members: readonly Member[], role: Role | null, me: string): ManagedMember[] {
  return members.map((member) => ({ ...member, acts: memberActs(role, me, member) }));
}

/** Roles of those who look after a topic, by user id. */
async function staffRoles(topicId: string): Promise<ReadonlyMap<string, Role>> {
  return new Map((await staffOf(topicId)).map(({ userId, role }) => [userId, role]));
}

/** Sanctions with whether the reader may lift each. */
export async function liftable(
  topicId: string,
  list: readonly Sanction[],
  role: Role | null,
  me: string,
): Promise<LiftableSanction[]> {
  const roles = await staffRoles(topicId);
  return list.map((sanction) => {
    const { userId } = sanction.user;
    const verdict = mayDiscipline(role, roles.get(userId) ?? "member", userId === me);
    return { ...sanction, mayLift: verdict === "allowed" };
  });
}

/** Ids of those authors of reported things whom the reader may mute and ban. */
export async function disciplinable(
  topicId: string,
  list: readonly Report[],
  role: Role | null,
  me: string,
): Promise<string[]> {
  const roles = await staffRoles(topicId);
  const authors = new Set(list.map(({ author }) => author.userId));
  return [...authors].filter(
    (userId) => mayDiscipline(role, roles.get(userId) ?? "member", userId === me) === "allowed",
  );
}
