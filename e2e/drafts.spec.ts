import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { body, button, title } from "./support/composer";
import { uniqueWord } from "./support/installation";
import { expectAccessible, expectNoSideways } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What is written now and goes on elsewhere, or later. */

const word = uniqueWord();
let ada: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`adr_${word}`);
  topicId = await topicOf(ada, `Waiting room ${word}`, []);
});

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
