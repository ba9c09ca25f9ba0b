import { expect, type Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import type { Messages } from "@/lib/i18n/words";
import { deployment } from "./installation";

/** What a proof costs, as every price tag shows it. */
export const PRICE = "0.10 USDC";
/** A real proof on two busy cores, from the payment to the stamped seal. */
export const PROOF_TIMEOUT_MS = 120_000;

/** Opens the part of the start form that most people leave folded. */
export async function changeHow(page: Page): Promise<void> {
  await page.getByText(t("prover.changeHow"), { exact: true }).click();
}

/** From the start form over the identity provider and back to the price. The wallet is chosen before, or stays. */
export async function identifyAs(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }).click();
  await answerAsProvider(page, email);
  await expect(page.getByRole("list", { name: t("run.stagesLabel") })).toBeVisible();
}

/** On the provider's own page: types the address and comes back to the app. */
export async function answerAsProvider(page: Page, email: string): Promise<void> {
  const provider = new URL(deployment.issuers[0]?.authorizationEndpoint ?? "").origin;
  await page.waitForURL((url) => url.origin === provider);
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.origin !== provider);
}

/** The button that pays; the price stands on it. */
export function payButton(page: Page) {
  return page.getByRole("button", { name: t("run.pay", { amount: PRICE }) });
}

/** Waits until the seal of this domain is stamped. */
export async function waitForSeal(page: Page, domain: string): Promise<void> {
  await expect(page.getByRole("heading", { name: `${t("run.stages.sealed")}: @${domain}` })).toBeVisible({
    timeout: PROOF_TIMEOUT_MS,
  });
}

/** One line of the list of stages. */
export function stageRow(page: Page, stage: keyof Messages["run"]["stages"]) {
  return page
    .getByRole("list", { name: t("run.stagesLabel") })
    .getByRole("listitem")
    .filter({ has: page.getByText(t(`run.stages.${stage}`), { exact: true }) });
}

/** Writes down every stage the page announces from now on; `stages()` tells them, each once, in order. */
export async function recordStages(page: Page): Promise<{ stages: () => Promise<readonly string[]> }> {
  await page.evaluate(
    (prefix) => {
      const seen: string[] = [];
      const look = () => {
        for (const status of document.querySelectorAll("[role=status]")) {
          const text = status.textContent ?? "";
          if (text.startsWith(prefix) && !seen.includes(text)) seen.push(text);
        }
        document.documentElement.dataset.stagesSeen = JSON.stringify(seen);
      };
      look();
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    },
    t("run.now", { stage: "" }),
  );
  return {
    stages: async () => {
      const text = await page.evaluate(() => document.documentElement.dataset.stagesSeen ?? "[]");
      const seen: unknown = JSON.parse(text);
      return Array.isArray(seen) ? seen.map(String) : [];
    },
  };
}

/** Everything this tab and this browser keep for the app, as one text to look for a token in. */
export function everythingStored(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
}

/** Signs in with a proof paid from the development wallet and takes a nickname; ends where the sign-in leads. */
export async function signInWithProof(page: Page, email: string, nickname: string): Promise<void> {
  await page.goto("/sign-in");
  await identifyAs(page, email);
  await payButton(page).click();
  await waitForSeal(page, email.split("@")[1] ?? "");
  await chooseNickname(page, nickname);
}

/** In the panel of a new member's seal. */
export async function chooseNickname(page: Page, nickname: string): Promise<void> {
  await page.getByLabel(t("profile.chooseTitle")).fill(nickname);
  await page.getByRole("button", { name: t("profile.keep") }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}
