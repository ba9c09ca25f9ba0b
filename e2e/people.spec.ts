import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** A member's page: how one gets there, and what is on it for whom. */
const word = uniqueWord();

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

  const theirs = await pageOf(browser, reader, `/@${author.nickname}`);
  await theirs.getByRole("button", { name: t("post.memberTools", { name: author.nickname }) }).click();
  await theirs.getByRole("menuitem", { name: t("post.block", { name: author.nickname }) }).click();
  await expect(theirs.getByText(`Said in public ${word}`)).toHaveCount(0);
  await expect(theirs.getByText(t("post.foldedPost")).first()).toBeVisible();
  await theirs.context().close();

  const answer = await page.goto(`/@nobody_${word.slice(0, 8)}`);
  expect(answer?.status()).toBe(404);
});
