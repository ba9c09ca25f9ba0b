import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { appOrigin, uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { browserOf, type Person, person, topicOf } from "./support/people";
import { identifyAs, PROOF_TIMEOUT_MS, payButton, signInWithProof, waitForSeal } from "./support/proving";
import { test } from "./support/test";

/** What cannot be undone takes a proof of the last ten minutes: the way to a new one, and back to the same question. */

/** A second more than a proof is fresh. */
const STALE_SECONDS = 10 * 60 + 1;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** This browser goes on with another session. */
async function goOnAs(page: Page, { token }: Person): Promise<void> {
  await page.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
}

test("a topic is handed over with a proof of the last ten minutes, made on the way @long", async ({
  browser,
}) => {
  test.setTimeout(3 * PROOF_TIMEOUT_MS);
  const word = uniqueWord();
  const [nickname, domain] = [`olga_${word}`, `again-${word}.example`];
  const heir = await person(`heir_${word}`);
  // The account is of a real proof: only its own identity can prove again.
  const context = await browser.newContext({ baseURL: appOrigin, reducedMotion: "reduce" });
  const page = await context.newPage();
  await signInWithProof(page, `olga@${domain}`, nickname);
  const olga = await person(nickname, STALE_SECONDS);
  const topicId = await topicOf(olga, `Handed over ${word}`, [heir]);
  await goOnAs(page, olga);

  await page.goto(`/topics/${topicId}/members`);
  await button(page, t("staff.manage", { name: heir.nickname })).click();
  await page.getByRole("menuitem", { name: t("staff.transfer"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t("staff.transferTitle", { name: heir.nickname }) });
  const confirm = dialog.getByRole("button", { name: t("staff.transfer"), exact: true });
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText(t("proveAgain.title"));
  await expectAccessible(page);
  const { topic } = await heir.api.call(contract.topics.get, { topicId });
  expect(topic.creatorId, "nothing has happened yet").toBe(olga.userId);

  await dialog.getByRole("link", { name: t("proveAgain.button") }).click();
  await page.waitForURL((url) => url.pathname === "/sign-in" && url.searchParams.get("again") === "1");
  await expect(page.getByText(t("signIn.again", { name: nickname }))).toBeVisible();
  await identifyAs(page, `olga@${domain}`);
  await payButton(page).click();
  await waitForSeal(page, domain);
  await button(page, t("common.goOn")).click();

  await expect(dialog).toBeVisible();
  await confirm.click();
  await expect(page.getByText(t("staff.transferred", { name: heir.nickname }))).toBeVisible();
  await heir.api.call(contract.ownership.answer, { topicId, accept: true });
  const after = await heir.api.call(contract.topics.get, { topicId });
  expect(after.topic.creatorId).toBe(heir.userId);
  await context.close();
});

test("an account ends with a proof of the last ten minutes, and the question is open again after it", async ({
  browser,
}) => {
  const nickname = `paul_${uniqueWord()}`;
  const page = await (await browserOf(browser, await person(nickname, STALE_SECONDS))).newPage();
  await page.goto("/settings");
  await button(page, t("settings.delete")).click();
  const dialog = page.getByRole("dialog", { name: t("settings.deleteTitle") });
  const typed = dialog.getByLabel(t("settings.typeName", { name: nickname }));
  const confirm = dialog.getByRole("button", { name: t("settings.deleteForGood") });
  await typed.fill(nickname);
  await confirm.click();
  await expect(dialog.getByRole("alert")).toContainText(t("proveAgain.title"));
  await expectAccessible(page);
  await dialog.getByRole("link", { name: t("proveAgain.button") }).click();
  await page.waitForURL((url) => url.pathname === "/sign-in" && url.searchParams.get("again") === "1");

  // How a proof is made here is for the other test; this one takes the development sign-in of the same page.
  await page.getByLabel(t("profile.nickname")).fill(nickname);
  await button(page, t("signIn.devLogin")).click();
  await expect(page).toHaveURL("/settings?delete=1");
  await expect(dialog).toBeVisible();
  await typed.fill(nickname);
  await confirm.click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(t("settings.deleted"), { exact: true })).toBeVisible();
  await page.context().close();
});
