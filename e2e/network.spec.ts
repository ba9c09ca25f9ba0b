import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Route } from "@playwright/test";
import { contract, type OperationSpec } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { chatActs } from "./support/acts/chat";
import { deskActs } from "./support/acts/desk";
import { drive } from "./support/acts/drive";
import { ownActs } from "./support/acts/me";
import { signingActs } from "./support/acts/signing";
import { staffActs } from "./support/acts/staff";
import { topicActs } from "./support/acts/topics";
import { appOrigin, uniqueWord } from "./support/installation";
import { identifyAs, payButton, stageRow, waitForSeal } from "./support/proving";
import { test } from "./support/test";

/**
 * Everything the interface does on the server, with the network cut: that it is under way shows, what went wrong is said, nothing
 * is lost, and it can be done again.
 */

// Acts bring their own people and topics: two workers share them.
test.describe.configure({ mode: "parallel" });
// The recorder would take much of the time, and a failure says by itself what is wrong.
test.use({ trace: "off" });

const acts = [...topicActs, ...staffActs, ...deskActs, ...chatActs, ...ownActs, ...signingActs];

/** Operations whose network is cut elsewhere. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  "network.spec.ts, below": ["auth.verify"],
  "chat.spec.ts": ["chat.send"],
  "post-acts.spec.ts": [
    "posts.vote",
    "comments.vote",
    "posts.bookmark",
    "posts.react",
    "posts.votePoll",
    "posts.clearPollVote",
    "comments.update",
  ],
  "offline.spec.ts": ["comments.create"],
  // A draft is on this device in any case; the next change saves it.
  "drafts.spec.ts": ["drafts.save", "drafts.delete", "scheduled.create"],
  // Clearing away uploads that no post shows is nobody's act: it may fail unsaid.
  "composer.spec.ts": ["posts.create", "posts.update", "uploads.delete"],
  // The dialogs of staff.ts, for a comment instead of a post; and deleting, which differs from hiding by one line.
  "staff.ts, by the same dialogs": [
    "moderation.hideComment",
    "moderation.reportComment",
    "comments.delete",
    "posts.delete",
    "anonymous.ban",
  ],
  "staff.ts, by the same rows as moderation.lift": ["anonymous.lift"],
  "apps.ts, by the same dialog as apps.delete": ["apps.renewSecret"],
  "staff.ts, by the same rows as webhooks.delete": ["webhooks.replay"],
  "desk.ts, by the same queue": ["desk.claim", "desk.release", "moderation.hideMessage"],
  "desk.ts, by the same dialog": [
    ...["desk.lift", "desk.endSessions", "desk.resetNickname", "desk.removeImage", "desk.grant", "desk.take"],
    ...["desk.renameTag", "desk.handOver", "desk.placeHold", "desk.releaseHold"],
  ],
  // One dialog reports everything.
  "staff.ts, as moderation.reportPost": [
    "moderation.reportMessage",
    "moderation.reportTopic",
    "moderation.reportProfile",
    "moderation.reportTag",
  ],
  // The last stage of every run hands its proof in by the same step (components/proof/run/accept.ts).
  "as auth.verify": ["auth.answerProofRequest"],
  "reading.spec.ts, by the menus": ["reading.unreadThread", "reading.unreadTopic"],
  // That something was looked at is nobody's act: the next visit says it again.
  "reading.spec.ts": ["reading.readTopic", "reading.readThread"],
};

/** They share how they ask, fail and try again: the short form tries every fifth, `npm run assure` all. */
const shortStep = 5;

for (const [index, act] of acts.entries()) {
  const isPush = act.operations.some((name) => name.startsWith("push."));
  const tags = `${isPush ? "@browser" : "@once"}${index % shortStep ? " @long" : ""}`;
  test(`${act.name} ${tags}`, async ({ browser }) => {
    const stage = await act.arrange(uniqueWord());
    // A worker fills its stores in every new browser; only push messages come through it.
    const serviceWorkers = isPush ? "allow" : "block";
    const context = await browser.newContext({ reducedMotion: "reduce", serviceWorkers });
    if (stage.who) {
      await context.addCookies([{ name: sessionCookieName, value: stage.who.token, url: appOrigin }]);
    }
    await drive(await context.newPage(), context, stage);
    await context.close();
  });
}

test("a proof's payment and its acceptance @once", async ({ page, context }) => {
  const domain = `cut-${uniqueWord()}.example`;
  await page.goto("/sign-in");
  await identifyAs(page, `ada@${domain}`);
  const failed = page.getByRole("alert").filter({ hasText: t("run.failed") });
  const again = page.getByRole("button", { name: t("common.retry"), exact: true });

  // Nothing is paid while the prover does not answer, or answers that it cannot.
  const ways: readonly ((route: Route) => Promise<void>)[] = [
    (route) => route.abort(),
    (route) => route.fulfill({ status: 500, json: { error: "INTERNAL_ERROR", message: "No." } }),
  ];
  let press = payButton(page);
  for (const way of ways) {
    await page.route("**/api/v1/prove", way);
    const asked = page.waitForRequest("**/api/v1/prove");
    await press.click();
    await asked;
    await expect(failed).toBeVisible();
    await page.unroute("**/api/v1/prove");
    press = again;
  }
  await context.setOffline(true);
  await again.click();
  await expect(failed).toBeVisible();
  await expect(again).toBeEnabled();
  await context.setOffline(false);
  await expect(stageRow(page, "payment").getByRole("button", { name: /transaction/ })).toHaveCount(0);

  // The server swallows the finished proof twice, in two ways; what was paid for is kept and handed in again.
  let accepted = 0;
  await page.route("**/api/auth/verify/ai", async (route) => {
    accepted += 1;
    if (accepted === 1) return route.abort();
    if (accepted === 2)
      return route.fulfill({ status: 500, json: { error: "No.", code: "internal", requestId: "r" } });
    return route.continue();
  });
  await again.click();
  if (await payButton(page).isVisible()) await payButton(page).click();
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await again.click();
  await expect.poll(() => accepted).toBe(2);
  await expect(failed).toBeVisible();
  await context.setOffline(true);
  await again.click();
  await expect(failed).toBeVisible();
  await context.setOffline(false);
  await again.click();
  await waitForSeal(page, domain);
});

test("everything the interface does on the server has its network cut here @once", () => {
  const folder = path.join(import.meta.dirname, "../components");
  const called = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(folder, file), "utf8").matchAll(
        /\bcall(?:WithStatus)?\(\s*(?:client\.)?contract\.(\w+)\.(\w+)/g,
      ),
    ])
    .map(([, group, name]) => `${group}.${name}`);
  const operations = new Map<string, OperationSpec>(
    Object.entries(contract).flatMap(([group, members]) =>
      Object.entries(members).map(([name, spec]) => [`${group}.${name}`, spec] as const),
    ),
  );
  const changing = new Set(called.filter((name) => operations.get(name)?.method !== "GET"));
  expect(changing.size).toBeGreaterThan(35);
  const covered = new Set([...acts.flatMap((act) => act.operations), ...Object.values(elsewhere).flat()]);
  expect([...changing].filter((name) => !covered.has(name))).toEqual([]);
});
