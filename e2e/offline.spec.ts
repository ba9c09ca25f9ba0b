import { type BrowserContext, expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { kept, ready } from "./support/copies";
import { appOrigin, uniqueWord } from "./support/installation";
import { browserOf, type Person, person, topicOf } from "./support/people";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/** The app without a network: what was read is there, what was written goes out once, and nobody sees another's. */

const word = uniqueWord();
const title = `Kept for the journey ${word}`;
const unread = `Never opened ${word}`;
let ada: Person;
let bela: Person;
let topicId: string;
let postId: string;
let unreadId: string;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  topicId = await topicOf(ada, `Harbour ${word}`, [bela]);
  const write = async (name: string) =>
    (await ada.api.call(contract.posts.create, { topicId, title: name, content: "<p>By the pier.</p>" })).post
      .id;
  postId = await write(title);
  unreadId = await write(unread);
});

const commentsOf = async (text: string) => {
  const { comments } = await ada.api.call(contract.posts.get, { postId });
  return comments.filter(({ content }) => content === text).length;
};
const savedBar = (page: Page) => page.getByRole("status").filter({ hasText: t("offline.bar") });
const waiting = (page: Page) => page.getByRole("region", { name: t("outbox.title") }).getByRole("listitem");

/** A browser in which Ada has read the feed, a topic and a post, the last two without loading a document. */
async function reading(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/?sort=new");
  await kept(page, "/", "/offline");
  await page.getByRole("main").getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await kept(page, `/posts/${postId}`);
  await ready(page);
  return page;
}

test("what was read is there, what is written waits and arrives once, and leaves with its reader @once", async ({
  browser,
}) => {
  // A session of its own, as it is ended here.
  const context = await browserOf(browser, await person(ada.nickname));
  // Where browsers have Background Sync the worker sends, out of this test's sight; without it the page does.
  await context.addInitScript(() => Reflect.deleteProperty(ServiceWorkerRegistration.prototype, "sync"));
  const page = await reading(context);
  await context.setOffline(true);

  // The feed and the post are there, marked, and alive: their scripts run under the policy they were kept with.
  await page.goto("/?sort=new");
  await expect(savedBar(page)).toContainText(t("offline.savedAt"));
  await page.getByRole("main").getByRole("link", { name: title }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(savedBar(page)).toContainText(t("offline.savedAt"));

  const text = `Written between two stations ${word}`;
  await page.getByLabel(t("post.addComment")).fill(text);
  await page.getByRole("button", { name: t("post.send") }).click();
  await expect(waiting(page)).toContainText([text]);
  await expect(page.getByLabel(t("post.addComment"))).toHaveValue("");

  // What was never opened is not there; what is, is listed.
  await page.goto(`/posts/${unreadId}`);
  await expect(page.getByRole("heading", { name: t("saved.title") })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: title })).toBeVisible();
  await expect(waiting(page)).toContainText([text]);

  // The network is back: the page that was wanted opens, and the comment goes out although its first answer is lost.
  const keys: (string | undefined)[] = [];
  await context.route("**/api/posts/*/comments", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length > 2) return await route.fallback();
    if (keys.length === 1) await route.fetch();
    await route.abort("connectionreset");
  });
  const lost = () => page.waitForEvent("requestfailed", (request) => request.url().endsWith("/comments"));
  const first = lost();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: unread, level: 1 })).toBeVisible();
  await first;
  // The next page tries once more by itself, and then its writer does.
  const second = lost();
  await page.goto(`/posts/${postId}`);
  await second;
  await waiting(page)
    .getByRole("button", { name: t("outbox.sendNow") })
    .click();
  await expect(page.getByRole("article").filter({ hasText: text })).toBeVisible();
  await expect(waiting(page)).toHaveCount(0);
  expect(await commentsOf(text)).toBe(1);
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);

  // A sign-out leaves nothing for whoever holds the device next.
  await kept(page, `/posts/${postId}`);
  await page.goto("/profile");
  await page.getByRole("button", { name: t("profile.signOut") }).click();
  await expect(page).toHaveURL(`${appOrigin}/`);
  await context.setOffline(true);
  await page.goto(`/posts/${postId}`);
  await expect(page.getByRole("heading", { name: t("saved.title") })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: title })).toHaveCount(0);
  await context.close();
});

test("what the server refuses later keeps its text until its writer decides", { tag: "@once" }, async ({
  browser,
}) => {
  const cora = await person(`cora_${word}`);
  await cora.api.call(contract.topics.join, { topicId });
  const context = await browserOf(browser, cora);
  const page = await context.newPage();
  await page.goto(`/posts/${postId}`);
  await kept(page, `/posts/${postId}`);
  await ready(page);
  await context.setOffline(true);
  const text = `Too late ${word}`;
  await page.getByLabel(t("post.addComment")).fill(text);
  await page.getByRole("button", { name: t("post.send") }).click();
  await expect(waiting(page)).toContainText([t("outbox.waiting")]);
  await ada.api.call(contract.members.remove, { topicId, userId: cora.userId });
  await context.setOffline(false);
  await expect(waiting(page)).toContainText([t("outbox.refused")]);
  await expect(waiting(page)).toContainText([text]);
  expect(await commentsOf(text)).toBe(0);
  await waiting(page)
    .getByRole("button", { name: t("outbox.discard") })
    .click();
  await waiting(page)
    .getByRole("button", { name: t("outbox.discardSure") })
    .click();
  await expect(waiting(page)).toHaveCount(0);
  await context.close();
});

test("a new worker takes over and disturbs no page that is open", { tag: "@once" }, async ({ browser }) => {
  const context = await browserOf(browser, bela);
  const page = await context.newPage();
  await page.goto(`/posts/${postId}`);
  await kept(page, `/posts/${postId}`);
  await page.getByLabel(t("post.addComment")).fill("half a sentence");
  await page.evaluate(async () => {
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
    );
    // Another address is another worker, as the next build's is; what happens then is the same.
    await navigator.serviceWorker.register("/worker/sw.js?next", { scope: "/" });
    await taken;
  });
  await expect(page.getByLabel(t("post.addComment"))).toHaveValue("half a sentence");
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(1);
  await context.setOffline(true);
  await page.reload();
  await expect(savedBar(page)).toContainText(t("offline.savedAt"));
  await context.close();
});

test("it can be installed, and takes what other apps share as text", { tag: "@browser" }, async ({
  browser,
}) => {
  const context = await browserOf(browser, ada);
  const page = await context.newPage();
  const shared = {
    title: `A find ${word}`,
    text: "<img src=x onerror=alert(1)> & more",
    url: "https://example.com/a",
  };
  await page.goto(`/write?${new URLSearchParams(shared)}`);
  const devtools = await context.newCDPSession(page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Every browser of these tests is a private window.
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
  const { errors } = await devtools.send("Page.getAppManifest");
  expect(errors).toEqual([]);

  await page
    .getByRole("main")
    .getByRole("link", { name: `Harbour ${word}` })
    .click();
  await expect(page.getByLabel(t("composer.titleLabel"))).toHaveValue(shared.title);
  await expect(page.getByRole("textbox", { name: t("composer.bodyLabel") })).toHaveText(
    `${shared.text}${shared.url}`,
  );
  await context.close();
});

test("the installed app is pulled down to be fetched anew, where its browser has no gesture for that", {
  tag: "@once",
}, async ({ browser }) => {
  const context = await browserOf(browser, ada, { hasTouch: true, viewport: { width: 390, height: 844 } });
  // As Safari says it of an app on the home screen.
  await context.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: true }));
  const page = await context.newPage();
  await page.goto(`/topics/${topicId}?sort=new`);
  // What listens to fingers begins together with the worker.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const fresh = `While you looked ${word}`;
  await ada.api.call(contract.posts.create, { topicId, title: fresh, content: "<p>New.</p>" });
  const devtools = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...at: readonly [number, number][]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: at.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", [200, 200]);
  for (const y of [220, 260, 310]) await touch("touchMove", [200, y]);
  await expect(page.getByText(t("offline.release"))).toBeVisible();
  await touch("touchEnd");
  await expect(page.getByRole("main").getByRole("link", { name: fresh })).toBeVisible();
  await expect(page.getByText(t("offline.release"))).toHaveCount(0);
  await context.close();
});
