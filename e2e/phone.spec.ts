import { type Browser, expect, type Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { answerAsProvider, PROOF_TIMEOUT_MS, payButton } from "./support/proving";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/** Two browsers that share nothing: one asks, the other, a phone, proves for it. */
test.describe.configure({ mode: "serial", timeout: 180_000 });

const word = uniqueWord();
const domain = `phone-${word}.example`;
let topicId = "";

test("a phone makes the proof, and the browser that asked is signed in", async ({ page, browser }) => {
  await page.goto("/sign-in");
  const asked = await askPhone(page);
  await expectAccessible(page);
  const hand = await phoneFor(browser);
  await hand.goto(asked.address);
  // Who asks, and the same code; nothing can be proven before somebody says so.
  await expect(hand.getByRole("heading", { name: t("relay.phoneTitle") })).toBeVisible();
  await expect(hand.getByText(/wants to sign in as you/)).toContainText("on Linux");
  await expect(hand.getByText(asked.code)).toHaveCount(0);
  await hand.getByRole("textbox", { name: t("relay.code"), exact: true }).fill("12");
  await hand.getByRole("button", { name: t("common.goOn"), exact: true }).click();
  await expect(hand.getByText(t("relay.wrongCode"))).toBeVisible();
  await expect(hand.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) })).toHaveCount(0);
  await expectAccessible(hand);
  await proveOn(hand, `pia@${domain}`, asked.code);

  // The browser that asked is nobody until its reader says so; the phone stays nobody.
  const goOn = page.getByRole("button", { name: t("relay.goOnAs", { nickname: "anon_" }) });
  await expect(goOn).toBeVisible();
  expect(await (await page.request.get("/api/auth/session")).json()).toEqual({ authenticated: false });
  await goOn.click();
  await page.waitForURL(/\/profile\?next=/);
  await expect(page.getByText(t("profile.chooseTitle")).first()).toBeVisible();
  expect(await (await page.request.get("/api/auth/session")).json()).toHaveProperty("userId");
  expect(await (await hand.request.get("/api/auth/session")).json()).toEqual({ authenticated: false });
  await hand.goto(asked.address);
  await expect(hand.getByText(t("relay.doneText"))).toBeVisible();
  await hand.context().close();

  await page.request.put("/api/profile/nickname", { data: { nickname: `pia_${word}` } });
  topicId = await gatedTopic(page);
});

test("a phone makes a gate's proof, and the browser that asked joins with it @long", async ({
  page,
  browser,
}) => {
  const nickname = `quinn_${word}`;
  await page.request.post("/api/auth/dev-login", { data: { nickname } });
  await page.goto(`/topics/${topicId}/join`);
  const asked = await askPhone(page);
  const hand = await phoneFor(browser);
  await hand.goto(asked.address);
  await expect(
    hand.getByText(t("relay.asksProof", { who: nickname, client: "" }).slice(0, -2)),
  ).toBeVisible();
  await proveOn(hand, `quinn@${domain}`, asked.code);
  await page.waitForURL(`/topics/${topicId}`);
  await expect(page.getByText(t("topic.member"), { exact: true }).first()).toBeVisible();
  await hand.context().close();
});

test("an address nobody asked for leads nowhere, and says so", async ({ page }) => {
  for (const id of ["pr_nothing", "%00", "a%20b"]) {
    await page.goto(`/phone/${id}`);
    await expect(page.getByText(t("relay.gone"))).toBeVisible();
  }
});

/** Opens the hand-over and reads what the other device needs. */
async function askPhone(page: Page) {
  await page.getByRole("button", { name: t("relay.use"), exact: true }).click();
  await expect(page.getByRole("img", { name: t("relay.qr") })).toBeVisible();
  const address = (await page.getByRole("link", { name: /\/phone\// }).getAttribute("href")) ?? "";
  const code = (await page.getByRole("status", { name: t("relay.code") }).textContent()) ?? "";
  expect(code).toMatch(/^\d{3} \d{3}$/);
  return { address, code };
}

async function phoneFor(browser: Browser): Promise<Page> {
  const { baseURL } = test.info().project.use;
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, baseURL });
  return await phone.newPage();
}

/** On the phone: the code of the other screen, then provider, payment and proof. */
async function proveOn(hand: Page, email: string, code: string): Promise<void> {
  await hand.getByRole("textbox", { name: t("relay.code"), exact: true }).fill(code);
  await hand.getByRole("button", { name: t("common.goOn"), exact: true }).click();
  await hand.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }).click();
  await answerAsProvider(hand, email);
  await payButton(hand).click();
  await expect(hand.getByText(t("relay.sealed"))).toBeVisible({ timeout: PROOF_TIMEOUT_MS });
}

/** A topic for the domain this visitor has just proven. */
async function gatedTopic(page: Page): Promise<string> {
  const { categories } = await (await page.request.get("/api/categories")).json();
  const body = {
    title: `By phone ${word}`,
    categoryId: categories[0].id,
    proofType: "workspace",
    requiredDomain: domain,
  };
  const answer = await page.request.post("/api/topics", { data: body });
  expect(answer.status()).toBe(201);
  return (await answer.json()).topic.id;
}
