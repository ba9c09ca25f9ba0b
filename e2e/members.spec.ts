import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { enter, tabTo } from "./support/keys";
import { expectAccessible } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What members decide for themselves, by keyboard: whom they read, and what notifies them. */
test.describe.configure({ mode: "parallel" });

const word = uniqueWord();

test("what a blocked person writes folds away, and opens when asked @once", async ({ browser }) => {
  const [owner, reader, troll] = [
    await person(`own_${word}`),
    await person(`rea_${word}`),
    await person(`tro_${word}`),
  ];
  const topicId = await topicOf(owner, `Blocks ${word}`, [reader, troll]);
  const { post } = await owner.api.call(contract.posts.create, { topicId, title: "A", content: "<p>B</p>" });
  await troll.api.call(contract.comments.create, { postId: post.id, content: "Unkind words." });
  await troll.api.call(contract.chat.send, { topicId, message: "Unkind chat." });
  const page = await pageOf(browser, reader, `/posts/${post.id}`);

  await enter(page, page.getByRole("button", { name: t("moderate.commentTools", { name: troll.nickname }) }));
  await page.keyboard.press("ArrowDown");
  const block = page.getByRole("menuitem", { name: t("post.block", { name: troll.nickname }) });
  await expect(block).toBeFocused();
  await page.keyboard.press("Enter");
  const folded = page.getByRole("article").filter({ hasText: t("post.foldedComment") });
  await expect(folded).toBeFocused();
  await expect(page.getByText("Unkind words.")).toHaveCount(0);
  await expectAccessible(page);

  await page.reload();
  const show = page.getByRole("button", {
    name: t("post.showFoldedOf", { what: t("post.foldedComment") }),
    exact: true,
  });
  await enter(page, show);
  const shown = page.getByRole("article", { name: t("post.commentBy", { name: troll.nickname }) });
  await expect(shown).toBeFocused();
  await expect(shown).toContainText("Unkind words.");

  await page.goto(`/topics/${topicId}/chat`);
  const line = t("chat.folded", { n: 1 });
  await expect(page.getByRole("log").getByText(line, { exact: true })).toBeVisible();
  await expect(page.getByText("Unkind chat.")).toHaveCount(0);
  await enter(
    page,
    page.getByRole("log").getByRole("button", { name: t("post.showFoldedOf", { what: line }) }),
  );
  await expect(page.getByRole("log").getByText("Unkind chat.")).toBeVisible();
  await page.context().close();
});

test("a topic is muted at its bell, and heard again from the settings @once", async ({ browser }) => {
  const [owner, reader] = [await person(`bel_${word}`), await person(`qui_${word}`)];
  const title = `Bells ${word}`;
  const topicId = await topicOf(owner, title, [reader]);
  const page = await pageOf(browser, reader, `/topics/${topicId}`);
  await enter(page, page.getByRole("button", { name: t("topicAlerts.label"), exact: true }));
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitemcheckbox", { name: t("topicAlerts.mute") })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: t("topicAlerts.labelMuted"), exact: true })).toBeFocused();

  await page.goto("/settings");
  await expectAccessible(page);
  const kind = t("topicAlerts.kinds.mention");
  await tabTo(page, page.getByLabel(t("topicAlerts.pushOf", { kind }), { exact: true }));
  await page.keyboard.press("Space");
  await expect(page.getByText(t("topicAlerts.saved"))).toBeVisible();
  const unmute = page.getByRole("button", { name: t("topicAlerts.unmuteOf", { topic: title }), exact: true });
  await enter(page, unmute);
  await expect(unmute).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel(t("topicAlerts.pushOf", { kind }), { exact: true })).not.toBeChecked();
  await expect(page.getByText(t("topicAlerts.topicsNone"))).toBeVisible();
  await page.context().close();
});
