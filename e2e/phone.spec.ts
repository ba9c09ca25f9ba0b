import { expect, test } from "@playwright/test";
import * as en from "@/lib/i18n/en";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { answerAsProvider, PROOF_TIMEOUT_MS, payButton } from "./support/proving";

/** Two browsers that share nothing: one asks to be signed in, the other, a phone, proves for it. */
test("a phone makes the proof, and the browser that asked is signed in", async ({ page, browser }) => {
  const word = uniqueWord();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: en.relay.use, exact: true }).click();
  await expect(page.getByRole("img", { name: en.relay.qr })).toBeVisible();
  const address = (await page.getByRole("link", { name: /\/phone\// }).getAttribute("href")) ?? "";
  const code = (await page.getByRole("status", { name: en.relay.code }).textContent()) ?? "";
  expect(code).toMatch(/^\d{3} \d{3}$/);
  await expectAccessible(page);

  const { baseURL } = test.info().project.use;
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, baseURL });
  const hand = await phone.newPage();
  await hand.goto(address);
  // Who asks, and the same code; nothing can be proven before somebody says so.
  await expect(hand.getByRole("heading", { name: en.relay.phoneTitle })).toBeVisible();
  await expect(hand.getByText(/asks to be signed in as you/)).toContainText("Chrome on Linux");
  await expect(hand.getByRole("status", { name: en.relay.code })).toHaveText(code);
  await expect(hand.getByRole("button", { name: en.signIn.continueWith("") })).toHaveCount(0);
  await expectAccessible(hand);

  await hand.getByRole("button", { name: en.relay.same }).click();
  await hand.getByRole("button", { name: en.signIn.continueWith("") }).click();
  await answerAsProvider(hand, `pia@phone-${word}.example`);
  await payButton(hand).click();
  await expect(hand.getByText(en.relay.sealed)).toBeVisible({ timeout: PROOF_TIMEOUT_MS });

  // The browser that asked goes on by itself; the phone is nobody.
  await page.waitForURL(/\/profile\?next=/);
  await expect(page.getByText(en.profile.chooseTitle).first()).toBeVisible();
  expect(await (await page.request.get("/api/auth/session")).json()).toHaveProperty("userId");
  expect(await (await hand.request.get("/api/auth/session")).json()).toEqual({ authenticated: false });

  await hand.goto(address);
  await expect(hand.getByText(en.relay.doneText)).toBeVisible();
  await phone.close();
});

test("an address nobody asked for leads nowhere, and says so", async ({ page }) => {
  for (const id of ["pr_nothing", "%00", "a%20b"]) {
    await page.goto(`/phone/${id}`);
    await expect(page.getByText(en.relay.gone)).toBeVisible();
  }
});
