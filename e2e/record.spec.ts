import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { PAST } from "@/scripts/stack/past-content";
import { uniqueWord } from "./support/installation";
import { type OldPost, oldPost } from "./support/old-post";
import { expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** Recording somebody's post on the chain, and checking the record without believing this site. */
test.describe.configure({ mode: "serial" });

const OTHER_WORD = "chamber";

const word = uniqueWord();
let ada: Person;
let post: OldPost;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  post = await oldPost(ada);
  await ada.api.call(contract.topics.join, { topicId: post.topicId });
});

const records = (page: Page) => page.getByRole("region", { name: t("record.count", { n: 1 }) });
/** The entry of the post's menu, which opens. */
const recordItem = async (page: Page) => {
  await page.getByRole("button", { name: t("moderate.tools"), exact: true }).click();
  return page.getByRole("menuitem", { name: t("record.record") });
};
const unfold = (page: Page) => records(page).getByRole("heading").click();
const mine = (page: Page) => records(page).getByRole("listitem").filter({ hasText: ada.nickname });
const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title });

test("a member records a post: told before what it writes, costs and changes", async ({ browser }) => {
  const page = await pageOf(browser, ada, `/posts/${post.postId}`);
  await expect(records(page)).toHaveCount(0);
  await (await recordItem(page)).click();
  const asked = dialog(page, t("record.dialogTitle"));
  await expect(asked.getByText(t("record.notWrittenText"))).toBeVisible();
  await expect(asked.getByText(t("record.left", { n: 3 }))).toBeVisible();
  await expect(asked.getByText(/about 0\.0*[1-9]\d? ETH/)).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectContrast(page);
  await asked.getByRole("button", { name: t("record.confirm") }).click();
  await expect(asked.getByText(t("record.done"))).toBeVisible({ timeout: 40_000 });
  await asked
    .getByRole("button", { name: t("common.close") })
    .last()
    .click();
  await expect(page.getByRole("button", { name: t("moderate.tools"), exact: true })).toBeFocused();
  await unfold(page);
  await expect(mine(page)).toContainText(t("record.match"));
  await expect(records(page)).toContainText(t("record.already"));
  await expectAccessible(page);
  await expect(await recordItem(page)).toHaveCount(0);

  await page.goto("/profile/records");
  await expect(page.getByRole("heading", { name: PAST.post })).toBeVisible();
  await page.goto("/?sort=recorded");
  await expect(page.getByRole("heading", { name: PAST.post })).toBeVisible();
  await page.context().close();
});

test("anybody checks it in their own browser; another text is found out", async ({ browser, page }) => {
  // A guest, who asks the chain and compares.
  await page.goto(`/posts/${post.postId}`);
  await unfold(page);
  await mine(page)
    .getByRole("button", { name: t("record.check") })
    .click();
  const check = dialog(page, t("record.checkTitle"));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await check.getByRole("button", { name: t("record.ask") }).click();
  await expect(check.getByText(t("record.allEqual"))).toBeVisible();
  for (const what of [t("record.board"), t("record.sender"), t("record.post"), t("record.content")]) {
    await expect(check.getByText(`${what}: ${t("record.equal")}`)).toBeVisible();
  }
  // Nothing of the answer came from this site.
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  await expectAccessible(page);
  await expectNoSideways(page, 320);

  // A node that the page's policy does not name.
  await check.getByLabel(t("record.rpc")).fill("https://rpc.example.com/");
  await check.getByRole("button", { name: t("record.ask") }).click();
  await expect(check.getByText(t("record.rpcForbidden"))).toBeVisible();

  // A site that shows another text and still says that it matches.
  const tampered = await pageOf(browser, ada, `/topics/${post.topicId}`);
  // Of as many letters, because the page's data says how long its texts are. The data and not the document: a page that
  // the test made up whole may not call a chain on this machine.
  await tampered.route(`**/posts/${post.postId}?_rsc=*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(PAST.word, OTHER_WORD) });
  });
  await tampered.getByRole("link", { name: PAST.post }).click();
  await expect(tampered.getByRole("article").first()).toContainText(`the small ${OTHER_WORD} stays`);
  await unfold(tampered);
  await expect(mine(tampered)).toContainText(t("record.match"));
  await mine(tampered)
    .getByRole("button", { name: t("record.check") })
    .click();
  const found = dialog(tampered, t("record.checkTitle"));
  await found.getByRole("button", { name: t("record.ask") }).click();
  await expect(found.getByText(t("record.someDifferent"))).toBeVisible();
  await expect(found.getByText(`${t("record.content")}: ${t("record.different")}`)).toBeVisible();
  await expect(found.getByText(`${t("record.post")}: ${t("record.equal")}`)).toBeVisible();
  await tampered.context().close();
});

test("a young post says when it can be recorded, and nobody records their own", { tag: "@once" }, async ({
  browser,
}) => {
  const author = await person(`berta_${word}`);
  const topicId = await topicOf(author, `Fresh ${word}`, [ada]);
  const { post: young } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Just now",
    content: "<p>Fresh.</p>",
  });
  const page = await pageOf(browser, ada, `/posts/${young.id}`);
  const item = await recordItem(page);
  await expect(item).toContainText(t("record.tooNew", { minutes: 60 }));
  await expect(item).toHaveAttribute("aria-disabled", "true");
  await page.context().close();
  const own = await pageOf(browser, author, `/posts/${young.id}`);
  await expect(own.getByRole("heading", { name: "Just now" })).toBeVisible();
  await expect(await recordItem(own)).toHaveCount(0);
  await own.context().close();
});
