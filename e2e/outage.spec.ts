import { type Browser, expect, type Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { kept, ready } from "./support/copies";
import { uniqueWord } from "./support/installation";
import { browserOf, person, topicOf } from "./support/people";
import { type Relay, relayToApp } from "./support/relay";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/** The server is gone for a while, and the browser says that there is a network: a deploy, or a captive portal. */

const word = uniqueWord();
let relay: Relay;

test.beforeEach(async () => {
  relay = await relayToApp();
});
test.afterEach(() => relay.close());

/** A page of somebody signed in, behind the relay, with the worker at work and clocks that can be turned. */
async function openPage(browser: Browser, path: (topicId: string) => string): Promise<Page> {
  const ada = await person(`outage_${word}`);
  const topicId = await topicOf(ada, `Outage ${uniqueWord()}`, []);
  const context = await browserOf(browser, ada, { baseURL: relay.url });
  await context.addCookies([{ name: sessionCookieName, value: ada.token, url: relay.url }]);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto("/?sort=new");
  await kept(page, "/", "/offline");
  await ready(page);
  await page.goto(path(topicId));
  return page;
}

/**
 * A minute of the page's clock, in which what it asks for fails as fast as it can. It begins when the page has asked for
 * what every page asks for once (links to prefetch, its icon).
 */
async function minuteWithoutServer(page: Page): Promise<number> {
  await page.clock.runFor(3_000);
  await page.waitForLoadState("networkidle");
  const before = relay.asked.length;
  for (let second = 0; second < 60; second++) await page.clock.runFor(1_000);
  return relay.asked.length - before;
}

test("interface 1: a page that cannot be fetched asks at most 10 times a minute, and opens when the server is back", {
  tag: "@once",
}, async ({ browser }) => {
  const page = await openPage(browser, (topicId) => `/topics/${topicId}`);
  relay.go();
  await page.goto("/alerts");
  await expect(page.getByRole("heading", { name: t("saved.title") })).toBeVisible();
  const asked = await minuteWithoutServer(page);
  expect(asked, relay.asked.join("\n")).toBeLessThanOrEqual(10);
  expect(asked).toBeGreaterThan(0);
  await expect(page.getByRole("heading", { name: t("saved.title") })).toBeVisible();
  relay.come();
  const opened = page.waitForURL(`${relay.url}/alerts`);
  for (let second = 0; second < 60 && page.url() !== `${relay.url}/alerts`; second++) {
    await page.clock.runFor(1_000);
  }
  await opened;
  await page.context().close();
});

test("interface 1: a post sent while the server is gone is kept, and the tab asks at most 10 times a minute", {
  tag: "@once",
}, async ({ browser }) => {
  const page = await openPage(browser, (topicId) => `/topics/${topicId}/new`);
  await page.getByLabel(t("composer.titleLabel")).fill(`Kept in the outage ${word}`);
  await page.getByRole("textbox", { name: t("composer.bodyLabel") }).fill("By the pier.");
  relay.go();
  await page.getByRole("button", { name: t("composer.post"), exact: true }).click();
  await expect(page.getByRole("heading", { name: t("saved.title") })).toBeVisible();
  const asked = await minuteWithoutServer(page);
  expect(asked, relay.asked.join("\n")).toBeLessThanOrEqual(10);
  const waiting = page.getByRole("region", { name: t("outbox.title") });
  await expect(waiting.getByRole("listitem")).toContainText([`Kept in the outage ${word}`]);
  await page.context().close();
});
