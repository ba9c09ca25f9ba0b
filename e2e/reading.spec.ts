import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What is new since one was here. */

const word = uniqueWord();
const title = `Orchard ${word}`;
let ada: Person;
let bela: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  topicId = await topicOf(ada, title, [bela]);
});

const post = async (name: string) =>
  (await ada.api.call(contract.posts.create, { topicId, title: `${name} ${word}`, content: "<p>Words.</p>" }))
    .post.id;
const rail = (page: Page) => page.getByRole("link", { name: title }).filter({ visible: true });
const line = (page: Page) => page.getByText(t("unread.newSince"), { exact: true }).filter({ visible: true });
const marked = (page: Page, place: string) =>
  page.waitForResponse((response) => response.request().method() === "PUT" && response.url().endsWith(place));

test("new posts are counted, stand above a line, and are read by looking at them @once", async ({
  browser,
}) => {
  await post("Pears");
  await bela.api.call(contract.reading.readTopic, { topicId });
  await post("Plums");
  await post("Quinces");
  await ada.api.call(contract.chat.send, { topicId, message: "Anybody up?" });
  const page = await pageOf(browser, bela, "/settings");
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(rail(page)).toHaveAccessibleName(new RegExp(`${t("unread.new")}: 3$`));

  const asRead = marked(page, `/api/topics/${topicId}/read`);
  await page.goto(`/topics/${topicId}?sort=new`);
  const main = page.getByRole("main");
  await expect(main.getByText(t("unread.posts", { n: 2 }))).toBeVisible();
  const texts = await main.getByRole("heading", { level: 2 }).or(line(page)).allTextContents();
  expect(texts).toEqual([`Quinces ${word}`, `Plums ${word}`, t("unread.newSince"), `Pears ${word}`]);
  expect((await asRead).ok()).toBe(true);
  await expect.poll(async () => (await bela.api.call(contract.reading.topic, { topicId })).posts.new).toBe(0);
  // On another device.
  const other = await pageOf(browser, bela, `/topics/${topicId}?sort=new`);
  await expect(other.getByRole("main").getByText(`Quinces ${word}`)).toBeVisible();
  await expect(line(other)).toHaveCount(0);
  for (const one of [page, other]) await one.context().close();
});

test("new comments have a line and a way to them @once", async ({ browser }) => {
  const postId = await post("Medlars");
  const say = (content: string) => ada.api.call(contract.comments.create, { postId, content });
  await say("Pick them late.");
  const first = await pageOf(browser, bela, `/posts/${postId}`);
  const reading = () => bela.api.call(contract.reading.thread, { postId });
  await expect.poll(async () => (await reading()).readAt).not.toBeNull();
  await expect(line(first)).toHaveCount(0);
  await first.context().close();
  await say("After the frost.");
  await say("And let them lie.");

  const page = await pageOf(browser, bela, `/posts/${postId}`);
  await expect(page.getByText(t("unread.comments", { n: 2 }))).toBeVisible();
  await expect(line(page)).toBeVisible();
  await page.getByRole("link", { name: t("unread.jump") }).click();
  await expect(page.getByRole("article").filter({ hasText: "After the frost." })).toBeFocused();
  await expect.poll(async () => (await reading()).new).toBe(0);

  // Unread again, from a comment on and from a post on.
  const pick = async (menu: string, said: string) => {
    await page.getByRole("button", { name: menu }).last().click();
    await page.getByRole("menuitem", { name: t("unread.fromHere") }).click();
    await expect(page.getByText(said).last()).toBeVisible();
  };
  const choose = async (menu: string) => {
    await page.route("**/unread", (call) => call.abort());
    await pick(menu, t("problems.network"));
    await page.unroute("**/unread");
    await pick(menu, t("unread.marked"));
  };
  await choose(t("moderate.commentTools", { name: ada.nickname }));
  await expect.poll(async () => (await reading()).new).toBe(1);
  await choose(t("moderate.tools"));
  await expect.poll(async () => (await bela.api.call(contract.reading.topic, { topicId })).posts.new).toBe(1);
  await page.context().close();
});

test("comments arrive as they are written, once, and whoever sees them has read them @once", async ({
  browser,
}) => {
  const postId = await post("Walnuts");
  const say = (content: string, parentId?: string) =>
    ada.api.call(contract.comments.create, { postId, content, parentId });
  const { comment } = await say("Green ones pickle.");
  const page = await pageOf(browser, bela, `/posts/${postId}`);
  const said = (words: string) => page.getByRole("article").filter({ hasText: words });
  await expect(said("Green ones pickle.")).toBeVisible();
  await say("Ripe ones stain.");
  await expect(said("Ripe ones stain.")).toContainText(t("unread.new"), { timeout: 10_000 });
  await say("In June, to be sure.", comment.id);
  await expect(said("In June, to be sure.")).toBeVisible();
  await expect(page.getByText(t("unread.arrived", { n: 2 }))).toBeAttached();
  await expectAccessible(page);

  await page.getByLabel(t("post.addComment"), { exact: true }).fill("My hands agree.");
  await page.getByRole("button", { name: t("post.send"), exact: true }).click();
  await expect(said("My hands agree.")).toBeFocused();
  await say("Gloves, then.");
  await expect(said("Gloves, then.")).toBeVisible();
  for (const words of ["Ripe ones stain.", "In June, to be sure.", "My hands agree.", "Gloves, then."]) {
    await expect(page.getByText(words, { exact: true })).toHaveCount(1);
  }
  const reading = () => bela.api.call(contract.reading.thread, { postId });
  await expect.poll(async () => (await reading()).new).toBe(0);
  await page.context().close();
});

test("home begins with what is new in one's own topics; the first of it is one press away @once", async ({
  browser,
}) => {
  const reader = await person(`hom_${word}`);
  const guest = await browser.newPage();
  await guest.goto("/");
  const tabs = (on: Page) => on.getByRole("navigation", { name: t("feed.sort") }).getByRole("link");
  await expect(tabs(guest).first()).toHaveText(t("feed.hot"));
  await guest.close();
  const own = await topicOf(ada, `Cellar ${word}`, [reader]);
  const page = await pageOf(browser, reader, "/");
  await expect(tabs(page).first()).toHaveText(t("feed.mine"));
  await expect(tabs(page).first()).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("heading", { name: t("away.title") })).toHaveCount(0);
  const name = `Apples ${word}`;
  await ada.api.call(contract.posts.create, { topicId: own, title: name, content: "<p>Keep.</p>" });
  await ada.api.call(contract.chat.send, { topicId: own, message: "Mind the step." });
  await page.reload();
  const away = page.getByRole("region", { name: t("away.title") });
  await expect(away.getByRole("listitem")).toHaveCount(1);
  await expect(away.getByRole("link", { name: t("away.chat", { n: 1 }) })).toBeVisible();
  await expect(page.getByRole("main").getByRole("article")).toHaveCount(1);
  await expectAccessible(page);
  await away.getByRole("link", { name: t("away.posts", { n: 1 }) }).click();
  await expect(page).toHaveURL(`/topics/${own}?sort=new`);
  await expect(page.getByRole("main").getByRole("link", { name })).toBeVisible();
  await page.context().close();
});
