import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** Talking: people in browsers of their own, in one topic. */

const word = uniqueWord();
let ada: Person;
let bela: Person;
let cleo: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  cleo = await person(`cleo_${word}`);
  topicId = await topicOf(ada, `Talk ${word}`, [bela, cleo]);
});

const chatPath = () => `/topics/${topicId}/chat`;
const log = (page: Page) => page.getByRole("log", { name: t("chat.log") });
const field = (page: Page) => page.getByRole("textbox", { name: t("chat.field") });
const line = (page: Page, text: string) => log(page).locator("[data-line]").getByText(text, { exact: true });
const isLive = (page: Page) => expect(page.getByText(t("chat.states.live"), { exact: true })).toBeVisible();
const say = (who: Person, message: string) => who.api.call(contract.chat.send, { topicId, message });
const said = async (text: string) => {
  const { messages } = await ada.api.call(contract.chat.list, { topicId, limit: 500 });
  return messages.filter(({ message }) => message === text).length;
};

async function openChat(browser: Parameters<typeof pageOf>[0], who: Person): Promise<Page> {
  const page = await pageOf(browser, who, chatPath());
  await isLive(page);
  return page;
}

test("two people talk: seen at once, by keyboard alone, and who is here", async ({ browser }) => {
  const [hers, his] = [await openChat(browser, ada), await openChat(browser, bela)];
  await expect(
    his
      .getByText(new RegExp(t("chat.hereCount", { n: 2 })))
      .or(his.getByRole("heading", { name: `${t("chat.here")} · 2` }))
      .filter({ visible: true }),
  ).toBeVisible();

  // Her own words stand there before the server has answered.
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await hers.route("**/chat", async (route) => {
    await held;
    await route.continue();
  });
  await log(hers).focus();
  // Past what is folded in the log.
  await expect(async () => {
    await hers.keyboard.press("Tab");
    await expect(field(hers)).toBeFocused({ timeout: 200 });
  }).toPass();
  await hers.keyboard.type("Good morning");
  await hers.keyboard.press("Shift+Enter");
  await hers.keyboard.type("see https://example.com/a_(b).");
  await hers.keyboard.press("Enter");
  await expect(field(hers)).toHaveValue("");
  await expect(field(hers)).toBeFocused();
  const sending = log(hers).getByRole("article", { name: t("common.sending") });
  await expect(sending).toContainText("Good morning");
  answer();
  await expect(sending).toHaveCount(0);
  await expect(log(hers).getByText("Good morning")).toHaveCount(1);
  await hers.unroute("**/chat");

  const link = log(his).getByRole("link", { name: "https://example.com/a_(b)" });
  await expect(link).toHaveAttribute("rel", /noopener.*nofollow/);
  await field(his).fill("Good evening");
  await field(his).press("Enter");
  await expect(line(hers, "Good evening")).toHaveCount(1);
  // And it is read out, which her own words are not.
  await expect(hers.locator("[data-announcer]")).toHaveText(
    t("chat.announced", { name: bela.nickname, text: "Good evening" }),
  );

  await hers.context().close();
  await his.context().close();
});

test("Enter ends a syllable before it sends, and a message has an end", { tag: "@once" }, async ({
  browser,
}) => {
  const page = await openChat(browser, ada);
  const keyboard = await page.context().newCDPSession(page);
  await field(page).focus();
  await keyboard.send("Input.imeSetComposition", { text: "한", selectionStart: 1, selectionEnd: 1 });
  await keyboard.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  await field(page).evaluate((element) =>
    element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
    ),
  );
  await expect(field(page)).toHaveValue("한");
  await keyboard.send("Input.insertText", { text: "한" });
  await field(page).press("Enter");
  await expect(line(page, "한")).toHaveCount(1);

  await field(page).fill("a".repeat(1001));
  await expect(page.getByText(t("mention.tooMany", { n: 1 }))).toBeVisible();
  await expect(page.getByRole("button", { name: t("chat.send") })).toBeDisabled();
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue("a".repeat(1001));
  // What was being written is still there for who comes back.
  await page.reload();
  await expect(field(page)).toHaveValue("a".repeat(1001));
  await page.context().close();
});

test("reading back keeps its place, whatever comes above and below", async ({ browser }) => {
  for (const who of [ada, bela, cleo]) {
    await Promise.all(Array.from({ length: 40 }, (_, n) => say(who, `${who.nickname} says ${n}`)));
  }
  const page = await openChat(browser, ada);
  const lines = log(page).locator("[data-line]");
  const toLatest = page.getByRole("button", { name: t("chat.toLatest") });
  await expect(toLatest).toHaveCount(0);
  // Up to where older ones are fetched: the line in the middle of the window must not move by their coming.
  const place = await log(page).evaluate(async (box) => {
    const all = () => [...box.querySelectorAll<HTMLElement>("[data-line]")];
    const before = all().length;
    box.scrollTop = -(box.scrollHeight - box.clientHeight) + 300;
    const top = box.getBoundingClientRect().top;
    const line = all().find((one) => one.getBoundingClientRect().top > top + 100);
    const was = line?.getBoundingClientRect().top ?? 0;
    await new Promise<void>((resolve) => {
      const watch = new MutationObserver(() => {
        if (all().length > before) resolve();
      });
      watch.observe(box, { subtree: true, childList: true });
    });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return { moved: (line?.getBoundingClientRect().top ?? 999) - was, isThere: line?.isConnected };
  });
  expect(place.isThere).toBe(true);
  expect(Math.abs(place.moved)).toBeLessThan(2);

  // Something new below does not move it either; it is counted, and one press away.
  const top = () => lines.nth(20).evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  await say(bela, "Are you coming?");
  const below = page.getByRole("button", { name: t("chat.newBelow", { n: 1 }) });
  await expect(below).toBeVisible();
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await below.click();
  await expect(line(page, "Are you coming?")).toBeInViewport();
  await expect(log(page).getByText(/^New since \d\d:\d\d$/)).toBeVisible();
  await expect(below).toHaveCount(0);
  await page.context().close();
});

test("a network that goes and comes loses nothing, doubles nothing and leaves the field alone @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, ada);
  const page = await context.newPage();
  await page.goto(chatPath());
  await isLive(page);
  await field(page).fill("half a sent");
  await context.setOffline(true);
  await expect(page.getByText(t("chat.states.offline"))).toBeVisible();
  await say(bela, `while away 1 ${word}`);
  await say(bela, `while away 2 ${word}`);
  await field(page).fill(`from the tunnel ${word}`);
  await field(page).press("Enter");
  await expect(log(page).getByRole("article", { name: t("chat.failed") })).toContainText(
    `from the tunnel ${word}`,
  );
  await field(page).fill("half a sentence");
  await context.setOffline(false);
  await isLive(page);
  for (const text of [`while away 1 ${word}`, `while away 2 ${word}`, `from the tunnel ${word}`]) {
    await expect(line(page, text)).toHaveCount(1);
    expect(await said(text)).toBe(1);
  }
  await expect(log(page).getByRole("article", { name: t("chat.failed") })).toHaveCount(0);
  await expect(field(page)).toHaveValue("half a sentence");
  await expect(field(page)).toBeFocused();
  await context.close();
});

test("a message that failed is sent again once, whether or not it had arrived", { tag: "@once" }, async ({
  browser,
}) => {
  const page = await openChat(browser, ada);
  const refused = `refused ${word}`;
  await page.route("**/chat", (route) => route.abort(), { times: 1 });
  await field(page).fill(refused);
  await field(page).press("Enter");
  const failed = log(page).getByRole("article", { name: t("chat.failed") });
  await expect(failed).toContainText(t("problems.network"));
  await failed.getByRole("button", { name: t("common.sendAgain") }).click();
  await expect(line(page, refused)).toHaveCount(1);
  await expect(failed).toHaveCount(0);
  expect(await said(refused)).toBe(1);

  // The server took it, and its answer got lost.
  const lost = `lost ${word}`;
  await page.route(
    "**/chat",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await field(page).fill(lost);
  await field(page).press("Enter");
  await expect(line(page, lost)).toHaveCount(1);
  await expect(failed).toHaveCount(0);
  await expect(log(page).getByText(lost)).toHaveCount(1);
  expect(await said(lost)).toBe(1);

  // The same with the stream gone too: it is sent again by itself, and the server knows it by its key.
  const again = `again ${word}`;
  await page.context().setOffline(true);
  await expect(page.getByText(t("chat.states.offline"))).toBeVisible();
  await page.route(
    "**/chat",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await field(page).fill(again);
  await field(page).press("Enter");
  await expect(failed).toContainText(again);
  expect(await said(again)).toBe(1);
  const repeated = page.waitForResponse((response) => response.request().method() === "POST");
  await page.context().setOffline(false);
  expect((await repeated).headers()["idempotent-replayed"]).toBe("true");
  await expect(line(page, again)).toHaveCount(1);
  await expect(failed).toHaveCount(0);
  expect(await said(again)).toBe(1);
  await page.context().close();
});

test("a message is answered, changed and reacted to, by keyboard alone, and others see it at once", {
  tag: "@once",
}, async ({ browser }) => {
  const [hers, his] = [await openChat(browser, ada), await openChat(browser, bela)];
  const first = `Who brings bread ${word}`;
  await say(ada, first);
  const tools = (page: Page, text: string) =>
    log(page)
      .locator("[data-line]", { hasText: text })
      .getByRole("button", { name: t("chat.tools", { name: ada.nickname }) });
  await expect(line(his, first)).toBeVisible();

  // From the log up to the last message, whose menu has reactions and a reply.
  await log(his).focus();
  await his.keyboard.press("ArrowUp");
  await expect(tools(his, first)).toBeFocused();
  await his.keyboard.press("Enter");
  await expect(his.getByRole("menuitemcheckbox", { name: t("reaction.names.thumbsUp") })).toBeFocused();
  await his.keyboard.press("ArrowRight");
  await his.keyboard.press("Enter");
  const heart = (page: Page, n: number) =>
    log(page).getByRole("button", { name: t("reaction.chip", { name: t("reaction.names.heart"), n }) });
  await expect(heart(his, 1)).toHaveAttribute("aria-pressed", "true");
  await expect(heart(hers, 1)).toHaveAttribute("aria-pressed", "false");
  await heart(hers, 1).click();
  await expect(heart(his, 2)).toHaveAttribute("aria-pressed", "true");

  await expect(tools(his, first)).toBeFocused();
  await his.keyboard.press("ArrowLeft");
  await expect(heart(his, 2)).toBeFocused();
  await his.keyboard.press("ArrowRight");
  await his.keyboard.press("Enter");
  const reply = his.getByRole("menuitem", { name: t("post.reply"), exact: true });
  for (let i = 0; i < 6; i += 1) await his.keyboard.press("ArrowDown");
  await expect(reply).toBeFocused();
  await his.keyboard.press("Enter");
  await expect(field(his)).toBeFocused();
  const replying = t("chat.replying", { name: ada.nickname, text: first });
  await expect(his.getByText(replying)).toBeVisible();
  await his.keyboard.press("Escape");
  await expect(his.getByText(replying)).toHaveCount(0);
  await tools(his, first).click();
  await reply.click();
  await his.keyboard.type(`I do ${word}`);
  await his.keyboard.press("Enter");
  const quote = (text: string) => t("chat.inReplyToText", { name: ada.nickname, text });
  await expect(log(hers).getByText(quote(first))).toBeVisible();

  // What she changes shows in the quote, too; what she deletes leaves its place.
  await tools(hers, first).first().click();
  await hers.getByRole("menuitem", { name: t("own.edit"), exact: true }).click();
  const form = hers.getByRole("textbox", { name: t("chat.editLabel") });
  await form.fill(`Who brings cake ${word}`);
  await form.press("Enter");
  await expect(log(his).getByText(`Who brings cake ${word}`).first()).toBeVisible();
  await expect(log(his).getByText(quote(`Who brings cake ${word}`))).toBeVisible();
  await expect(log(his).getByText(`(${t("post.edited")})`)).toHaveCount(1);
  await tools(hers, `Who brings cake ${word}`).first().click();
  await hers.getByRole("menuitem", { name: t("common.delete"), exact: true }).click();
  await hers
    .getByRole("dialog")
    .getByRole("button", { name: t("common.delete"), exact: true })
    .click();
  for (const page of [hers, his]) {
    await expect(log(page).getByText(t("chat.deleted"))).toHaveCount(1);
    await expect(log(page).getByText("Who brings cake")).toHaveCount(0);
    await expect(heart(page, 2)).toHaveCount(0);
  }
  // The same after a reload.
  await his.reload();
  await expect(log(his).getByText(t("chat.deleted"))).toHaveCount(1);
  await hers.context().close();
  await his.context().close();
});

test("who is muted sees why; who is removed sees nothing any more", { tag: "@once" }, async ({ browser }) => {
  const page = await openChat(browser, cleo);
  const input = { topicId, userId: cleo.userId, kind: "mute", reason: "Too loud for a Sunday." } as const;
  await ada.api.call(contract.moderation.sanction, input);
  await field(page).fill("But");
  await field(page).press("Enter");
  await expect(page.getByText(t("chat.mutedTitle"))).toBeVisible();
  await page.reload();
  await expect(page.getByText(t("common.reason", { reason: input.reason }))).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await isLive(page);

  await ada.api.call(contract.members.remove, { topicId, userId: cleo.userId });
  await expect(page.getByRole("heading", { name: t("chat.removedTitle") })).toBeVisible();
  await expect(log(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: t("chat.outsiderTitle") })).toBeVisible();
  await page.context().close();
});
