import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
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
