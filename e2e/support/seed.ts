import { contract } from "@/lib/contract";
import { developmentAccount } from "@/scripts/stack/accounts";
import { apiClient, type Client, signInWithProof } from "@/scripts/stack/member";
import { deployment, uniqueWord } from "./installation";

/** Words that break layouts: no place to wrap, other scripts, the other direction. */
export const HARD_WORDS = {
  topic: "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente und 공동체의 오래된 이야기",
  post: "ماذا نُبقي وماذا نترك؟ Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch 🧵 무엇을 남길까",
  comment: `https://example.com/${"an-address-nobody-can-break".repeat(6)} 그렇습니다 👍🏽`,
};

/** What the pages are looked at with. */
export interface Seed {
  /** Session token of a member who owns the open topic. */
  readonly token: string;
  readonly openTopic: string;
  readonly gatedTopic: string;
  readonly post: string;
  readonly invite: string;
  /** A private topic of the same member in which something waits for its staff. */
  readonly desk: string;
}

async function developmentMember(nickname: string): Promise<{ userId: string; token: string; api: Client }> {
  const { userId, token } = await apiClient(deployment).call(contract.auth.devLogin, { nickname });
  return { userId, token, api: apiClient(deployment, token) };
}

/** A topic with a gate: one that stands already, else a new one, which takes a proof. */
async function gatedTopic(categoryId: string, word: string): Promise<string> {
  const { topics } = await apiClient(deployment).call(contract.topics.list, { view: "all", limit: 100 });
  const known = topics.find((topic) => topic.requiredDomain && topic.visibility === "public");
  if (known) return known.id;
  const domain = `pages-${word}.example`;
  const { api } = await signInWithProof({
    deployment,
    email: `gate@${domain}`,
    nickname: `gate_${word}`,
    wallet: developmentAccount("journey"),
  });
  const { topic } = await api.call(contract.topics.create, {
    title: `Gate of ${word}`,
    categoryId,
    proofType: "workspace",
    requiredDomain: domain,
  });
  return topic.id;
}

/** A topic whose staff have work: a request, a report, somebody who is banned. @returns its id */
async function staffDesk(owner: Client, categoryId: string, word: string): Promise<string> {
  const { topic } = await owner.call(contract.topics.create, {
    title: `The staff’s desk ${word}`,
    categoryId,
    visibility: "private",
  });
  const topicId = topic.id;
  const [seeker, guest, noisy] = [
    await developmentMember(`c_${word}`),
    await developmentMember(`d_${word}`),
    await developmentMember(`e_${word}`),
  ];
  await seeker.api.call(contract.topics.join, { topicId });
  await guest.api.call(contract.topics.joinByInvite, { inviteCode: topic.inviteCode ?? "" });
  const { post } = await owner.call(contract.posts.create, {
    topicId,
    title: HARD_WORDS.post,
    content: `<p>${HARD_WORDS.comment}</p>`,
  });
  await guest.api.call(contract.moderation.reportPost, {
    postId: post.id,
    reason: "other",
    details: HARD_WORDS.comment,
  });
  await owner.call(contract.moderation.sanction, {
    topicId,
    userId: noisy.userId,
    kind: "ban",
    reason: HARD_WORDS.comment,
  });
  return topicId;
}

/** Makes what the pages need, through the API. */
export async function seedPages(): Promise<Seed> {
  const word = uniqueWord();
  const [author, reader] = [await developmentMember(`a_${word}`), await developmentMember(`b_${word}`)];
  const { categories } = await author.api.call(contract.categories.list, {});
  const categoryId = categories[0]?.id ?? "";
  const { topic } = await author.api.call(contract.topics.create, {
    title: HARD_WORDS.topic,
    description: "Two or three sentences about what is talked about here, and what is unwelcome.",
    categoryId,
  });
  const { post } = await author.api.call(contract.posts.create, {
    topicId: topic.id,
    title: HARD_WORDS.post,
    content: `<p>Plain, <strong>bold</strong> and <a href="https://example.com">a link</a>.</p><pre><code>${"const wide = 'code'; ".repeat(12)}</code></pre><ul><li>one</li><li>two</li></ul>`,
    tags: ["layout", "공동체"],
    // A picture that is not there: the page must stand without it.
    media: { images: ["https://example.invalid/gone.png"] },
  });
  await reader.api.call(contract.topics.join, { topicId: topic.id });
  let parentId: string | undefined;
  for (const content of [HARD_WORDS.comment, "A reply.", "A reply to the reply.", "And one more."]) {
    const { comment } = await reader.api.call(contract.comments.create, {
      postId: post.id,
      content,
      parentId,
    });
    parentId = comment.id;
  }
  // What is said, who is named, and who came: the chat and the alerts have something to show.
  await reader.api.call(contract.chat.send, { topicId: topic.id, message: HARD_WORDS.comment });
  await author.api.call(contract.chat.send, { topicId: topic.id, message: "Two\nlines. 좋아요" });
  await reader.api.call(contract.chat.send, { topicId: topic.id, message: `Are you here, @a_${word}?` });
  const { topic: circle } = await reader.api.call(contract.topics.create, {
    title: `A small circle ${word}`,
    categoryId,
    visibility: "private",
  });
  return {
    token: author.token,
    openTopic: topic.id,
    gatedTopic: await gatedTopic(categoryId, word),
    post: post.id,
    invite: circle.inviteCode ?? "",
    desk: await staffDesk(author.api, categoryId, word),
  };
}
