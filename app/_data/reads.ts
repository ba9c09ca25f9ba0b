import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { PAGE_SIZE } from "@/components/chat/log";
import type { ChatStart } from "@/components/chat/room-state";
import type { PublicConfig } from "@/components/proof/config";
import { publicConfig } from "@/components/proof/public-config";
import type { TopicView } from "@/components/topic/header";
import * as community from "@/lib/community";
import { type ClientInput, contract } from "@/lib/contract";
import type { CommentSort } from "@/lib/contract/comments";
import { browserProvingOffer } from "@/lib/http/browser-proving";
import { isView } from "@/lib/http/guest-page";
import { pageContext } from "@/lib/http/page";
import { getServices } from "@/lib/runtime/services";
import { describeProofRequest } from "@/lib/session/relay/requests";
import { read, readAsMember } from "./result";
import { withQuery } from "./search-params";

/**
 * What pages read. Each function calls the code behind an API operation in process with the visitor's context, so that a
 * page shows what the API would answer and the first paint needs no round trip.
 */

export interface Viewer {
  readonly userId: string;
  readonly nickname: string;
  readonly nicknameSet: boolean;
  /** Unix time in milliseconds. */
  readonly verifiedAt: number;
}

/** The signed-in visitor, or null. */
export const viewer = cache(async (): Promise<Viewer | null> => {
  const { caller } = await pageContext();
  if (!caller) return null;
  const { userId, nickname, nicknameSet, verifiedAt } = caller;
  return { userId, nickname, nicknameSet, verifiedAt };
});

/** The signed-in visitor. Guests go to sign in, members without a nickname to choose one; both return to `page`. */
export async function namedViewer(page: string): Promise<Viewer> {
  const who = await viewer();
  if (!who) redirect(withQuery("/sign-in", { next: page }));
  if (!who.nicknameSet) redirect(withQuery("/profile", { next: page }));
  return who;
}

/** Milliseconds since the visitor's session was last renewed; null for a guest. */
export async function sessionAge(): Promise<number | null> {
  const { caller, now } = await pageContext();
  return caller && now().getTime() - caller.session.issuedAt.getTime();
}

/** The configuration that the browser may know. */
export const config = cache(async (): Promise<PublicConfig> => {
  const { deployment, config: settings } = await getServices();
  const browserProving = await browserProvingOffer(deployment, settings.browserProving);
  return publicConfig(deployment, settings.devLogin, browserProving);
});

export const categories = cache(async () => (await community.listCategories(await pageContext())).categories);

export const feed = (input: ClientInput<typeof contract.feed.list>) =>
  read(async () => community.listFeed(await pageContext(), contract.feed.list.query.parse(input)));

export const topics = (input: ClientInput<typeof contract.topics.list>) =>
  read(async () => community.listTopics(await pageContext(), contract.topics.list.query.parse(input)));

/** Topics the visitor is a member of, latest activity first. @param limit at most this many */
export const myTopics = cache(async (limit: number) => {
  const found = await topics({ limit });
  return found.ok ? found.value.topics : [];
});

/** Those that every page shows beside itself. */
export const railTopics = () => myTopics(12);

export const topic = cache((topicId: string) =>
  read(async () => community.getTopic(await pageContext(), { topicId })),
);

export const posts = ({ topicId, ...query }: ClientInput<typeof contract.posts.list>) =>
  read(async () =>
    community.listPosts(await pageContext(), { topicId, ...contract.posts.list.query.parse(query) }),
  );

/** One post with its comments; cached within a request, so that the metadata does not count a second view. */
export const post = cache((postId: string, cursor?: string, comment?: string, sort?: CommentSort) =>
  read(async () => {
    const asked = await headers();
    // Next's own prefetches bypass proxy.ts and so have no nonce. Views of cached pages are counted as they are served.
    const counts = asked.has("x-nonce") && isView(asked);
    const query = contract.posts.get.query.parse({ cursor, comment, sort });
    return community.getPost(await pageContext(), { postId, ...query }, counts);
  }),
);

/** One post for its author to edit, which does not count as a view. */
export const postToEdit = cache((postId: string) =>
  read(async () => {
    const query = contract.posts.get.query.parse({ limit: 1 });
    return community.getPost(await pageContext(), { postId, ...query }, false);
  }),
);

/** The confirmed on-chain records of a post. */
export const records = (postId: string) =>
  read(async () => community.listRecords(await pageContext(), { postId }));

/** A proof request as the phone may see it. */
export const proofRequest = (requestId: string) =>
  read(async () => describeProofRequest(await pageContext(), { requestId }));

/** The topic an invite leads to. A page that shows it counts as a try of the code (lib/http/page-limits.ts). */
export const invite = cache((inviteCode: string) =>
  read(async () => community.getInvite(await pageContext(), { inviteCode })),
);

/** The lower limits of a new account; null for an established one and for a guest. */
export async function newAccountLimits() {
  const found = await readAsMember((ctx) => community.getLimits(ctx));
  return found?.ok ? found.value.newAccount : null;
}

/** Members of a topic; null for a guest. */
export const members = ({ topicId, ...query }: ClientInput<typeof contract.members.list>) =>
  readAsMember((ctx) => community.listMembers(ctx, { topicId, ...contract.members.list.query.parse(query) }));

/** The state a chat starts with; null where the visitor may not read it. @param limit number of latest entries */
export async function chatStart(
  { topic: { id: topicId, abilities: topicAbilities }, muted }: Pick<TopicView, "topic" | "muted">,
  me: string,
  limit = PAGE_SIZE,
): Promise<ChatStart | null> {
  // For staff nothing folds.
  const isStaff = topicAbilities.includes("moderate");
  const found = await readAsMember((ctx) =>
    Promise.all([
      community.listMessages(ctx, { topicId, ...contract.chat.list.query.parse({ limit }) }),
      community.readPresence(ctx, { topicId }),
      isStaff ? { users: [] } : community.listBlocks(ctx, {}),
    ]),
  );
  if (!found?.ok) return null;
  const [{ messages, abilities }, presence, blocks] = found.value;
  const blocked = blocks.users.map(({ userId }) => userId);
  return { topicId, me, latest: messages, presence, muted, abilities, blocked };
}
