import { type BrowserContext, type CDPSession, expect, type Page } from "@playwright/test";
import { syncTag } from "@/lib/client/outbox";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { kept, ready } from "./support/copies";
import { appOrigin, uniqueWord } from "./support/installation";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/**
 * What makes the site an app, and only some browsers have: sending from the background, the offer to install, the number
 * on the icon; and what an open page does when a script of its build is gone.
 */
const word = uniqueWord();
let ada: Person;
let bela: Person;
let postId: string;

test.beforeAll(async () => {
  ada = await person(`app_ada_${word}`);
  bela = await person(`app_bela_${word}`);
  const topicId = await topicOf(ada, `Pier ${word}`, [bela]);
  const { post } = await ada.api.call(contract.posts.create, {
    topicId,
    title: `On the pier ${word}`,
    content: "<p>Wind.</p>",
  });
  postId = post.id;
});

/** The worker's registration, as the browser's own tools name it. */
function registrationOf(devtools: CDPSession): Promise<string> {
  return new Promise((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(
        ({ scopeURL, isDeleted }) => scopeURL === `${appOrigin}/` && !isDeleted,
      );
      if (found) resolve(found.registrationId);
    });
  });
}

async function sendFromBackground(context: BrowserContext): Promise<void> {
  // A page of the browser's own: none of the site is open.
  const devtools = await context.newCDPSession(await context.newPage());
  const found = registrationOf(devtools);
  await devtools.send("ServiceWorker.enable");
  const registrationId = await found;
  // No browser without a display fires it by itself; this is the button "Sync" of its developer tools.
  const event = { origin: appOrigin, registrationId, tag: syncTag, lastChance: false };
  await devtools.send("ServiceWorker.dispatchSyncEvent", event);
}

test("what was written without a network goes out although no page is open any more @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, bela);
  const page = await context.newPage();
  await page.goto(`/posts/${postId}`);
  await kept(page, `/posts/${postId}`);
  await ready(page);
  await context.setOffline(true);
  const text = `From the last carriage ${word}`;
  await page.getByLabel(t("post.addComment")).fill(text);
  await page.getByRole("button", { name: t("post.send") }).click();
  await expect(page.getByRole("region", { name: t("outbox.title") })).toContainText(text);
  await page.close();
  await context.setOffline(false);
  await sendFromBackground(context);
  const arrived = async () =>
    (await ada.api.call(contract.posts.get, { postId })).comments.filter(({ content }) => content === text)
      .length;
  await expect.poll(arrived).toBe(1);
  await context.close();
});

test("the browser's offer to install waits in the settings, and is good for one time @once", async ({
  page,
}) => {
  await page.goto("/settings");
  const install = page.getByRole("button", { name: t("install.act") });
  await expect(install).toHaveCount(0);
  // Browsers make the offer when they please; this one is made by hand, until somebody listens.
  const offer = () =>
    page.evaluate(() => {
      const event = new Event("beforeinstallprompt", { cancelable: true });
      Object.assign(event, { prompt: async () => document.documentElement.setAttribute("data-asked", "") });
      return window.dispatchEvent(event);
    });
  await expect.poll(offer, { message: "it is kept from interrupting" }).toBe(false);
  await install.click();
  await expect(page.locator("html")).toHaveAttribute("data-asked");
  await expect(install).toHaveCount(0);
});

test("the icon counts what is unread @once", async ({ browser }) => {
  await bela.api.call(contract.comments.create, { postId, content: `@${ada.nickname} look` });
  const context = await browserOf(browser, ada);
  // Recorded, as an icon on a home screen cannot be looked at.
  await context.addInitScript(() => {
    const write = (count: number) => {
      document.documentElement.setAttribute("data-badge", String(count));
      return Promise.resolve();
    };
    Object.assign(navigator, { setAppBadge: write, clearAppBadge: () => write(0) });
  });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-badge", /[1-9]/);
  await page.goto("/alerts");
  await page.getByRole("button", { name: t("alerts.markAll") }).click();
  await expect(page.locator("html")).toHaveAttribute("data-badge", "0");
  await context.close();
});

/** As the browser says it when a script of an older build is asked for. */
function failScript(page: Page): Promise<void> {
  return page.evaluate(() => {
    const gone = new Error("Failed to load chunk /_next/static/chunks/gone.js");
    gone.name = "ChunkLoadError";
    void Promise.reject(gone);
  });
}

test("a page whose scripts are gone is loaded anew once, and not over what was typed @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, ada, `/posts/${postId}`);
  // What listens begins together with the worker.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.getByLabel(t("post.addComment")).fill("half a sentence");
  await failScript(page);
  await expect(page.getByText(t("offline.updated"))).toBeVisible();
  await expect(page.getByLabel(t("post.addComment"))).toHaveValue("half a sentence");

  await page.getByLabel(t("post.addComment")).fill("");
  const again = page.waitForEvent("load");
  await failScript(page);
  await again;
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  let loads = 0;
  page.on("load", () => loads++);
  await failScript(page);
  // One more step of the page, so that a reload had its time.
  await page
    .getByRole("link", { name: t("nav.home"), exact: true })
    .first()
    .click();
  await expect(page).toHaveURL(`${appOrigin}/`);
  expect(loads).toBe(0);
  await page.context().close();
});
