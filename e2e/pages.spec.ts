import { expect, type Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { appOrigin } from "./support/installation";
import { HARD_WORDS, type Seed, seedPages } from "./support/seed";
import { test } from "./support/test";

/** What every page does: content without scripts, votes. (Its looks: screens.spec.ts.) */

let seed: Seed;
test.beforeAll(async () => {
  seed = await seedPages();
});

async function signInAs(page: Page, token: string): Promise<void> {
  await page.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
}

test("without JavaScript, home, topic and post have their content @once", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: appOrigin });
  const page = await context.newPage();
  await page.goto("/?sort=new");
  await expect(page.getByRole("heading", { name: HARD_WORDS.post }).first()).toBeVisible();
  await page.goto(`/topics/${seed.places.openTopic}`);
  await expect(page.getByRole("heading", { name: HARD_WORDS.topic, level: 1 })).toBeVisible();
  await page.getByRole("link", { name: HARD_WORDS.post }).click();
  await expect(page.getByRole("heading", { name: HARD_WORDS.post, level: 1 })).toBeVisible();
  await expect(page.getByRole("article").first().locator("strong")).toHaveText("bold");
  await expect(page.getByText("And one more.")).toBeVisible();
  await context.close();
});

test("security F7: the sign-in page leads to no other site @once", async ({ page }) => {
  await signInAs(page, seed.tokens.member);
  for (const next of [
    "/.//evil.example/phish",
    "/x/..//evil.example",
    "/./\t/evil.example",
    "/%2e//evil.example",
  ]) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await expect(page.getByRole("link", { name: t("common.goOn") })).toHaveAttribute("href", "/");
  }
});

test("the arrow keys vote @once", async ({ page }) => {
  await signInAs(page, seed.tokens.member);
  await page.goto(`/posts/${seed.places.post}`);
  const vote = page.getByRole("group", { name: t("post.voteOn", { subject: HARD_WORDS.post }) });
  const score = vote.getByLabel(t("post.score"));
  let answered = 0;
  page.on("response", (response) => {
    if (response.url().endsWith("/vote") && response.ok()) answered += 1;
  });
  await vote.getByRole("button", { name: t("post.upvote") }).focus();
  for (const [key, after] of [
    ["ArrowUp", "1"],
    ["ArrowDown", "-1"],
    ["ArrowDown", "0"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(score).toHaveText(after);
  }
  // What is not answered yet would change the post under the next test.
  await expect.poll(() => answered).toBe(3);
});

test("votes pressed faster than the server answers all count, in order @once", async ({ page }) => {
  await signInAs(page, seed.tokens.member);
  await page.goto(`/posts/${seed.places.post}`);
  const vote = page.getByRole("group", { name: t("post.voteOn", { subject: HARD_WORDS.post }) });
  const score = vote.getByLabel(t("post.score"));
  const before = Number(await score.textContent());
  let answered = 0;
  await page.route("**/api/posts/*/vote", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  // A press that is not answered yet when the page goes away is lost with it, so the answers are counted.
  page.on("response", (response) => {
    if (response.url().endsWith("/vote") && response.ok()) answered += 1;
  });
  const up = vote.getByRole("button", { name: t("post.upvote") });
  for (let press = 0; press < 3; press++) await up.click();
  await expect(score).toHaveText(String(before + 1));
  await expect.poll(() => answered).toBe(3);
  await page.reload();
  await expect(score).toHaveText(String(before + 1));
  await expect(up).toHaveAttribute("aria-pressed", "true");
  // Leaves the post as it was for the other project.
  await up.click();
  await expect(score).toHaveText(String(before));
  await expect.poll(() => answered).toBe(4);
});
