import { contract } from "@/lib/contract";
import type { Looker, Places } from "@/scripts/screens/list";
import { apiClient, type Client } from "@/scripts/stack/member";
import { PAST } from "@/scripts/stack/past-content";
import { deployment, uniqueWord } from "./installation";
import { type Person, person } from "./people";

/** Words that break layouts: no place to wrap, other scripts, the other direction. */
export const HARD_WORDS = {
  topic: "Donaudampfschifffahrtsgesellschaftskapitänswitwenrente und 공동체의 오래된 이야기",
  post: "ماذا نُبقي وماذا نترك؟ Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch 🧵 무엇을 남길까",
  comment: `https://example.com/${"an-address-nobody-can-break".repeat(6)} 그렇습니다 👍🏽`,
};

/** What the pages are looked at with. */
export interface Seed {
  readonly places: Places;
  /** Session tokens of those who look. */
  readonly tokens: Readonly<Record<Exclude<Looker, "guest">, string>>;
}

/** A public topic of the installation's past, by its title. @returns its id */
async function pastTopic(title: string): Promise<string> {
  const { topics } = await apiClient(deployment).call(contract.topics.list, { view: "all", q: title });
  const found = topics.find((topic) => topic.title === title);
  if (!found) throw new Error(`the stack has no past (scripts/stack/past.ts): ${title}`);
  return found.id;
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
    await person(`c_${word}`),
    await person(`d_${word}`),
    await person(`e_${word}`),
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
  // For the operators too.
  await guest.api.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
  await owner.call(contract.moderation.sanction, {
    topicId,
    userId: noisy.userId,
    kind: "ban",
    reason: HARD_WORDS.comment,
  });
  return topicId;
}

/** What operators did: a silence and a legal hold of somebody. @returns their user id */
async function operatorsDesk(operator: Client, word: string): Promise<string> {
  const { userId } = await person(`e_${word}`);
  const reason = HARD_WORDS.comment;
  await operator.call(contract.desk.sanction, { userId, kind: "silence", reason });
  await operator.call(contract.desk.placeHold, { kind: "profile", targetId: userId, reason });
  return userId;
}

/** Makes what the pages need, through the API. */
export async function seedPages(): Promise<Seed> {
  const word = uniqueWord();
  const [author, reader] = [await person(`a_${word}`), await person(`b_${word}`)];
  const operator = await person(`f_${word}`, undefined, "operator");
  const { categories } = await author.api.call(contract.categories.list, {});
  const categoryId = categories[0]?.id ?? "";
  const { topic } = await author.api.call(contract.topics.create, {
    title: HARD_WORDS.topic,
    description: "Two or three sentences about what is talked about here, and what is unwelcome.",
    categoryId,
  });
  const { topic: empty } = await author.api.call(contract.topics.create, {
    title: `A small circle ${word}`,
    categoryId,
    visibility: "private",
  });
  const old = await pastTopic(PAST.topic);
  const [oldPost] = (await author.api.call(contract.posts.list, { topicId: old })).posts;
  await author.api.call(contract.topics.join, { topicId: old });
  const letters = await pastTopic(PAST.letters.topic);
  const [letter] = (await author.api.call(contract.posts.list, { topicId: letters })).posts;
  const post = await talk(topic.id, author, reader);
  return {
    tokens: { member: author.token, newcomer: reader.token, operator: operator.token },
    places: {
      openTopic: topic.id,
      emptyTopic: empty.id,
      invite: empty.inviteCode ?? "",
      gatedTopic: await pastTopic(PAST.gates.domain),
      countryTopic: await pastTopic(PAST.gates.country),
      kycTopic: await pastTopic(PAST.gates.kyc),
      oldPost: oldPost?.id ?? null,
      letter: letter?.id ?? null,
      post,
      ownPost: post,
      desk: await staffDesk(author.api, categoryId, word),
      person: author.nickname,
      account: await operatorsDesk(operator.api, word),
    },
  };
}

/** A post with everything in it, a thread below, and what is said in the chat. @returns the post's id */
async function talk(topicId: string, author: Person, reader: Person): Promise<string> {
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: HARD_WORDS.post,
    content: `<p>Plain, <strong>bold</strong> and <a href="https://example.com">a link</a>.</p><pre><code>${"const wide = 'code'; ".repeat(12)}</code></pre><ul><li>one</li><li>two</li></ul>`,
    tags: ["layout", "공동체"],
    // A picture that is not there: the page must stand without it.
    media: { images: ["https://example.invalid/gone.png"] },
  });
  await reader.api.call(contract.topics.join, { topicId });
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
  const said = async ({ api }: Person, message: string, replyToId?: string) =>
    (await api.call(contract.chat.send, { topicId, message, replyToId })).message.id;
  const messageId = await said(reader, HARD_WORDS.comment);
  const second = await said(author, "Two\nlines. 좋아요", messageId);
  await author.api.call(contract.chat.react, { messageId, emoji: "\u{1F525}", reacted: true });
  await author.api.call(contract.chat.update, { messageId: second, message: "Two\nother lines. 좋아요" });
  await author.api.call(contract.chat.delete, { messageId: await said(author, "Never mind") });
  await reader.api.call(contract.chat.send, { topicId, message: `Are you here, @${author.nickname}?` });
  return post.id;
}
