import path from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { homeFolder } from "@/lib/settings/general";
import { testSettings } from "@/lib/settings/tools";
import playwrightConfig from "../playwright.config";
import { fillDesk, fillOperatorsDesk, ignoreWithoutDevLogin } from "./screens/desk";
import { Gallery } from "./screens/gallery";
import { type Looker, type Places, SCREENS } from "./screens/list";
import { type Client, clientOf, devUser, joinOnce, picturedSignIn, withPage } from "./screens/people";
import { Camera, type Session, SIZES } from "./screens/pictures";
import { COUNTRY_TOPIC, KYC_TOPIC, picturedFounding } from "./screens/wallets";
import { language } from "./screens/words";
import { ensureBrowser } from "./stack/checks/browser";
import { PAST } from "./stack/past-content";
import { ROOT } from "./stack/settings";

const USAGE = `npm run screens [-- --docs] [--out FOLDER]

Takes a screenshot of every screen of a running stack with the demo community, at three widths in both themes. Prints
which differ from the last run, with the share of changed pixels, and keeps the previous ones in FOLDER/before. Buys
four real proofs. Uses the stack at PARLEY_E2E_URL, by default that of npm start. SCREENS_LANGUAGE=ko shows them in Korean.
  --docs        also updates the screenshots in docs/screens, in English only
  --out FOLDER  folder of the screenshots, by default .parley/screens, or screens-ko`;

const baseUrl = testSettings().PARLEY_E2E_URL;
const HOUR_MS = 3_600_000;
const [WIDE, , PHONE] = SIZES;
const EMPTY_TOPIC = "The night desk";

/** Finds the demo's topics, and creates what the demo lacks: an empty topic, an old post and a moderation queue. */
async function findPlaces(
  member: Client,
  newcomer: Client,
): Promise<Omit<Places, "account" | "countryTopic" | "kycTopic">> {
  const guest = createClient({ baseUrl });
  const { topics } = await guest.call(contract.topics.list, { view: "all", limit: 100 });
  const gated = topics.find((topic) => topic.requiredDomain === "acme.example");
  const open = topics.find((topic) => topic.title === "Zero knowledge in practice");
  if (!gated || !open) throw new Error(`the stack at ${baseUrl} has no demo community`);
  await joinOnce(member, gated.id);
  await joinOnce(member, open.id);
  const { posts } = await guest.call(contract.posts.list, { topicId: open.id, sort: "top" });
  const post = posts[0];
  if (!post) throw new Error("the demo has no posts");

  const mine = await member.call(contract.topics.list, {});
  const known = mine.topics.find((topic) => topic.title === EMPTY_TOPIC);
  const empty = known ?? (await createEmptyTopic(member, open.categoryId ?? ""));
  return {
    openTopic: open.id,
    gatedTopic: gated.id,
    emptyTopic: empty.id,
    post: post.id,
    ownPost: await ownPost(member, open.id),
    oldPost: await oldPost(member, open.id),
    letter: await letter(guest),
    person: post.authorNickname,
    invite: empty.inviteCode ?? "",
    desk: await fillDesk(baseUrl, member, newcomer, open.categoryId ?? ""),
  };
}

/** Finds a letter in a stack that has a past (scripts/stack/past.ts). */
async function letter(guest: Client): Promise<string | null> {
  const { topics } = await guest.call(contract.topics.list, { view: "all", q: PAST.letters.topic });
  const topicId = topics.find(({ title }) => title === PAST.letters.topic)?.id;
  if (!topicId) return null;
  return (await guest.call(contract.posts.list, { topicId })).posts[0]?.id ?? null;
}

/**
 * Finds a post that is old enough to be recorded: of a stack that runs for an hour, or has a past
 * (scripts/stack/past.ts). With DEV_LOGIN another member records it, so that a screenshot shows the record.
 */
async function oldPost(member: Client, openTopic: string): Promise<string | null> {
  const { topics } = await member.call(contract.topics.list, { view: "all", q: PAST.topic });
  const topicId = topics.find(({ title }) => title === PAST.topic)?.id ?? openTopic;
  await joinOnce(member, topicId);
  const { posts } = await member.call(contract.posts.list, { topicId });
  const post = posts.find(({ createdAt }) => Date.parse(createdAt) < Date.now() - HOUR_MS);
  if (!post) return null;
  if (post.recordCount === 0) await recordAsArchivist(topicId, post.id).catch(() => undefined);
  return post.id;
}

async function recordAsArchivist(topicId: string, postId: string): Promise<void> {
  const { api } = await devUser(baseUrl, "archivist");
  await joinOnce(api, topicId);
  await api.call(contract.records.record, { postId });
}

/** Fills the chat once, with a mention of the member, a reply, reactions, and what was edited and deleted. */
async function fillChat(topicId: string, member: Client, newcomer: Client): Promise<void> {
  const { total } = await member.call(contract.chat.list, { topicId });
  if (total > 0) return;
  await joinOnce(newcomer, topicId);
  const lines: readonly (readonly [Client, string])[] = [
    [newcomer, "Does anybody have the slides of last week?"],
    [member, "Here: https://example.com/circuits/week-9. The table is on page four."],
    [newcomer, "고마워요! And when do we meet again, @nora_lind?"],
    [
      newcomer,
      "Two things I would like to talk about:\n· what the lookup costs in the browser\n· who reviews it",
    ],
    [member, "Thursday, the usual hour."],
  ];
  const sent: string[] = [];
  for (const [author, message] of lines) {
    sent.push((await author.call(contract.chat.send, { topicId, message })).message.id);
  }
  const [, slides = "", , two = "", thursday = ""] = sent;
  for (const reader of [member, newcomer]) {
    await reader.call(contract.chat.react, { messageId: slides, emoji: "\u{1F389}", reacted: true });
  }
  await newcomer.call(contract.chat.react, { messageId: thursday, emoji: "\u{1F44D}", reacted: true });
  const message = "The second one I can answer: two people, next week.";
  await member.call(contract.chat.send, { topicId, message, replyToId: two });
  const late = await newcomer.call(contract.chat.send, { topicId, message: "Wednesday?" });
  await newcomer.call(contract.chat.update, { messageId: late.message.id, message: "See you on Thursday." });
  const twice = await newcomer.call(contract.chat.send, { topicId, message: "See you" });
  await newcomer.call(contract.chat.delete, { messageId: twice.message.id });
}

/** Finds a post of the member's own, or creates it. */
async function ownPost(member: Client, topicId: string): Promise<string> {
  const known = (await member.call(contract.my.posts, {})).posts.find((post) => post.topicId === topicId);
  if (known) return known.id;
  const { post } = await member.call(contract.posts.create, {
    topicId,
    title: "Week nine: what the circuit costs",
    content:
      "<p>The table is on page four. <strong>Rows 12 and 13 are mine</strong>, tell me if they are wrong.</p>",
    tags: ["circuits"],
    poll: {
      question: "Shall we go through it on Thursday?",
      options: ["Yes, at the usual hour", "Another day"],
    },
  });
  return post.id;
}

/** Has a post of the member wait for tomorrow at nine, unless one waits. */
async function postLater(topicId: string, member: Client): Promise<void> {
  if ((await member.call(contract.scheduled.list, {})).scheduled.length > 0) return;
  const publishAt = new Date(Date.now() + 24 * HOUR_MS);
  publishAt.setUTCHours(9, 0, 0, 0);
  await member.call(contract.scheduled.create, {
    topicId,
    title: "Thursday: what we take up, and who brings it",
    content: "<p>Two things so far. Add yours below until noon.</p>",
    tags: ["circuits"],
    publishAt: publishAt.toISOString(),
  });
}

/** Has the newcomer, a member of the topic, upvote two posts, and the member bookmark two. */
async function upvoteAndBookmark(topicId: string, member: Client, newcomer: Client): Promise<void> {
  const page = { topicId, sort: "top", limit: 2 } as const;
  for (const { id: postId, userVoted } of (await newcomer.call(contract.posts.list, page)).posts) {
    if (userVoted === null) await newcomer.call(contract.posts.vote, { postId, value: 1 });
  }
  for (const { id: postId, userBookmarked } of (await member.call(contract.posts.list, page)).posts) {
    if (!userBookmarked) await member.call(contract.posts.bookmark, { postId });
  }
}

async function createEmptyTopic(member: Client, categoryId: string) {
  const { topic } = await member.call(contract.topics.create, {
    title: EMPTY_TOPIC,
    description: "For those who are awake when the alerts are.",
    categoryId,
    visibility: "private",
  });
  return topic;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { docs: { type: "boolean" }, out: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return console.log(USAGE);
  const gallery = await Gallery.open(
    values.out ?? path.join(homeFolder(), language === "en" ? "screens" : `screens-${language}`),
    values.docs && language === "en" ? path.join(ROOT, "docs", "screens") : undefined,
  );
  await ensureBrowser();
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
  const camera = new Camera(browser, baseUrl, gallery);
  try {
    console.log("the run of a proof");
    const nora = { email: "nora.lind@acme.example", nickname: "nora_lind" };
    const noah = { email: "noah.berg@acme.example", nickname: "noah_berg" };
    const member = await picturedSignIn(camera, WIDE, nora);
    const newcomer = await picturedSignIn(camera, PHONE, noah);
    const found = await findPlaces(clientOf(baseUrl, member), clientOf(baseUrl, newcomer));
    await fillChat(found.openTopic, clientOf(baseUrl, member), clientOf(baseUrl, newcomer));
    await postLater(found.openTopic, clientOf(baseUrl, member));
    await upvoteAndBookmark(found.openTopic, clientOf(baseUrl, member), clientOf(baseUrl, newcomer));
    const deployment = loadDeployment();
    const operator = await fillOperatorsDesk(baseUrl).catch(ignoreWithoutDevLogin);
    const places: Places = {
      ...found,
      account: operator?.account ?? "",
      countryTopic: await picturedFounding(camera, WIDE, member, COUNTRY_TOPIC, deployment),
      kycTopic: await picturedFounding(camera, PHONE, member, KYC_TOPIC, deployment),
    };

    const sessions: Record<Looker, Session | undefined> = {
      ...{ guest: undefined, member, newcomer },
      operator: operator?.session,
    };
    for (const screen of SCREENS) {
      if (screen.unpictured) continue;
      if (screen.as === "operator" && !operator) {
        console.log(`${screen.name}: needs DEV_LOGIN`);
        continue;
      }
      console.log(screen.name);
      for (const size of SIZES) {
        const context = await camera.context(size, sessions[screen.as]);
        await withPage(context, screen, places, async (page) => {
          await screen.prepare?.(page);
          await camera.take(page, screen.name, { whole: screen.whole });
        });
        await context.close();
      }
    }
    console.log(gallery.summary);
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
