import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { appOrigin, uniqueWord } from "./support/installation";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { standInForPush } from "./support/push";
import { test } from "./support/test";

/** Being told of what happens to things of one's own. */

const word = uniqueWord();
let ada: Person;
let bela: Person;
let postId: string;
const title = `What shall we sing ${word}`;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  const topicId = await topicOf(ada, `Choir ${word}`, [bela]);
  const { post } = await ada.api.call(contract.posts.create, {
    topicId,
    title,
    content: `<p>Something slow, says @${bela.nickname}.</p><p><code>@${bela.nickname}</code></p>`,
  });
  postId = post.id;
});

const comment = (content: string) => bela.api.call(contract.comments.create, { postId, content });
const bell = (page: Page, count: number) =>
  page
    .getByRole("link", { name: `${t("bell.words", { n: count })} ${t("nav.alerts")}` })
    .filter({ visible: true });

test("an answer is told at once in every tab over one stream, and read by opening it @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, ada);
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().endsWith("/api/me/events")) streams.push(request.url());
  });
  const page = await context.newPage();
  const follows = page.waitForRequest("**/api/me/events");
  await page.goto("/");
  await follows;
  const other = await context.newPage();
  // The bell stands elsewhere on a phone; the guide would take longest of all pages to open.
  await other.setViewportSize({ width: 390, height: 844 });
  await other.goto("/settings");
  await expect(bell(page, 1)).toHaveCount(0);

  await comment("The one about the river.");
  await expect(bell(page, 1)).toBeVisible();
  await expect(bell(other, 1)).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(other).toHaveTitle(/^\(1\) /);
  expect(streams).toHaveLength(1);

  await bell(page, 1).click();
  const list = page.getByRole("region", { name: t("alerts.list") });
  const row = (text: string) => list.getByRole("listitem").filter({ hasText: text });
  await expect(row("The one about the river.")).toContainText(
    `${bela.nickname} commented on your post “${title}”`,
  );

  // The next one waits on top until it is asked for.
  await comment(`No, the other one, @${ada.nickname}.`);
  const show = list.getByRole("button", { name: t("alerts.show", { n: 1 }) });
  await expect(show).toBeVisible();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await show.click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByRole("listitem").first()).toContainText("No, the other one");

  await row("The one about the river.").getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/posts/${postId}\\?comment=`));
  await expect(bell(page, 1)).toBeVisible();
  await expect(bell(other, 1)).toBeVisible();

  await page.goto("/alerts");
  await page.getByRole("button", { name: t("alerts.markAll") }).click();
  await expect(page.getByText(t("alerts.unread"), { exact: true })).toHaveCount(0);
  await expect(other).not.toHaveTitle(/^\(/);
  await page.reload();
  await expect(page.getByRole("button", { name: t("alerts.markAll") })).toBeDisabled();

  // The tab that held the stream goes; the other takes it over and misses nothing.
  await page.close();
  await comment("Both, then.");
  await expect(bell(other, 1)).toBeVisible();
  await context.close();
});

test("a name in a post and in a comment leads to its member; in code it is code", { tag: "@once" }, async ({
  browser,
}) => {
  const page = await pageOf(browser, bela, `/posts/${postId}`);
  const body = page.getByRole("article").first();
  const named = body.getByRole("link", { name: `@${bela.nickname}` });
  await expect(named).toHaveCount(1);
  await expect(body.locator("code")).toHaveText(`@${bela.nickname}`);
  await expect(
    page
      .getByRole("article", { name: t("post.commentBy", { name: bela.nickname }) })
      .getByRole("link", { name: `@${ada.nickname}` }),
  ).toHaveCount(1);
  await named.click();
  await expect(page).toHaveURL(`/@${bela.nickname}`);
  await expect(page.getByRole("heading", { name: bela.nickname, level: 1 })).toBeVisible();
  await page.context().close();
});

test("a push message is asked for by a press, shown by the service worker, and taken back", {
  tag: "@browser",
}, async ({ browser }) => {
  const context = await browserOf(browser, ada);
  const page = await context.newPage();
  await standInForPush(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send("ServiceWorker.enable");
  await devtools.send("BackgroundService.startObserving", { service: "notifications" });
  await devtools.send("BackgroundService.setRecording", { service: "notifications", shouldRecord: true });
  // Chromium forgets a notification when it is asked for all of them while it shows one.
  const displayed = new Promise<void>((resolve) => {
    devtools.on("BackgroundService.backgroundServiceEventReceived", () => resolve());
  });
  const registered = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await page.goto("/alerts");
  await expect(page.getByText(t("push.lockScreen"))).toBeVisible();
  await page.getByRole("button", { name: t("push.turnOn") }).click();
  const off = page.getByRole("button", { name: t("push.turnOff") });
  await expect(off).toBeVisible();
  await expect(page.getByText(`(${t("common.thisDevice")})`)).toBeVisible();

  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: appOrigin,
    registrationId: await registered,
    data: JSON.stringify({
      kind: "reply",
      title: "Parley",
      body: "Someone replied to you.",
      url: "/alerts",
      tag: "t",
    }),
  });
  await displayed;
  const shown = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.getNotifications())?.map(({ title: head, body }) => `${head}: ${body}`);
  });
  expect(shown).toEqual(["Parley: Someone replied to you."]);

  await off.click();
  await expect(page.getByRole("button", { name: t("push.turnOn") })).toBeVisible();
  await expect(page.getByText(`(${t("common.thisDevice")})`)).toHaveCount(0);
  await context.close();
});
