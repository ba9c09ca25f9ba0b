import { type CDPSession, expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { articleOf, button, comment, expectCrowd, join, placeOf, proven } from "./support/crowd";
import { uniqueWord } from "./support/installation";
import { test } from "./support/test";

/**
 * What remains of an anonymous self when its device is lost: the passkey, the words, or neither. Passkeys are those of
 * Chromium's virtual authenticator, which has the PRF; the device's storage is emptied, and the passkey is still there, as with
 * one that a password manager keeps.
 */

const DAY_MS = 24 * 60 * 60 * 1000;

async function authenticator(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", ctap2Version: "ctap2_1", transport: "internal", hasPrf: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

/** Empties everything but the session, as on a new device. */
async function loseDevice(cdp: CDPSession, page: Page): Promise<void> {
  const origin = new URL(page.url()).origin;
  await page.goto("about:blank");
  await cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb,local_storage" });
}

test("a lost device: passkey and words each bring the same self back; without both, a new one waits @once", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const word = uniqueWord();
  const place = await placeOf(browser, word);
  const { owner, author, topicId, page, staff } = place;
  const cdp = await authenticator(page);
  await join(page, t("anonymous.passkey.join"));
  await join(staff);
  await expectCrowd(place);
  const { post } = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: `Lost ${word}`, content: "<p>Say it.</p>" },
    poll: { options: ["Keep", "Go"], isSecret: true },
  });
  const address = `/posts/${post.id}`;
  await page.goto(address);
  await comment(page, `Before ${word}`);
  const before = articleOf(page, `Before ${word}`);
  await expect(before).toBeVisible(proven);
  const pseudonymOf = async (text: string) => {
    const { comments } = await author.api.call(contract.posts.get, { postId: post.id });
    return comments.find(({ content }) => content === text)?.anonymous?.pseudonym ?? "none";
  };
  const pseudonym = await pseudonymOf(`Before ${word}`);
  expect(pseudonym).toMatch(/^[a-z]+ [a-z]+$/);
  const vote = page.locator("form").filter({ has: page.getByRole("radio", { name: "Keep", exact: true }) });
  await vote.getByRole("radio", { name: "Keep", exact: true }).check();
  await vote.getByLabel(t("anonymous.now")).check();
  await button(page, t("anonymous.ballot.cast")).click();
  await expect(page.getByText(t("anonymous.ballot.own", { choice: "Keep" }))).toBeVisible(proven);
  await page.goto("/settings/anonymous");
  await expect(page.getByText(t("anonymous.page.fromPasskey"))).toBeVisible();
  await button(page, t("anonymous.page.show")).click();
  const words = await page.getByRole("dialog").getByRole("listitem").allTextContents();
  await button(page, t("anonymous.page.wrote")).click();

  // The passkey brings it back: the same pseudonym.
  await loseDevice(cdp, page);
  await page.goto(`/topics/${topicId}`);
  await page.getByRole("link", { name: t("anonymous.bring") }).click();
  await expect(page.getByText(t("anonymous.page.none"))).toBeVisible();
  await button(page, t("anonymous.passkey.use")).click();
  await expect(page.getByText(t("anonymous.page.fromPasskey"))).toBeVisible();
  await page.goto(address);
  await comment(page, `By passkey ${word}`);
  await expect(articleOf(page, `By passkey ${word}`)).toContainText(pseudonym, proven);

  // So do the words.
  await loseDevice(cdp, page);
  await page.goto("/settings/anonymous");
  await button(page, t("anonymous.page.restore")).click();
  await page.getByLabel(t("anonymous.page.restoreLabel")).fill(words.join(" "));
  await button(page, t("anonymous.page.restoreAct")).click();
  await expect(page.getByText(t("anonymous.page.here"))).toBeVisible();
  await page.goto(address);
  await comment(page, `By words ${word}`);
  await expect(articleOf(page, `By words ${word}`)).toContainText(pseudonym, proven);

  // Whoever loses both begins anew: the new secret waits, longer than the ban that is running, and does not vote again.
  const { comments } = await author.api.call(contract.posts.get, { postId: post.id });
  const weeks = 8;
  const { ban } = await owner.api.call(contract.anonymous.ban, {
    ...{ postId: post.id, commentId: comments[0]?.id, weeks, reason: "A drill." },
  });
  await loseDevice(cdp, page);
  await page.goto(`/topics/${topicId}`);
  await button(page, t("anonymous.lost.act")).click();
  await button(page, t("anonymous.lost.confirm")).click();
  await expect(page.getByText(t("anonymous.lost.done"))).toBeVisible();
  const { crowd } = await author.api.call(contract.crowd.get, { topicId });
  expect(crowd.own?.isCounted).toBe(false);
  expect(Date.parse(crowd.own?.countsFrom ?? "")).toBeGreaterThanOrEqual(Date.parse(ban.until));
  expect(Date.parse(ban.until)).toBeGreaterThan(Date.now() + 30 * DAY_MS);
  await page.goto(address);
  await expect(page.getByText(t("anonymous.ballot.notIn"))).toBeVisible();
  await button(page, t("anonymous.asNobody")).click();
  await page.getByLabel(t("post.addComment")).fill("Too early");
  await expect(button(page, t("anonymous.comment"))).toBeDisabled();
  const { post: voted } = await owner.api.call(contract.posts.get, { postId: post.id });
  expect(voted.poll?.options.map(({ voteCount }) => voteCount)).toEqual([1, 0]);
});
