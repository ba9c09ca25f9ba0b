import { type Browser, expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { body, button, title } from "./support/composer";
import { uniqueWord } from "./support/installation";
import { expectAccessible, expectNoSideways } from "./support/page-checks";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What is written now and goes on elsewhere, or later. */

const word = uniqueWord();
let ada: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`adr_${word}`);
  topicId = await topicOf(ada, `Waiting room ${word}`, []);
});

/** What a service worker has the browser send past it, Playwright does not see, and cannot keep from the network. */
const withoutWorker = async (browser: Browser) =>
  await (await browserOf(browser, ada, { serviceWorkers: "block" })).newPage();

const keep = (page: Page) => page.getByRole("checkbox", { name: t("composer.keepElsewhere") });
const saved = (page: Page) =>
  page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.url().endsWith("/draft") && response.ok(),
  );

test("a draft goes on on another device, and two devices do not overwrite each other @once", async ({
  browser,
}) => {
  const [desk, phone] = [
    await pageOf(browser, ada, `/topics/${topicId}/new`),
    await pageOf(browser, ada, `/topics/${topicId}/new`),
  ];
  await title(desk).fill("Begun at the desk");
  // Nothing leaves this device unless its writer asks.
  expect((await ada.api.call(contract.drafts.get, { topicId })).draft).toBeNull();
  const first = saved(desk);
  await keep(desk).check();
  await first;
  await phone.reload();
  await expect(title(phone)).toHaveValue("Begun at the desk");
  await expect(keep(phone)).toBeChecked();
  const second = saved(phone);
  await title(phone).fill("Gone on on the phone");
  await second;

  await title(desk).fill("Gone on at the desk");
  await expect(desk.getByText(t("composer.fromElsewhereTitle"))).toBeVisible();
  await expectAccessible(desk);
  await button(desk, t("composer.takeThat")).click();
  await expect(title(desk)).toHaveValue("Gone on on the phone");
  const gone = desk.waitForResponse(
    (response) => response.request().method() === "DELETE" && response.url().endsWith("/draft"),
  );
  await keep(desk).uncheck();
  await gone;
  expect((await ada.api.call(contract.drafts.get, { topicId })).draft).toBeNull();
  await expect(title(desk)).toHaveValue("Gone on on the phone");
  for (const page of [desk, phone]) await page.context().close();
});

test("what the network swallows is saved with the next change, and a draft stays kept until it is deleted @once", async ({
  browser,
}) => {
  const topic = await topicOf(ada, `Swallowed ${word}`, []);
  const page = await withoutWorker(browser);
  await page.goto(`/topics/${topic}/new`);
  const kept = async () => (await ada.api.call(contract.drafts.get, { topicId: topic })).draft?.content.title;
  await page.route("**/draft", (route) => route.abort());
  const asked = page.waitForRequest((request) => request.method() === "PUT");
  await title(page).fill("Said once");
  await keep(page).check();
  await asked;
  expect(await kept()).toBeUndefined();
  await expect(title(page)).toHaveValue("Said once");
  await page.unroute("**/draft");
  const second = saved(page);
  await title(page).fill("Said twice");
  await second;
  expect(await kept()).toBe("Said twice");

  await page.route("**/draft", (route) => route.abort());
  await keep(page).click();
  await expect(page.getByText(t("problems.network"))).toBeVisible();
  await expect(keep(page)).toBeChecked();
  expect(await kept()).toBe("Said twice");
  await page.unroute("**/draft");
  await keep(page).click();
  await expect.poll(kept).toBeUndefined();
  await expect(keep(page)).not.toBeChecked();
  await page.context().close();
});

test("a question that the network never answers holds up no draft @once", async ({ browser }) => {
  const topic = await topicOf(ada, `Unanswered ${word}`, []);
  const page = await withoutWorker(browser);
  const asked: string[] = [];
  await page.route("**/draft", async (route) => {
    const method = route.request().method();
    asked.push(method);
    if (method !== "GET") await route.continue();
  });
  await page.goto(`/topics/${topic}/new`);
  await expect.poll(() => asked).toContain("GET");
  const first = saved(page);
  await title(page).fill("Kept after all");
  await keep(page).check();
  await first;
  await page.context().close();
});

test("the last words before leaving are saved, and a discarded draft is gone elsewhere, too @once", async ({
  browser,
}) => {
  const topic = await topicOf(ada, `Left ${word}`, []);
  const page = await pageOf(browser, ada, `/topics/${topic}/new`);
  const kept = async () => (await ada.api.call(contract.drafts.get, { topicId: topic })).draft?.content.title;
  const first = saved(page);
  await title(page).fill("Begun");
  await keep(page).check();
  await first;
  // A link of the app, and then another site: neither waits for the next save.
  await title(page).fill("Begun and gone on");
  await page
    .getByRole("link", { name: t("nav.explore"), exact: true })
    .first()
    .click();
  await expect(page).toHaveURL("/topics");
  await expect.poll(kept, { timeout: 2_000 }).toBe("Begun and gone on");
  await page.goBack();
  await expect(title(page)).toHaveValue("Begun and gone on");
  await expect(keep(page)).toBeChecked();
  await title(page).fill("The last words");
  await page.goto("about:blank");
  await expect.poll(kept, { timeout: 2_000 }).toBe("The last words");

  await page.goto(`/topics/${topic}/new`);
  await expect(title(page)).toHaveValue("The last words");
  await expect(keep(page)).toBeChecked();
  await button(page, t("composer.discard")).first().click();
  await page.goto("about:blank");
  await expect.poll(kept, { timeout: 2_000 }).toBeUndefined();
  await page.context().close();
});

test("a post taken back replaces a draft only when its writer says so @once", async ({ browser }) => {
  const topic = await topicOf(ada, `Taken back ${word}`, []);
  const publishAt = new Date(Date.now() + 2 * 86_400_000).toISOString();
  const waiting = { topicId: topic, title: "On Friday", content: "<p>At five.</p>", publishAt };
  const { scheduled } = await ada.api.call(contract.scheduled.create, waiting);
  const left = async () => (await ada.api.call(contract.scheduled.list, {})).scheduled.map(({ id }) => id);
  const page = await pageOf(browser, ada, `/topics/${topic}/new`);
  await title(page).fill("Being written");
  await page.goto("/scheduled");
  const edit = button(page, t("scheduled.editOf", { title: "On Friday" }));
  const dialog = page.getByRole("dialog", { name: t("scheduled.replaceTitle") });
  await edit.click();
  await expect(dialog).toContainText("Being written");
  await expectAccessible(page);
  await button(dialog, t("common.cancel")).click();
  await expect(dialog).toBeHidden();
  expect(await left()).toContain(scheduled.id);

  // Where the device has no room for the text, the server keeps it, and the device what it had.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await edit.click();
  await button(dialog, t("scheduled.replace")).click();
  await expect(page.getByText(t("scheduled.noRoom"))).toBeVisible();
  expect(await left()).toContain(scheduled.id);
  await page.reload();

  // Posted or deleted meanwhile: the draft stays.
  await ada.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id });
  await edit.click();
  await button(dialog, t("scheduled.replace")).click();
  await expect(page.getByText("On Friday")).toHaveCount(0);
  const stored = () => page.evaluate((id) => localStorage.getItem(`parley.draft.new.${id}`) ?? "", topic);
  await expect.poll(stored).toContain("Being written");
  await page.goto(`/topics/${topic}/new`);
  await expect(title(page)).toHaveValue("Being written");

  // The server deletes it, but its answer is lost: the text is on this device.
  await ada.api.call(contract.scheduled.create, waiting);
  await page.goto("/scheduled");
  await page.route("**/scheduled/*", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await edit.click();
  await button(dialog, t("scheduled.replace")).click();
  await expect(page.getByText(t("problems.network"))).toBeVisible();
  expect(await left()).toEqual([]);
  await page.goto(`/topics/${topic}/new`);
  await expect(title(page)).toHaveValue("On Friday");
  await expect(body(page)).toContainText("At five.");
  await page.context().close();
});

test("a post is scheduled, taken back to be edited, scheduled again, and deleted @once", async ({
  browser,
}) => {
  const other = await topicOf(ada, `Later ${word}`, []);
  const page = await pageOf(browser, ada, `/topics/${other}/new`);
  await title(page).fill("On Friday");
  await body(page).fill("At five.");
  const schedule = async () => {
    await button(page, t("composer.later")).click();
    const dialog = page.getByRole("dialog", { name: t("composer.laterTitle") });
    await expectAccessible(page);
    await dialog.getByLabel(t("composer.laterWhen")).fill("2020-01-01T09:00");
    await button(dialog, t("composer.laterSet")).click();
    await expect(dialog.getByRole("alert")).not.toBeEmpty();
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
    await dialog.getByLabel(t("composer.laterWhen")).fill(inTwoDays);
    await button(dialog, t("composer.laterSet")).click();
  };
  // Without a network, it stays in the composer.
  await page.context().setOffline(true);
  await schedule();
  await expect(page.getByText(t("offline.nothingChanged"))).toBeVisible();
  await expect(title(page)).toHaveValue("On Friday");
  await page.context().setOffline(false);
  await schedule();
  await expect(page).toHaveURL("/scheduled");
  const list = page.getByRole("list", { name: t("scheduled.title") });
  await expect(list.getByText("On Friday")).toBeVisible();
  await expectAccessible(page);
  await expectNoSideways(page, 320);
  expect((await ada.api.call(contract.posts.list, { topicId: other })).posts).toEqual([]);

  await button(page, t("scheduled.editOf", { title: "On Friday" })).click();
  await expect(title(page)).toHaveValue("On Friday");
  await expect(body(page)).toContainText("At five.");
  expect((await ada.api.call(contract.scheduled.list, {})).scheduled).toEqual([]);
  await schedule();
  await expect(page).toHaveURL("/scheduled");
  await button(page, t("scheduled.deleteOf", { title: "On Friday" })).click();
  await expect(page.getByText(t("scheduled.deleted"))).toBeVisible();
  await expect(page.getByText(t("scheduled.none"))).toBeVisible();
  await page.context().close();
});
