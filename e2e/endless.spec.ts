import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { appOrigin, uniqueWord } from "./support/installation";
import { hasFocus } from "./support/keys";
import { expectAccessible } from "./support/page-checks";
import { type Person, pageOf, person } from "./support/people";
import { test } from "./support/test";

/** Lists of posts whose next pages come by themselves. */

const word = uniqueWord();
const POSTS = 24;
const PAGE = 20;
let ada: Person;
let topicId: string;
test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  const bela = await person(`bela_${word}`);
  // Private, so that other tests find their own posts on Home.
  const { categories } = await ada.api.call(contract.categories.list, {});
  const { topic } = await ada.api.call(contract.topics.create, {
    title: `Letters ${word}`,
    categoryId: categories[0]?.id ?? "",
    visibility: "private",
    requiresApproval: false,
  });
  topicId = topic.id;
  await bela.api.call(contract.topics.join, { topicId });
  // One alone may not write as many in a minute.
  for (let n = 1; n <= POSTS; n += 1) {
    await [ada, bela][n % 2]?.api.call(contract.posts.create, {
      topicId,
      title: `Letter ${n}.`,
      content: "<p>Ahoy.</p>",
    });
  }
});

test("the next page comes by itself, has an address, and is there when the reader comes back @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, ada, `/topics/${topicId}?sort=new`);
  const rows = page.getByRole("main").getByRole("article");
  await expect(rows).toHaveCount(PAGE);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(POSTS);
  await expect(page.getByRole("status").filter({ hasText: t("common.addedPosts", { n: 4 }) })).toBeAttached();
  await expect(page.getByRole("link", { name: t("common.more") })).toHaveCount(0);
  await expectAccessible(page);

  const oldest = page.getByRole("link", { name: "Letter 1.", exact: true });
  await oldest.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 10_000);
  await expect(page).toHaveURL(/cursor=/);
  // A vote shows that what came later is as alive as the first page.
  const upvote = rows.last().getByRole("button", { name: t("post.upvote") });
  await upvote.click();
  await expect(upvote).toHaveAttribute("aria-pressed", "true");
  await oldest.click();
  await expect(page.getByRole("heading", { name: "Letter 1.", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(POSTS);
  await expect(oldest).toBeInViewport();

  // Up again, the address is that of the first page.
  await rows.first().scrollIntoViewIfNeeded();
  await expect(page).toHaveURL(`${appOrigin}/topics/${topicId}?sort=new`);
  await page.context().close();
});

test("who goes through the list by keyboard gets past its end, where a button has more @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, ada, `/topics/${topicId}?sort=new`);
  const rows = page.getByRole("main").getByRole("article");
  await expect(rows).toHaveCount(PAGE);
  await expect(page.locator("[data-endless]")).toBeAttached();
  const more = page.getByRole("link", { name: t("common.more") });
  await rows.last().getByRole("link").first().focus();
  await page.keyboard.press("Tab");
  await rows.last().scrollIntoViewIfNeeded();
  for (let stop = 0; stop < 12 && !(await hasFocus(more)); stop += 1) await page.keyboard.press("Tab");
  await expect(more).toBeFocused();
  await expect(rows).toHaveCount(PAGE);
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(POSTS);
  await expect(rows.nth(PAGE).getByRole("link", { name: "Letter 4.", exact: true })).toBeFocused();
  await page.context().close();
});
