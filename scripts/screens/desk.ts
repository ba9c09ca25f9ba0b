import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { sessionCookieName } from "@/lib/session/cookie";
import { type Client, devUser } from "./people";
import type { Session } from "./pictures";

const TITLE = "Letters to the editors";

/** Creates a private topic with work for its staff: a report and, with DEV_LOGIN, join requests and sanctions. @returns its ID */
export async function fillDesk(
  baseUrl: string,
  owner: Client,
  guest: Client,
  categoryId: string,
): Promise<string> {
  const mine = await owner.call(contract.topics.list, { limit: 100 });
  const known = mine.topics.find(({ title }) => title === TITLE);
  if (known) return known.id;
  const { topic } = await owner.call(contract.topics.create, {
    title: TITLE,
    description: "What readers send in before it is printed. Drafts stay in here.",
    categoryId,
    visibility: "private",
  });
  const topicId = topic.id;
  await guest.call(contract.topics.joinByInvite, { inviteCode: topic.inviteCode ?? "" });
  const { post } = await guest.call(contract.posts.create, {
    topicId,
    title: "Two pages on the harbour, and the address of the man who told me",
    content: "<p>He asked not to be named. Here is where he lives, in case you want to check.</p>",
  });
  await owner.call(contract.moderation.reportPost, {
    postId: post.id,
    reason: "private_data",
    details: "The second paragraph must not stay.",
  });
  // For the operators too.
  await owner.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
  await addStrangers(baseUrl, owner, topicId).catch(ignoreWithoutDevLogin);
  return topicId;
}

/** Adds a user who asks to join, a muted member, and a banned user. */
async function addStrangers(baseUrl: string, owner: Client, topicId: string): Promise<void> {
  const [asks, quiet, out] = await Promise.all(
    ["lena_vogt", "minjun", "the_loud_one"].map((nickname) => devUser(baseUrl, nickname)),
  );
  if (!asks || !quiet || !out) return;
  await asks.api.call(contract.topics.join, { topicId });
  await quiet.api.call(contract.topics.join, { topicId });
  const { requests } = await owner.call(contract.requests.list, { topicId });
  const known = requests.find(({ userId }) => userId === quiet.userId);
  if (known) await owner.call(contract.requests.decide, { topicId, requestId: known.id, action: "approve" });
  const day = 86_400_000;
  await owner.call(contract.moderation.sanction, {
    topicId,
    userId: quiet.userId,
    kind: "mute",
    reason: "Went on after a warning.",
    until: new Date(Date.now() + 3 * day).toISOString(),
  });
  await owner.call(contract.moderation.sanction, {
    topicId,
    userId: out.userId,
    kind: "ban",
    reason: "Insults or threats against people.",
  });
}

/**
 * Signs an operator in, who has silenced someone and put a hold on their account. Needs DEV_LOGIN.
 * @returns the operator's session, and the account
 */
export async function fillOperatorsDesk(baseUrl: string): Promise<{ session: Session; account: string }> {
  const { userId } = await devUser(baseUrl, "the_loud_one");
  const { token } = await createClient({ baseUrl }).call(contract.auth.devLogin, {
    nickname: "desk_ines",
    operator: "operator",
  });
  const api = createClient({ baseUrl, token: () => token });
  const { holds } = await api.call(contract.desk.holds, {});
  if (!holds.some(({ targetId }) => targetId === userId)) {
    const reason = "Asked for by the district court, 14 O 221/26.";
    await api.call(contract.desk.placeHold, { kind: "profile", targetId: userId, reason });
  }
  const { sanctions } = await api.call(contract.desk.account, { userId });
  if (sanctions.length === 0) {
    const until = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const reason = "Shows someone’s private data.";
    await api.call(contract.desk.sanction, { userId, kind: "silence", reason, until });
  }
  const { hostname: domain } = new URL(baseUrl);
  const cookie = { name: sessionCookieName, value: token, domain, path: "/" };
  const flags = { expires: -1, httpOnly: true, secure: false, sameSite: "Lax" } as const;
  return { session: { cookies: [{ ...cookie, ...flags }], origins: [] }, account: userId };
}

/** Without DEV_LOGIN there are no other users: the screenshots show only the work of the two. */
export function ignoreWithoutDevLogin(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
  return undefined;
}
