import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { PAST } from "@/scripts/stack/past-content";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** A member's page: how one gets there, and what is on it for whom. */
const word = uniqueWord();

/** Waits for the scripts that load after the page. Until then, a seal is a link to its owner's page. */
async function rest(page: Page): Promise<void> {
  const sheet = page.getByRole("dialog", { name: t("shortcuts.title") });
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 300 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
}

test("a name leads to what its owner wrote where the reader may read; they can be blocked there", async ({
  browser,
  page,
}) => {
  // The projects share a stack.
  const [author, reader] = [await person(`ann_${uniqueWord()}`), await person(`ben_${uniqueWord()}`)];
  const topicId = await topicOf(author, `Open to all ${word}`, [reader]);
  const { categories } = await author.api.call(contract.categories.list, {});
  const { topic: secret } = await author.api.call(contract.topics.create, {
    title: `Among three ${word}`,
    categoryId: categories[0]?.id ?? "",
    visibility: "secret",
  });
  const write = async (where: string, title: string) =>
    (await author.api.call(contract.posts.create, { topicId: where, title, content: "<p>Words.</p>" })).post
      .id;
  const postId = await write(topicId, `Said in public ${word}`);
  await write(secret.id, `Said among three ${word}`);
  await reader.api.call(contract.comments.create, { postId, content: `@${author.nickname} quite so` });

  // A guest, from the post's author and from a mention.
  for (const link of [
    page.getByRole("article").first().getByRole("link", { name: author.nickname, exact: true }),
    page.getByRole("link", { name: `@${author.nickname}`, exact: true }),
  ]) {
    await page.goto(`/posts/${postId}`);
    await link.first().click();
    await expect(page).toHaveURL(`/@${author.nickname}`);
    await expect(page.getByRole("heading", { name: author.nickname, level: 1 })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: `Said in public ${word}` })).toBeVisible();
  await expect(page.getByText(`Said among three ${word}`)).toHaveCount(0);
  await expect(page.getByText(t("person.nothingShown"))).toBeVisible();
  await expect(
    page.getByRole("button", { name: t("post.memberTools", { name: author.nickname }) }),
  ).toHaveCount(0);
  await expectAccessible(page);

  const mine = await pageOf(browser, author, `/@${author.nickname.toUpperCase()}`);
  await expect(mine.getByRole("link", { name: `Said among three ${word}` })).toBeVisible();
  await mine.context().close();

  // What they said, elsewhere than under what it answers.
  await page.goto(`/@${reader.nickname}`);
  await expect(page.getByText(t("person.noPostsTitle"))).toBeVisible();
  await page
    .getByRole("navigation", { name: t("person.tabs") })
    .getByRole("link", { name: t("post.comments") })
    .click();
  await expect(page).toHaveURL(`/@${reader.nickname}/comments`);
  await expect(page.getByText(`@${author.nickname} quite so`)).toBeVisible();
  await page.getByRole("link", { name: `Said in public ${word}` }).click();
  await expect(page).toHaveURL(new RegExp(`/posts/${postId}\\?comment=`));

  const theirs = await pageOf(browser, reader, `/@${author.nickname}`);
  await theirs.getByRole("button", { name: t("post.memberTools", { name: author.nickname }) }).click();
  await theirs.getByRole("menuitem", { name: t("post.block", { name: author.nickname }) }).click();
  await expect(theirs.getByText(`Said in public ${word}`)).toHaveCount(0);
  await expect(theirs.getByText(t("post.foldedPost")).first()).toBeVisible();
  await theirs.context().close();

  const answer = await page.goto(`/@nobody_${word.slice(0, 8)}`);
  expect(answer?.status()).toBe(404);
});

test("a seal says what it means where it stands, and so does a name in the chat @once", async ({
  browser,
}) => {
  const sealed = await person(PAST.sealed.nicknames[1]);
  const reader = await person(`rea_${uniqueWord()}`);
  const topicId = await topicOf(sealed, `Seals ${word}`, [reader]);
  // In this topic only: the page of the member does not show it.
  await sealed.api.call(contract.profile.addDomainBadge, { topicId });
  const { post } = await sealed.api.call(contract.posts.create, {
    topicId,
    title: "Vouched",
    content: "<p>B</p>",
  });
  await sealed.api.call(contract.chat.send, { topicId, message: "Good morning." });
  const { domain } = PAST.sealed;
  const seal = (on: Page | Locator) =>
    on.getByRole("link", { name: t("common.seals", { domains: `@${domain}` }) }).first();
  const page = await pageOf(browser, reader, `/posts/${post.id}`);
  const card = page.getByRole("dialog", { name: sealed.nickname });
  await rest(page);
  await seal(page).focus();
  await page.keyboard.press("Enter");
  await expect(card).toContainText(t("card.means", { domain }));
  await expect(card).toContainText(/Proven in \w+ \d{4}, attested by /);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(seal(page)).toBeFocused();
  await expect(page).toHaveURL(`/posts/${post.id}`);

  await page.goto(`/topics/${topicId}/chat`);
  await rest(page);
  const log = page.getByRole("log");
  await seal(log).click();
  await expect(card).toContainText(t("card.means", { domain }));
  await page.keyboard.press("Escape");
  // One that arrives while the chat is open has it, too.
  await reader.api.call(contract.chat.send, { topicId, message: "Good morning to you." });
  await sealed.api.call(contract.chat.send, { topicId, message: "And a good day." });
  await expect(seal(log.getByRole("article").filter({ hasText: "And a good day." }))).toBeVisible();
  await log.getByRole("link", { name: sealed.nickname, exact: true }).first().click();
  await expect(card).toContainText(`@${domain}`);
  await card.getByRole("link", { name: t("card.page") }).click();
  await expect(page).toHaveURL(`/@${sealed.nickname}`);
  await expect(page.getByText(t("person.nothingShown"))).toBeVisible();
  await sealed.api.call(contract.profile.removeDomainBadge, {});
  await page.context().close();
});
