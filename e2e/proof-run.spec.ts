import { type BrowserContext, expect, type Page } from "@playwright/test";
import { z } from "zod";
import { t } from "@/lib/i18n/english";
import { appOrigin, deployment, uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import {
  changeHow,
  everythingStored,
  identifyAs,
  PRICE,
  PROOF_TIMEOUT_MS,
  payButton,
  stageRow,
  waitForSeal,
} from "./support/proving";
import { test } from "./support/test";
import { chooseWallet, installWallet, WALLET_NAME } from "./support/wallet";

/** Buying a proof from a browser wallet: one signature whatever happens, and a token that goes to the prover only. */

const amount = BigInt(deployment.offers[0]?.amount ?? 0);

/** The identity token of the run under way. */
async function tokenOf(page: Page): Promise<string> {
  const text = await page.evaluate(() => sessionStorage.getItem("parley.run"));
  const run = z.object({ subject: z.object({ token: z.string().min(100) }) });
  return run.parse(JSON.parse(text ?? "null")).subject.token;
}

/** Address, headers and body of everything this browser sends. */
function recordTraffic(context: BrowserContext): readonly { origin: string; text: string }[] {
  const sent: { origin: string; text: string }[] = [];
  context.on("request", (request) => {
    const { origin } = new URL(request.url());
    sent.push({
      origin,
      text: [request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join("\n"),
    });
  });
  return sent;
}

test("a wallet signs once, also when the page is reloaded in the middle and its tab closed; the token reaches the prover only", async ({
  page,
  context,
}) => {
  test.setTimeout(2 * PROOF_TIMEOUT_MS);
  const domain = `wallet-${uniqueWord()}.example`;
  const wallet = await installWallet(context);
  const before = await wallet.balance();
  const sent = recordTraffic(context);
  // The seal is held back in this tab, so that there always is a middle to reload it and to close it in.
  await page.route("**/api/auth/verify/ai", () => {});

  await page.goto("/sign-in");
  await changeHow(page);
  await chooseWallet(page);
  await identifyAs(page, `dora@${domain}`);
  await expect(page.getByText(t("signIn.paidFrom", { wallet: WALLET_NAME }))).toBeVisible();
  await expect(payButton(page)).toBeVisible();
  expect(wallet.signatures(), "no wallet prompt before the price was accepted").toBe(0);
  const token = await tokenOf(page);

  await payButton(page).click();
  await expect(stageRow(page, "payment")).toContainText(t("seal.transaction"), { timeout: 60_000 });
  expect(wallet.signatures()).toBe(1);

  // Now cancelling costs what was paid, and says so.
  await page.getByRole("button", { name: t("common.cancel"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t("run.cancelTitle") });
  await expect(dialog).toContainText(t("run.cancelPaid", { amount: PRICE }));
  await dialog.getByRole("button", { name: t("run.keepGoing") }).click();

  await page.reload();
  await expect(page.getByRole("list", { name: t("run.stagesLabel") })).toBeVisible();
  const [, claims = "", signature = ""] = token.split(".");
  const outlives = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(outlives, "what was paid outlives the tab").toContain("parley.paid-run");
  for (const part of [claims, signature]) expect(outlives).not.toContain(part);
  await page.close();

  const again = await context.newPage();
  await again.goto("/topics");
  const offer = again.getByRole("region", { name: t("paid.title") });
  await expect(offer).toContainText(t("paid.for.signIn"));
  await expectAccessible(again);
  await offer.getByRole("button", { name: t("paid.goOn") }).click();
  await waitForSeal(again, domain);
  expect(wallet.signatures(), "the run went on with the payment it had").toBe(1);
  expect(before - (await wallet.balance()), "paid once").toBe(amount);

  const leaks = (where: string) =>
    sent.filter(
      ({ origin, text }) => origin === where && [claims, signature].some((part) => text.includes(part)),
    );
  expect(leaks(new URL(deployment.services.proverUrl).origin).length, "the recorder works").toBeGreaterThan(
    0,
  );
  expect(leaks(appOrigin), "our server never sees the token").toEqual([]);
  const stored = await everythingStored(again);
  expect(stored).not.toContain(claims);
  expect(stored).not.toContain("eyJ");
  expect(stored, "nothing is left to go on with").not.toMatch(/parley\.(paid-run|payment)/);
});

test("declining the signature pays nothing, and cancelling says that it is free", async ({
  page,
  context,
}) => {
  const wallet = await installWallet(context);
  const before = await wallet.balance();
  wallet.decline();
  await page.goto("/sign-in");
  await changeHow(page);
  await chooseWallet(page);
  await identifyAs(page, `emil@wallet-${uniqueWord()}.example`);
  await payButton(page).click();

  await expect(page.getByText(t("wallet.rejected"))).toBeVisible();
  expect(wallet.signatures()).toBe(1);
  await expect(stageRow(page, "payment")).not.toContainText(t("seal.transaction"));
  await expect(page.getByRole("button", { name: t("common.retry") })).toBeVisible();

  await page.getByRole("button", { name: t("common.cancel"), exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t("run.cancelTitle") });
  await expect(dialog).toContainText(t("run.cancelFree"));
  await dialog.getByRole("button", { name: t("run.cancelConfirm") }).click();
  await expect(page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) })).toBeVisible();
  expect(await wallet.balance()).toBe(before);
  expect(await everythingStored(page)).not.toContain("eyJ");
});
