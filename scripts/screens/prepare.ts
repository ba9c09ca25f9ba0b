import path from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../stack/settings";
import { COUNTRY_TOPIC, fillWalletTopic } from "./wallets";
import { countryName, matching, t } from "./words";

/** The functions here bring a page into the state that a screenshot shows. */
export async function fillTopic(page: Page): Promise<void> {
  await page.getByLabel(t("newTopic.name")).fill("Acme, the parents’ corner");
  await page
    .getByLabel(t("newTopic.description"))
    .fill("School runs, leave, part time: what works here and what does not.");
  await page.getByLabel(t("topic.category")).selectOption({ index: 1 });
  await page.getByRole("radio", { name: new RegExp(t("newTopic.gateDomain")) }).check();
  await page.getByLabel(t("newTopic.domain"), { exact: true }).fill("acme.example");
  await blur(page);
}

export async function fillCountryTopic(page: Page): Promise<void> {
  await fillWalletTopic(page, COUNTRY_TOPIC);
  await page.getByRole("combobox", { name: t("newTopic.countries") }).fill(countryName("BE").slice(0, 3));
}

export async function writePost(page: Page): Promise<void> {
  await page
    .getByLabel(t("composer.titleLabel"), { exact: true })
    .fill("What did your first audit teach you?");
  await page.getByRole("textbox", { name: t("composer.bodyLabel") }).click();
  const tools = page.getByRole("toolbar", { name: t("composer.toolbar") });
  await page.keyboard.type(
    "Ours found nothing we feared and three things we had never thought of. In the order of ",
  );
  await tools.getByRole("button", { name: t("composer.bold") }).click();
  await page.keyboard.type("embarrassment");
  await tools.getByRole("button", { name: t("composer.bold") }).click();
  await page.keyboard.type(":");
  await page.keyboard.press("Enter");
  await tools.getByRole("button", { name: t("composer.numbers") }).click();
  await page.keyboard.type("A log line with a token in it");
  await page.keyboard.press("Enter");
  await page.keyboard.type("A test key in production");
  await page.keyboard.press("Enter");
  await page.keyboard.type("No way to revoke anything");
  await page.getByLabel(t("post.tags")).fill("audit, security");
  await blur(page);
}

/** Opens the seal's details. Without a proof the page stays as it is. */
export async function openSeal(page: Page): Promise<void> {
  const seal = page
    .getByRole("main")
    .getByRole("button", { name: /^Seal: @/ })
    .first();
  if (!(await seal.isVisible())) return;
  await seal.click();
  await page.getByRole("dialog").waitFor();
}

export async function enterChat(page: Page): Promise<void> {
  await page.getByText(t("chat.states.live"), { exact: true }).waitFor();
  await page.getByRole("textbox", { name: t("chat.field") }).fill("Thursday works for me");
  await blur(page);
}

/** Opens the menu of a message of others. */
export async function openMessageMenu(page: Page): Promise<void> {
  await page.getByText(t("chat.states.live"), { exact: true }).waitFor();
  const log = page.getByRole("log", { name: t("chat.log") });
  await log.locator("[data-line] button[aria-haspopup=menu]").last().click();
  await page.getByRole("menuitem", { name: t("post.reply"), exact: true }).waitFor();
}

export async function waitForPush(page: Page): Promise<void> {
  await page
    .getByText(t("push.lockScreen"))
    .or(page.getByText(t("push.blocked")))
    .waitFor();
}

/** Opens the dialog that crops a profile picture. Any image will do; this one is a screenshot of the page. */
export async function cropPicture(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(path.join(ROOT, "public/icons/seal-512.png"));
  await page.getByRole("application", { name: t("picture.area") }).waitFor();
}

export async function askToDelete(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("settings.delete"), exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

/** Opens the preview of where a domain will appear. A member without a proof, as in tests, has none to show. */
export async function askToShowDomain(page: Page): Promise<void> {
  const show = page.getByRole("button", { name: matching((domain) => t("settings.badgeShow", { domain })) });
  if (!(await show.isVisible())) return;
  await show.click();
  await page.getByRole("dialog").waitFor();
}

/** Opens the question about a record. In a stack younger than an hour the page stays as it is. */
export async function askToRecord(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("moderate.tools"), exact: true }).click();
  const item = page.getByRole("menuitem", { name: t("record.record") });
  await item.waitFor();
  if (await item.isDisabled()) return;
  await item.click();
  await page.getByText(t("record.afterText")).waitFor();
}

export async function checkRecord(page: Page): Promise<void> {
  const records = page.locator("#records");
  if (!(await records.isVisible())) return;
  await records.click();
  const button = page.getByRole("button", { name: t("record.check") }).first();
  await button.click();
  await page.getByRole("button", { name: t("record.ask") }).click();
  await page.getByText(t("record.allEqual")).waitFor();
}

/** Opens the menu of the first member that staff can manage. */
export async function openMemberMenu(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: matching((name) => t("staff.manage", { name })) })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
}

export async function openTopicAlerts(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("topicAlerts.label"), exact: true }).click();
  await page.getByRole("menu").waitFor();
}

export async function askToHide(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: t("queue.otherReason"), exact: true })
    .first()
    .click();
  await page.getByRole("menuitem", { name: t("queue.ownReason") }).click();
  await page
    .getByRole("dialog")
    .getByLabel(t("reason.template"))
    .selectOption(t("reason.templates.private_data"));
}

export async function makeInvite(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("invites.create") }).click();
  await page.getByRole("list", { name: t("invites.fresh") }).waitFor();
  await page
    .getByRole("button", { name: t("invites.showQr") })
    .first()
    .click();
  await page.getByRole("img", { name: t("invites.qr") }).waitFor();
  await blur(page);
}

export async function askToDeleteTopic(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("editTopic.delete"), exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

export async function askToReport(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("moderate.tools"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("report.post") }).click();
  await page.getByRole("dialog").waitFor();
}

async function blur(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
}

/** Makes the page fail to render, by breaking time formats. A string, because functions compiled by tsx need its helpers. */
export async function breakTheClock(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const { prototype } of [Intl.DateTimeFormat, Intl.RelativeTimeFormat, Intl.NumberFormat]) {
      Object.defineProperty(prototype, "format", { get() { throw new Error("no clock"); } });
    }
  `);
}

/** Waits for the error page. */
export async function waitForError(page: Page): Promise<void> {
  await page.getByRole("heading", { name: t("problems.errorTitle"), level: 1 }).waitFor();
}

/** Selects the first case of a queue. */
export async function selectCase(page: Page): Promise<void> {
  await page.getByRole("article").getByRole("checkbox").first().check();
  await page.getByText(t("queue.selected", { n: 1 })).waitFor();
}

/** Opens the question about the deletion of the first case. */
export async function askToDeleteCase(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: matching((name) => t("queue.more", { name })) })
    .first()
    .click();
  await page.getByRole("menuitem", { name: t("queue.acts.delete") }).click();
  await page.getByRole("dialog").waitFor();
}
