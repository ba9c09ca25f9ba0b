import { cookies } from "next/headers";
import { cache } from "react";
import { declinedCookie } from "@/lib/client/anonymous/declined";
import * as community from "@/lib/community";
import { type ClientInput, contract } from "@/lib/contract";
import type { TopicCounts } from "@/lib/contract/reading";
import { pageContext } from "@/lib/http/page";
import { getWords } from "@/lib/i18n/server";
import { listTokens } from "@/lib/session/automation";
import { listSessions } from "@/lib/session/sessions";
import { myTopics } from "./reads";
import { refusalIn } from "./refusals";
import { memberContext, readAsMember } from "./result";

/** What pages read about the visitor. Without a comment to the contrary, everything is null for a guest. */

/** Address of the visitor's picture; null without one. */
export const myPicture = cache(async (): Promise<string | null> => {
  const ctx = await memberContext();
  return ctx ? (await community.getProfileImage(ctx)).profileImage : null;
});

const lists = {
  posts: community.listMyPosts,
  bookmarks: community.listBookmarks,
  likes: community.listMyUpvotes,
} as const;
export type OwnList = keyof typeof lists;

/** Posts the visitor wrote, bookmarked or upvoted, latest first. */
export const ownPosts = (which: OwnList, query: ClientInput<typeof contract.my.posts>) =>
  readAsMember(async (ctx) => lists[which](ctx, contract.my.posts.query.parse(query)));

/** Posts the visitor recorded, or posts of theirs that others recorded. */
export function recordedPosts(whose: "mine" | "onMine", query: { readonly cursor?: string }) {
  const list = whose === "mine" ? community.listMyRecorded : community.listRecordedOnMine;
  return readAsMember(async (ctx) => list(ctx, contract.my.recorded.query.parse(query)));
}

/** The visitor's latest notifications. */
export async function notifications() {
  const ctx = await memberContext();
  return ctx && community.listNotifications(ctx, contract.notifications.list.query.parse({}));
}

/** How many notifications the visitor has not read; 0 for a guest. */
export async function unreadNotifications(): Promise<number> {
  const { caller, db } = await pageContext();
  return caller ? community.unreadCountOf(db, caller.userId) : 0;
}

/** What is new in the visitor's topics, by topic; empty for a guest. */
export const unreadByTopic = cache(async (): Promise<ReadonlyMap<string, TopicCounts>> => {
  const ctx = await memberContext();
  const topics = ctx ? (await community.countUnread(ctx, {})).topics : [];
  return new Map(topics.map((topic) => [topic.topicId, topic]));
});

/** How far the visitor has read a topic; null for those who are not members. */
export const topicReading = cache(async (topicId: string) => {
  const found = await readAsMember((ctx) => community.getTopicReading(ctx, { topicId }));
  return found?.ok ? found.value : null;
});

/** Whether to offer the visitor, a member of a topic, to join its crowd: they are not in it, and did not decline. */
export async function offersCrowd(topicId: string): Promise<boolean> {
  if ((await cookies()).has(declinedCookie)) return false;
  const { crowd } = await community.getCrowd(await pageContext(), { topicId });
  return crowd.own === null;
}

/** How far the visitor has read the comments of a post; null for those who are not members. */
export const threadReading = cache(async (postId: string) => {
  const found = await readAsMember((ctx) => community.getThreadReading(ctx, { postId }));
  return found?.ok ? found.value : null;
});

/** Domains the visitor shows, and the one they could add. */
export async function domainBadges() {
  const ctx = await memberContext();
  return ctx && community.getDomainBadges(ctx);
}

/** Domains that appear beside what the visitor writes in a topic, or in every topic; none for a guest. */
export const shownDomains = cache(async (topicId: string | null = null): Promise<readonly string[]> => {
  const ctx = await memberContext();
  return ctx ? await community.shownDomains(ctx, topicId) : [];
});

/** What notifies the visitor, by kind and by topic. */
export async function notificationSettings() {
  const ctx = await memberContext();
  return ctx && community.getNotificationSettings(ctx, {});
}

/** Everyone the visitor blocked, latest first. */
export async function blockedUsers() {
  const ctx = await memberContext();
  return ctx && (await community.listBlocks(ctx, {})).users;
}

/** Everyone the visitor follows, latest first. */
export async function followedUsers() {
  const ctx = await memberContext();
  return ctx && (await community.listFollows(ctx, {})).users;
}

/** When the address of the visitor's own feed was made; null without one. */
export async function feedAddressSince(): Promise<string | null> {
  const ctx = await memberContext();
  return ctx && (await community.getPrivateFeed(ctx, {})).createdAt;
}

/** The visitor's active tokens for automation. */
export async function automationTokens() {
  const ctx = await memberContext();
  return ctx && (await listTokens(ctx)).tokens;
}

/** The visitor's sessions, latest first. */
export async function sessions() {
  const ctx = await memberContext();
  return ctx && (await listSessions(ctx)).sessions;
}

/**
 * Topics the visitor owns, among the latest 50 they belong to: those that block the deletion of their account, and those
 * that return to their previous owner on their own. Both are empty for a guest.
 */
export async function ownedTopics() {
  const ctx = await memberContext();
  const owned = (await myTopics(50)).filter(({ currentUserRole }) => currentUserRole === "owner");
  if (!ctx || owned.length === 0) return { blocking: [], returning: [] };
  const forced = new Set(
    (await community.forcedTopics(ctx.db, ctx.caller.userId)).map(({ topicId }) => topicId),
  );
  return {
    blocking: owned.filter(({ id }) => !forced.has(id)),
    returning: owned.filter(({ id }) => forced.has(id)),
  };
}

/** The visitor's posts that wait for their time, each with the sentence that says why it was refused. */
export async function scheduledPosts() {
  const ctx = await memberContext();
  if (!ctx) return [];
  const [{ scheduled }, { locale }] = await Promise.all([community.listScheduled(ctx, {}), getWords()]);
  return scheduled.map((post) => ({ ...post, why: post.problem && refusalIn(locale, post.problem) }));
}
