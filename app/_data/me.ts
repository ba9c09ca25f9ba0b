import { cache } from "react";
import * as community from "@/lib/community";
import type { MemberContext } from "@/lib/context";
import { type ClientInput, contract } from "@/lib/contract";
import { pageContext } from "@/lib/http/page";
import { listSessions } from "@/lib/session/sessions";
import { myTopics } from "./reads";
import { read } from "./result";

/** What pages read of the visitor's own things; everything is null for a guest. */

async function member(): Promise<MemberContext | null> {
  const ctx = await pageContext();
  const { caller } = ctx;
  return caller ? { ...ctx, caller } : null;
}

/** Address of the visitor's picture; null without one. */
export const myPicture = cache(async (): Promise<string | null> => {
  const ctx = await member();
  return ctx ? (await community.getProfileImage(ctx)).profileImage : null;
});

const lists = {
  posts: community.listMyPosts,
  bookmarks: community.listBookmarks,
  likes: community.listMyLikes,
} as const;
export type OwnList = keyof typeof lists;

/** Posts the visitor wrote, keeps or voted up, latest first. */
export async function ownPosts(which: OwnList, query: ClientInput<typeof contract.my.posts>) {
  const ctx = await member();
  return ctx && read(async () => lists[which](ctx, contract.my.posts.query.parse(query)));
}

/** Domains the visitor shows, and the one they could add. */
export async function domainBadges() {
  const ctx = await member();
  return ctx && community.getDomainBadges(ctx);
}

/** Domains the visitor shows; none for a guest. */
export async function shownDomains(): Promise<readonly string[]> {
  return (await domainBadges())?.domains ?? [];
}

/** Where the visitor is signed in, latest first. */
export async function sessions() {
  const ctx = await member();
  return ctx && (await listSessions(ctx)).sessions;
}

/**
 * Topics the visitor owns, among the latest 50 they belong to: those that stand in the way of leaving, and those that go back
 * by themselves to who handed them over.
 */
export async function ownedTopics() {
  const ctx = await member();
  const owned = (await myTopics()).filter(({ currentUserRole }) => currentUserRole === "owner");
  if (!ctx || owned.length === 0) return { blocking: [], returning: [] };
  const forced = new Set(
    (await community.forcedTopics(ctx.db, ctx.caller.userId)).map(({ topicId }) => topicId),
  );
  return {
    blocking: owned.filter(({ id }) => !forced.has(id)),
    returning: owned.filter(({ id }) => forced.has(id)),
  };
}
