import { headers } from "next/headers";
import { cache } from "react";
import type { PublicConfig } from "@/components/proof/config";
import { publicConfig } from "@/components/proof/public-config";
import { savingHeader } from "@/lib/client/saved";
import * as community from "@/lib/community";
import { type ClientInput, contract } from "@/lib/contract";
import { browserProvingOffer } from "@/lib/http/browser-proving";
import { pageContext } from "@/lib/http/page";
import { getServices } from "@/lib/runtime/services";
import { describeProofRequest } from "@/lib/session/relay/requests";
import { read } from "./result";

/**
 * What pages read. Each is the function behind the API's operation, called in process with the visitor's context,
 * so a page shows what the API would answer and the first paint needs no round trip.
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

/** Milliseconds since the visitor's session was last renewed; null for a guest. */
export async function sessionAge(): Promise<number | null> {
  const { caller, now } = await pageContext();
  return caller && now().getTime() - caller.session.issuedAt.getTime();
}

/** What the browser may know of this installation. */
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

/** Topics the visitor is a member of, latest activity first. */
export const myTopics = cache(async () => {
  const found = await topics({ limit: 50 });
  return found.ok ? found.value.topics : [];
});

export const topic = cache((topicId: string) =>
  read(async () => community.getTopic(await pageContext(), { topicId })),
);

export const posts = ({ topicId, ...query }: ClientInput<typeof contract.posts.list>) =>
  read(async () =>
    community.listPosts(await pageContext(), { topicId, ...contract.posts.list.query.parse(query) }),
  );

/** One post with its comments; cached within a request, so that its metadata does not count a second view. */
export const post = cache((postId: string, cursor?: string, comment?: string) =>
  read(async () => {
    const asked = await headers();
    // Pages loaded ahead come past proxy.ts, which gives every other one its nonce; copies are nobody's view either.
    const isAhead = [asked.get("purpose"), asked.get("sec-purpose")].some((given) =>
      given?.includes("prefetch"),
    );
    const isView = asked.has("x-nonce") && !asked.has(savingHeader) && !isAhead;
    const query = contract.posts.get.query.parse({ cursor, comment });
    return community.getPost(await pageContext(), { postId, ...query }, isView);
  }),
);

/** One post to be changed by its author: who looks at it for that is no reader. */
export const postToEdit = cache((postId: string) =>
  read(async () => {
    const query = contract.posts.get.query.parse({ limit: 1 });
    return community.getPost(await pageContext(), { postId, ...query }, false);
  }),
);

/** The records of a post that the chain has confirmed. */
export const records = (postId: string) =>
  read(async () => community.listRecords(await pageContext(), { postId }));

/** A proof request, as the phone it is shown to may see it. */
export const proofRequest = (requestId: string) =>
  read(async () => describeProofRequest(await pageContext(), { requestId }));

export const invite = cache((inviteCode: string) =>
  read(async () => {
    const ctx = await pageContext();
    if (!ctx.caller) return null;
    return community.getInvite({ ...ctx, caller: ctx.caller }, { inviteCode });
  }),
);

/** Members of a topic; null for a guest. */
export async function members({ topicId, ...query }: ClientInput<typeof contract.members.list>) {
  const ctx = await pageContext();
  const { caller } = ctx;
  if (!caller) return null;
  return read(async () =>
    community.listMembers({ ...ctx, caller }, { topicId, ...contract.members.list.query.parse(query) }),
  );
}

/** Posts the visitor recorded, or posts of theirs that others recorded; null for a guest. */
export async function recordedPosts(whose: "mine" | "onMine", query: { readonly cursor?: string }) {
  const ctx = await pageContext();
  const { caller } = ctx;
  if (!caller) return null;
  const list = whose === "mine" ? community.listMyRecorded : community.listRecordedOnMine;
  return read(async () => list({ ...ctx, caller }, contract.my.recorded.query.parse(query)));
}
