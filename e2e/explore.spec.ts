import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible, expectNoSideways } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { hydrated, test } from "./support/test";

/** Finding topics, posts and comments. */

const word = `quince${uniqueWord()}`;
let nora: Person;
const topicTitle = `Orchards of ${word}`;
const postTitle = `When is a ${word} ripe?`;

test.beforeAll(async () => {
  nora = await person(`n_${uniqueWord()}`);
  const topicId = await topicOf(nora, topicTitle, []);
  const { post } = await nora.api.call(contract.posts.create, {
    topicId,
    title: postTitle,
    content: "<p>It smells before it yields.</p>",
    tags: [word],
  });
  await nora.api.call(contract.comments.create, {
    postId: post.id,
    content: `My grandmother knew every ${word} by name.`,
  });
});

const field = (page: Page) => page.getByRole("main").getByRole("searchbox");

test("the keyboard alone finds and opens a post: slash, letters, Tab, Enter @once", async ({ page }) => {
  // The page is there before the script that handles keys is.
  const slash = (focuses: Locator) =>
    expect(async () => {
      await page.keyboard.press("/");
      await expect(focuses).toBeFocused({ timeout: 300 });
    }).toPass();
  await page.goto("/docs");
  await slash(page.getByRole("searchbox", { name: t("nav.search") }));
  await page.keyboard.type(word.slice(0, -2));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=/);
  await expect(page.getByRole("link", { name: postTitle }).first()).toBeVisible();

  await hydrated(page);
  await page.getByRole("main").focus();
  await slash(field(page));
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press("Tab");
    if (
      await page
        .getByRole("link", { name: postTitle, exact: true })
        .first()
        .evaluate((link) => link === document.activeElement)
    )
      break;
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: postTitle, level: 1 })).toBeVisible();
});

test("what is typed is looked for at once, in every kind; without a network what is there stays", async ({
  browser,
}) => {
  const page = await pageOf(browser, nora, "/search");
  await expect(page.getByRole("heading", { name: t("search.startTitle") })).toBeVisible();
  await field(page).pressSequentially(`${word}zzz`);
  await expect(page.getByRole("heading", { name: t("search.nothingTitle") })).toBeVisible();
  await field(page).fill(word);
  for (const kind of ["topics", "posts", "comments"] as const) {
    await expect(page.getByRole("region", { name: t(`search.${kind}`) })).toContainText(word);
  }
  await expect(
    page.getByRole("status").filter({ hasText: t("search.found", { n: 3, q: word }) }),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: t("search.comments") }).locator("mark")).toHaveText(word);
  await expect(page).toHaveURL(new RegExp(`q=${word}$`));
  await expectNoSideways(page, 320);

  await page.context().setOffline(true);
  await field(page).fill(`${word}zzz`);
  await expect(page.getByText(t("search.offline"))).toBeVisible();
  await expect(page.getByRole("region", { name: t("search.posts") })).toContainText(postTitle);
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: t("search.nothingTitle") })).toBeVisible();
  await expect(page.getByText(t("search.offline"))).toHaveCount(0);

  await field(page).fill(word);
  await page
    .getByRole("list", { name: t("search.tags") })
    .getByRole("link")
    .click();
  await expect(page.getByRole("heading", { name: t("search.tagTitle", { tag: word }) })).toBeVisible();
  await expect(page.getByRole("link", { name: postTitle, exact: true })).toBeVisible();
  await page.context().close();
});

test("a search is limited to an author, a topic and a time, and can be followed @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, nora, `/search?q=${word}`);
  const posts = page.getByRole("region", { name: t("search.posts") });
  await expect(posts).toContainText(postTitle);
  const apply = async (choose: () => Promise<unknown>) => {
    const filters = page.getByText(t("search.filters"), { exact: true });
    const author = page.getByLabel(t("search.author"));
    if (!(await author.isVisible())) await filters.click();
    await choose();
    await page.getByRole("button", { name: t("search.apply") }).click();
  };
  await apply(() => page.getByLabel(t("search.author")).fill(`@${nora.nickname}`));
  await expect(page).toHaveURL(/author=/);
  await expect(posts).toContainText(postTitle);
  await expect(page.getByRole("region", { name: t("search.topics"), exact: true })).toHaveCount(0);
  await apply(async () => {
    await page.getByLabel(t("search.topic"), { exact: true }).selectOption(topicTitle);
    await page.getByLabel(t("search.within"), { exact: true }).selectOption(t("search.periods.day"));
  });
  await expect(page).toHaveURL(/within=day/);
  await expect(posts).toContainText(postTitle);
  await expectAccessible(page);
  await expectNoSideways(page, 320);
  const feed = await page.getByRole("link", { name: t("search.feed") }).getAttribute("href");
  expect(await (await page.request.get(feed ?? "")).text()).toContain(postTitle);
  await apply(() => page.getByLabel(t("search.author")).fill("nobody_of_that_name"));
  await expect(page.getByRole("heading", { name: t("search.nothingTitle") })).toBeVisible();
  await page.getByRole("link", { name: t("search.clearFilters") }).click();
  await expect(posts).toContainText(postTitle);
  await expect(page).toHaveURL(new RegExp(`q=${word}$`));
  await page.context().close();
});

test("topics are filtered by word, gate and category, and the filters keep each other", async ({ page }) => {
  await page.goto("/topics");
  await field(page).fill(word);
  const row = page.getByRole("article").filter({ hasText: topicTitle });
  await expect(page.getByText(t("topics.found", { n: 1, q: word }))).toBeVisible();
  await expect(row).toBeVisible();
  const gates = page.getByRole("navigation", { name: t("topic.gateTitle") });
  await gates.getByRole("link", { name: t("topics.gates.country") }).click();
  await expect(page.getByRole("heading", { name: t("topics.emptyTitle") })).toBeVisible();
  await expect(field(page)).toHaveValue(word);
  await gates.getByRole("link", { name: t("topics.gates.none") }).click();
  await expect(row).toBeVisible();
  const { categories } = await nora.api.call(contract.categories.list, {});
  const other = page.getByRole("navigation", { name: t("topics.categories") });
  await other.getByRole("link", { name: categories[1]?.name ?? "", exact: true }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("link", { name: t("topics.reset") }).click();
  await expect(page).toHaveURL(/\/topics$/);
  await expect(field(page)).toHaveValue("");
});
