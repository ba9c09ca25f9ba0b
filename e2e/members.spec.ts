import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { enter, tabTo } from "./support/keys";
import { expectAccessible } from "./support/page-checks";
import { browserOf, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What members decide for themselves, by keyboard: whom they read, and what notifies them. */
test.describe.configure({ mode: "parallel" });

const word = uniqueWord();

test("what a blocked person writes folds away, and opens when asked @once", async ({ browser }) => {
  const [owner, reader, troll] = [
    await person(`own_${word}`),
    await person(`rea_${word}`),
    await person(`tro_${word}`),
  ];
  const topicId = await topicOf(owner, `Blocks ${word}`, [reader, troll]);
  const { post } = await owner.api.call(contract.posts.create, { topicId, title: "A", content: "<p>B</p>" });
  await troll.api.call(contract.comments.create, { postId: post.id, content: "Unkind words." });
  const { message } = await troll.api.call(contract.chat.send, { topicId, message: "Unkind chat." });
  const answer = { topicId, message: "Not here.", replyToId: message.id };
  await owner.api.call(contract.chat.send, answer);
  const page = await pageOf(browser, reader, `/posts/${post.id}`);

  await enter(page, page.getByRole("button", { name: t("moderate.commentTools", { name: troll.nickname }) }));
  // Quote, copy, mark unread, block.
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowDown");
  const block = page.getByRole("menuitem", { name: t("post.block", { name: troll.nickname }) });
  await expect(block).toBeFocused();
  await page.keyboard.press("Enter");
  const folded = page.getByRole("article").filter({ hasText: t("post.foldedComment") });
  await expect(folded).toBeFocused();
  await expect(page.getByText("Unkind words.")).toHaveCount(0);
  await expectAccessible(page);

  // It folds before the server has answered, and a reload would take the request back.
  await expect(page.getByText(t("post.blocked", { name: troll.nickname }), { exact: true })).toBeVisible();
  await page.reload();
  const show = page.getByRole("button", {
    name: t("post.showFoldedOf", { what: t("post.foldedComment") }),
    exact: true,
  });
  await enter(page, show);
  const shown = page.getByRole("article", { name: t("post.commentBy", { name: troll.nickname }) });
  await expect(shown).toBeFocused();
  await expect(shown).toContainText("Unkind words.");

  await page.goto("/search?q=unkind&type=comments");
  await expect(page.getByText(t("post.foldedComment"), { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Unkind words.")).toHaveCount(0);

  await page.goto(`/topics/${topicId}/chat`);
  const line = t("chat.folded", { n: 1 });
  await expect(page.getByRole("log").getByText(line, { exact: true })).toBeVisible();
  await expect(page.getByText("Unkind chat.")).toHaveCount(0);
  // So does the quote in an answer to it, which then leads to it, unfolded.
  const log = page.getByRole("log");
  const quote = log.getByRole("button", { name: t("chat.quoteFolded") });
  await expect(quote).toBeVisible();
  await tabTo(page, log);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  await expect(quote).toBeFocused();
  await page.keyboard.press("Enter");
  const shownQuote = log.getByRole("button", { name: "Unkind chat." });
  await expect(shownQuote).toBeFocused();
  await page.keyboard.press("Enter");
  const quoted = log.getByRole("group", {
    name: t("chat.announced", { name: troll.nickname, text: "Unkind chat." }),
  });
  await expect(quoted).toBeFocused();
  await expectAccessible(page);
  await page.context().close();
});

test("a chat message and a topic are reported by keyboard, and who will read it is said before @once", async ({
  browser,
}) => {
  const [owner, reader] = [await person(`rul_${word}`), await person(`tel_${word}`)];
  const topicId = await topicOf(owner, `Reports ${word}`, [reader]);
  await owner.api.call(contract.chat.send, { topicId, message: "Buy lamps." });
  const page = await pageOf(browser, reader, `/topics/${topicId}/chat`);
  const readers = page.getByRole("dialog").getByRole("status");

  await tabTo(page, page.getByRole("log"));
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemcheckbox").first()).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: t("report.message") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: t("report.message") })).toBeVisible();
  await expect(readers).toContainText(t("report.readers.staff"));
  await tabTo(page, page.getByRole("radio").first());
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowDown");
  await expect(readers).toContainText(t("report.readers.ownerUnknown"));
  await page.keyboard.press("ArrowUp");
  await expect(readers).toContainText(t("report.readers.both"));
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("report.sentToBoth"), { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: t("chat.tools", { name: owner.nickname }) })).toBeFocused();
  const { reports } = await owner.api.call(contract.moderation.reports, { topicId });
  expect(reports).toMatchObject([{ reason: "illegal", snapshot: { text: "Buy lamps." } }]);

  await page.goto(`/topics/${topicId}`);
  await enter(page, page.getByRole("button", { name: t("report.tools.topic"), exact: true }));
  await expect(page.getByRole("menuitem", { name: t("report.topic") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(readers).toContainText(t("report.readers.onlyOperators"));
  await enter(page, page.getByRole("button", { name: t("report.send"), exact: true }));
  await expect(page.getByText(t("report.sentToOperators"), { exact: true })).toBeVisible();
  await page.context().close();
});

test("everything that is theirs is downloaded; a download that breaks off says so, and can be tried again @once", async ({
  browser,
}) => {
  const owner = await person(`exp_${word}`);
  await topicOf(owner, `Exports ${word}`, []);
  const context = await browserOf(browser, owner, { serviceWorkers: "block" });
  const page = await context.newPage();
  await page.route("**/api/account/export", (route) => route.abort());
  await page.goto("/settings");
  const download = page.getByRole("button", { name: t("settings.download"), exact: true });
  await enter(page, download);
  await expect(page.getByRole("alert").filter({ hasText: t("settings.downloadFailed") })).toBeVisible();
  await expect(download).toBeFocused();
  await page.unroute("**/api/account/export");
  const file = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const saved = await (await file).path();
  expect((await readFile(saved)).subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  await expect(page.getByRole("status").filter({ hasText: /Downloaded \d+ files/ })).toBeVisible();
  await context.close();
});

test("a topic is muted at its bell, and heard again from the settings @once", async ({ browser }) => {
  const [owner, reader] = [await person(`bel_${word}`), await person(`qui_${word}`)];
  const title = `Bells ${word}`;
  const topicId = await topicOf(owner, title, [reader]);
  const page = await pageOf(browser, reader, `/topics/${topicId}`);
  await enter(page, page.getByRole("button", { name: t("topicAlerts.label"), exact: true }));
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitemcheckbox", { name: t("topicAlerts.mute") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: t("topicAlerts.labelMuted"), exact: true })).toBeFocused();
  // The button changes before the server has answered, and leaving would take the request back.
  await expect(page.getByText(t("topicAlerts.muted"), { exact: true })).toBeVisible();

  await page.goto("/settings");
  await expectAccessible(page);
  const kind = t("topicAlerts.kinds.mention");
  await tabTo(page, page.getByLabel(t("topicAlerts.pushOf", { kind }), { exact: true }));
  await page.keyboard.press("Space");
  await expect(page.getByText(t("topicAlerts.saved"))).toBeVisible();
  const unmute = page.getByRole("button", { name: t("topicAlerts.unmuteOf", { topic: title }), exact: true });
  await enter(page, unmute);
  await expect(unmute).toHaveCount(0);
  await expect(page.getByText(t("topicAlerts.unmuted"), { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(t("topicAlerts.pushOf", { kind }), { exact: true })).not.toBeChecked();
  await expect(page.getByText(t("topicAlerts.topicsNone"))).toBeVisible();
  await page.context().close();
});

test("a thread is watched at its bell, muted there, and followed again from the settings @once", async ({
  browser,
}) => {
  const [owner, reader] = [await person(`tho_${word}`), await person(`thr_${word}`)];
  const topicId = await topicOf(owner, `Threads ${word}`, [reader]);
  const title = `A thread ${word}`;
  const { post } = await owner.api.call(contract.posts.create, { topicId, title, content: "<p>B</p>" });
  const page = await pageOf(browser, reader, `/posts/${post.id}`);
  const bell = (level: "watch" | "follow" | "mute") =>
    page.getByRole("button", {
      name: t("threadAlerts.label", { level: t(`threadAlerts.levels.${level}`) }),
      exact: true,
    });
  await enter(page, bell("follow"));
  await expectAccessible(page);
  // Seen, not only told to a screen reader.
  const marks = await page
    .getByRole("menuitemcheckbox")
    .evaluateAll((entries) =>
      entries.map((entry) => getComputedStyle(entry, "::after").content.includes("✓")),
    );
  expect(marks).toEqual([false, true, false, false]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(bell("watch")).toBeFocused();
  await expect(page.getByText(t("threadAlerts.chosen.watch"), { exact: true })).toBeVisible();
  await owner.api.call(contract.comments.create, { postId: post.id, content: "Something new." });
  await page.goto("/alerts");
  const alert = t("alerts.sentences.watched_thread", {
    who: owner.nickname,
    post: t("alerts.titled", { title }),
  });
  await expect(page.getByRole("link", { name: alert })).toBeVisible();

  await page.goto(`/posts/${post.id}`);
  await enter(page, bell("watch"));
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("threadAlerts.chosen.mute"), { exact: true })).toBeVisible();
  await page.goto("/settings");
  await enter(
    page,
    page.getByRole("button", { name: t("threadAlerts.followOf", { post: title }), exact: true }),
  );
  await expect(page.getByText(t("threadAlerts.chosen.follow"), { exact: true })).toBeVisible();
  await page.goto(`/posts/${post.id}`);
  await expect(bell("follow")).toBeVisible();
  await page.context().close();
});
