import { type Browser, expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { PAST } from "@/scripts/stack/past-content";
import { deployment, uniqueWord } from "./support/installation";
import { person } from "./support/people";
import { PROOF_TIMEOUT_MS, payButton, waitForSeal } from "./support/proving";
import { test } from "./support/test";
import { installWallet } from "./support/wallet";

/** How much there is to do on a phone: every tap and every field that is typed into is counted. */
test.describe.configure({ timeout: 2 * PROOF_TIMEOUT_MS });

async function phone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  await installWallet(context);
  return await context.newPage();
}

/** Counts what a person does. */
class Hand {
  readonly taps: string[] = [];
  readonly typed: string[] = [];

  async tap(what: string, target: Locator): Promise<void> {
    await expect(target).toBeInViewport();
    await target.tap();
    this.taps.push(what);
  }

  async type(what: string, page: Page, text: string): Promise<void> {
    await page.keyboard.type(text);
    this.typed.push(what);
  }
}

/** Two topics for people with an address at the company: an old one, and one that a colleague just founded. */
async function topicsOfCompany(): Promise<readonly [first: string, second: string]> {
  const colleague = await person(PAST.sealed.nicknames[0]);
  const { topics } = await colleague.api.call(contract.topics.list, { view: "all", q: PAST.gates.domain });
  const first = topics.find(({ title }) => title === PAST.gates.domain);
  const { categories } = await colleague.api.call(contract.categories.list, {});
  const { topic } = await colleague.api.call(contract.topics.create, {
    title: `Canteen ${uniqueWord()}`,
    categoryId: categories[0]?.id ?? "",
    proofType: "workspace",
    requiredDomain: PAST.sealed.domain,
  });
  return [first?.id ?? "", topic.id];
}

test("a guest with a wallet writes a first post in the topic of their company; the next gate is one tap @once", async ({
  browser,
}) => {
  const page = await phone(browser);
  const hand = new Hand();
  const visible = (locator: Locator) => locator.filter({ visible: true }).first();
  const [first, second] = await topicsOfCompany();

  await page.goto(`/topics/${first}`);
  await hand.tap("prove", visible(page.getByRole("link", { name: t("topic.prove") })));
  await hand.tap("continue", page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }));
  const provider = new URL(deployment.issuers[0]?.authorizationEndpoint ?? "").origin;
  await page.waitForURL((url) => url.origin === provider);
  // The provider's page is not ours: most people only choose an account there.
  await page.getByLabel("Email address").fill(`ina_${uniqueWord()}@${PAST.sealed.domain}`);
  await hand.tap("account", page.getByRole("button", { name: "Sign in", exact: true }));
  await page.waitForURL((url) => url.origin !== provider);
  await hand.tap("pay", payButton(page));
  await waitForSeal(page, PAST.sealed.domain);
  await hand.tap("name", page.getByRole("button", { name: t("profile.keep") }));
  await hand.tap("join", page.getByRole("button", { name: t("common.joinTopic") }));
  await page.waitForURL(`**/topics/${first}`);
  await hand.tap("write", visible(page.getByRole("main").getByRole("link", { name: t("topic.write") })));
  await expect(page.getByLabel(t("composer.titleLabel"))).toBeFocused();
  await hand.type("title", page, "Hello from a phone");
  await page.keyboard.press("Enter");
  await hand.type("text", page, "The coffee is better on four.");
  await hand.tap("post", page.getByRole("button", { name: t("composer.post"), exact: true }));
  await expect(page.getByRole("heading", { name: "Hello from a phone", level: 1 })).toBeVisible();
  await expect(page.getByRole("article").first()).toContainText("The coffee is better on four.");

  expect(hand.taps.length, hand.taps.join(", ")).toBeLessThanOrEqual(9);
  expect(hand.typed.length, hand.typed.join(", ")).toBeLessThanOrEqual(2);

  const before = hand.taps.length;
  await page.goto(`/topics/${second}`);
  await hand.tap("join the next", visible(page.getByRole("button", { name: t("common.joinTopic") })));
  await expect(visible(page.getByText(t("topic.member"), { exact: true }))).toBeVisible();
  expect(hand.taps.length - before).toBe(1);
  await page.context().close();
});
