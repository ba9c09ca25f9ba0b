import type { Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { COUNTRY_TOPIC, fillWalletTopic } from "./wallets";

/** What the addresses are made of. */
export interface Places {
  readonly openTopic: string;
  readonly gatedTopic: string;
  readonly emptyTopic: string;
  readonly post: string;
  /** One that is old enough to be recorded; null in a stack that is younger than an hour. */
  readonly oldPost: string | null;
  readonly invite: string;
  /** A closed topic of the member in which something waits for its staff. */
  readonly desk: string;
  /** For people who live in some countries. */
  readonly countryTopic: string;
  /** For verified people. */
  readonly kycTopic: string;
}

/** Who looks: nobody known, a member of the topics, or somebody with a seal who has joined the open topic only. */
export type Looker = "guest" | "member" | "newcomer";

export interface Screen {
  readonly name: string;
  readonly as: Looker;
  readonly path: (places: Places) => string;
  /** Brings the page into the state to be seen. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** The page to its end, not only the first window of it. */
  readonly whole?: true;
}

/** Every screen there is a picture of, besides the run of a proof. */
export const SCREENS: readonly Screen[] = [
  { name: "home", as: "guest", path: () => "/" },
  { name: "home-member", as: "member", path: () => "/" },
  { name: "explore", as: "guest", path: () => "/topics" },
  { name: "topic", as: "member", path: (p) => `/topics/${p.openTopic}` },
  { name: "gate", as: "guest", path: (p) => `/topics/${p.gatedTopic}` },
  { name: "topic-empty", as: "member", path: (p) => `/topics/${p.emptyTopic}` },
  { name: "gate-country", as: "guest", path: (p) => `/topics/${p.countryTopic}` },
  { name: "gate-kyc", as: "guest", path: (p) => `/topics/${p.kycTopic}` },
  {
    name: "join-country",
    as: "newcomer",
    path: (p) => `/topics/${p.countryTopic}/join`,
    whole: true,
  },
  { name: "join", as: "newcomer", path: (p) => `/topics/${p.gatedTopic}/join` },
  { name: "invite", as: "newcomer", path: (p) => `/invite/${p.invite}` },
  { name: "post", as: "member", path: (p) => `/posts/${p.post}`, whole: true },
  { name: "chat", as: "member", path: (p) => `/topics/${p.openTopic}/chat`, prepare: comeIn },
  { name: "chat-guest", as: "guest", path: (p) => `/topics/${p.openTopic}/chat` },
  { name: "members", as: "member", path: (p) => `/topics/${p.openTopic}/members` },
  { name: "about", as: "member", path: (p) => `/topics/${p.openTopic}?tab=about`, whole: true },
  { name: "staff-members", as: "member", path: (p) => `/topics/${p.desk}/members`, prepare: manage },
  { name: "sanctions", as: "member", path: (p) => `/topics/${p.desk}/members?show=sanctioned` },
  { name: "requests", as: "member", path: (p) => `/topics/${p.desk}/requests` },
  { name: "reports", as: "member", path: (p) => `/topics/${p.desk}/reports`, whole: true },
  { name: "hide", as: "member", path: (p) => `/topics/${p.desk}/reports`, prepare: askToHide },
  { name: "log", as: "member", path: (p) => `/topics/${p.desk}/log`, whole: true },
  {
    name: "invites",
    as: "member",
    path: (p) => `/topics/${p.desk}/invites`,
    prepare: makeInvite,
    whole: true,
  },
  { name: "edit-topic", as: "member", path: (p) => `/topics/${p.desk}/edit`, whole: true },
  { name: "delete-topic", as: "member", path: (p) => `/topics/${p.desk}/edit`, prepare: askToDeleteTopic },
  { name: "report", as: "newcomer", path: (p) => `/posts/${p.post}`, prepare: askToReport },
  { name: "search", as: "member", path: () => "/search?q=proof" },
  { name: "search-start", as: "guest", path: () => "/search" },
  { name: "search-nothing", as: "guest", path: () => "/search?q=quincunx" },
  { name: "alerts", as: "member", path: () => "/alerts", prepare: seeAlerts },
  { name: "records", as: "member", path: () => "/profile/records" },
  { name: "record", as: "member", path: (p) => `/posts/${p.oldPost ?? p.post}`, prepare: askToRecord },
  { name: "record-check", as: "guest", path: (p) => `/posts/${p.oldPost ?? p.post}`, prepare: checkRecord },
  { name: "sign-in", as: "guest", path: () => "/sign-in" },
  { name: "new-topic", as: "member", path: () => "/topics/new", prepare: fillTopic, whole: true },
  {
    name: "new-topic-country",
    as: "member",
    path: () => "/topics/new",
    prepare: fillCountryTopic,
    whole: true,
  },
  { name: "action", as: "guest", path: () => "/actions/example", whole: true },
  { name: "composer", as: "member", path: (p) => `/topics/${p.openTopic}/new`, prepare: writePost },
  { name: "profile", as: "member", path: () => "/profile", whole: true },
  { name: "picture", as: "member", path: () => "/profile", prepare: cutPicture },
  { name: "settings", as: "member", path: () => "/settings", prepare: seeAlerts, whole: true },
  { name: "settings-guest", as: "guest", path: () => "/settings" },
  { name: "delete-account", as: "newcomer", path: () => "/settings", prepare: askToDelete },
  { name: "my-posts", as: "member", path: () => "/my/posts" },
  { name: "bookmarks", as: "member", path: () => "/bookmarks" },
  { name: "likes", as: "newcomer", path: () => "/likes" },
  { name: "welcome", as: "newcomer", path: () => "/welcome", prepare: seeAlerts, whole: true },
  { name: "seal", as: "member", path: () => "/profile", prepare: openSeal },
  { name: "docs", as: "guest", path: () => "/docs" },
  { name: "not-found", as: "guest", path: () => "/nothing/here" },
];

async function fillTopic(page: Page): Promise<void> {
  await page.getByLabel(t("newTopic.name")).fill("Acme, the parents’ corner");
  await page
    .getByLabel(t("newTopic.description"))
    .fill("School runs, leave, part time: what works here and what does not.");
  await page.getByLabel(t("newTopic.category")).selectOption({ index: 1 });
  await page.getByRole("radio", { name: new RegExp(t("newTopic.gateDomain")) }).check();
  await page.getByLabel(t("newTopic.domain"), { exact: true }).fill("acme.example");
  await leave(page);
}

async function fillCountryTopic(page: Page): Promise<void> {
  await fillWalletTopic(page, COUNTRY_TOPIC);
  await page.getByRole("combobox", { name: t("newTopic.countries") }).fill("bel");
}

async function writePost(page: Page): Promise<void> {
  await page.getByLabel(t("composer.titleLabel")).fill("What did your first audit teach you?");
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
  await page.getByLabel(t("composer.tagsLabel")).fill("audit, security");
  await leave(page);
}

async function openSeal(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Seal: @/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
}

async function comeIn(page: Page): Promise<void> {
  await page.getByText(t("chat.states.live"), { exact: true }).waitFor();
  await page.getByRole("textbox", { name: t("chat.field") }).fill("Thursday works for me");
  await leave(page);
}

async function seeAlerts(page: Page): Promise<void> {
  await page
    .getByText(t("push.lockScreen"))
    .or(page.getByText(t("push.blocked")))
    .waitFor();
}

/** Any picture will do; this one is the page itself. */
async function cutPicture(page: Page): Promise<void> {
  const buffer = await page.screenshot();
  await page.locator("input[type=file]").setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
  await page.getByRole("application", { name: t("picture.area") }).waitFor();
}

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("settings.delete"), exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

/** In a young stack the page as it is: what it says about records. */
async function askToRecord(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: t("record.record") });
  if (!(await button.isVisible())) return;
  await button.click();
  await page.getByText(t("record.afterText")).waitFor();
}

async function checkRecord(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: t("record.check") }).first();
  if (!(await button.isVisible())) return;
  await button.click();
  await page.getByRole("button", { name: t("record.ask") }).click();
  await page.getByText(t("record.allEqual")).waitFor();
}

/** The first member who can be managed, with what is offered. */
async function manage(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: t("staff.manage", { name: "" }).trim() })
    .first()
    .click();
  await page.getByRole("menu").waitFor();
}

async function askToHide(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: t("reports.hide"), exact: true })
    .first()
    .click();
  await page
    .getByRole("dialog")
    .getByLabel(t("reason.template"))
    .selectOption(t("reason.templates.private_data"));
}

async function makeInvite(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("invites.create") }).click();
  await page.getByRole("list", { name: t("invites.fresh") }).waitFor();
  await page
    .getByRole("button", { name: t("invites.showQr") })
    .first()
    .click();
  await page.getByRole("img", { name: t("invites.qr") }).waitFor();
  await leave(page);
}

async function askToDeleteTopic(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("editTopic.delete"), exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

async function askToReport(page: Page): Promise<void> {
  await page.getByRole("button", { name: t("moderate.tools"), exact: true }).click();
  await page.getByRole("menuitem", { name: t("report.post") }).click();
  await page.getByRole("dialog").waitFor();
}

/** As it looks to somebody who has finished: no focus ring, from the top. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
}
