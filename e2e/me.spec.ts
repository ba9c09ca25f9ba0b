import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { apiClient } from "@/scripts/stack/member";
import { deployment, uniqueWord } from "./support/installation";
import { tabTo } from "./support/keys";
import { collectProblems, expectAccessible } from "./support/page-checks";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** A member's own pages: what they keep, how they look, where they are signed in, and the way out. */

const word = uniqueWord();
const title = `What is worth keeping ${word}`;
const own = `What I wrote myself ${word}`;
let ada: Person;
let bela: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  topicId = await topicOf(ada, `Keepers ${word}`, [bela]);
  const { post } = await ada.api.call(contract.posts.create, { topicId, title, content: "<p>This.</p>" });
  await bela.api.call(contract.posts.create, { topicId, title: own, content: "<p>That.</p>" });
  await bela.api.call(contract.posts.vote, { postId: post.id, value: 1 });
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, text: string) => page.getByText(text, { exact: true });
const cut = (page: Page, address: string) => page.route(address, (route) => route.abort());

test("a post is kept from its row; one's own lists lead to each other", async ({ browser }) => {
  const page = await pageOf(browser, bela, `/topics/${topicId}`);
  const ribbon = button(page, t("post.bookmarkOf", { subject: title }));
  const call = "**/api/posts/*/bookmark";
  const answer = page.waitForResponse(call);
  await ribbon.click();
  await expect(ribbon).toHaveAttribute("aria-pressed", "true");
  await answer;
  await page.goto("/bookmarks");
  const main = page.getByRole("main");
  const shown = main.getByRole("article").getByRole("heading");
  await expect(shown).toHaveText([title]);
  await expect(ribbon).toHaveAttribute("aria-pressed", "true");
  const tab = (name: string) =>
    main.getByRole("navigation", { name: t("me.tabs") }).getByRole("link", { name, exact: true });
  await tab(t("me.lists.likes")).click();
  await expect(page).toHaveURL("/likes");
  await expect(shown).toHaveText([title]);
  await tab(t("me.lists.posts")).click();
  await expect(page).toHaveURL("/my/posts");
  await expect(shown).toHaveText([own]);
  await tab(t("me.lists.records")).click();
  await expect(page.getByRole("heading", { name: t("record.emptyTitle") })).toBeVisible();

  // The same again lets it go.
  await page.goto("/bookmarks");
  const second = page.waitForResponse(call);
  await ribbon.click();
  await second;
  await page.reload();
  await expect(page.getByRole("heading", { name: t("me.empty.bookmarks") })).toBeVisible();
  await page.context().close();
});

/** Red on the left, blue on the right. */
function twoColours(): Promise<Buffer> {
  const plain = (background: string, width: number) => ({
    create: { width, height: 200, channels: 3 as const, background },
  });
  return sharp(plain("#ff0000", 400))
    .composite([{ input: plain("#0000ff", 200), left: 200, top: 0 }])
    .png()
    .toBuffer();
}

test("a picture is cut by keys, uploaded, and taken away again", { tag: "@once" }, async ({ browser }) => {
  const page = await pageOf(browser, ada, "/profile");
  const problems = collectProblems(page);
  const file = page.locator("input[type=file]");
  const dialog = page.getByRole("dialog", { name: t("picture.cropTitle") });
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(dialog.getByRole("alert")).toHaveText(t("picture.notAPicture"));
  await button(page, t("common.cancel")).click();

  await file.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: await twoColours() });
  const area = dialog.getByRole("application", { name: t("picture.area") });
  await area.focus();
  // The picture goes right until its left edge is in the window.
  for (let press = 0; press < 20; press++) await page.keyboard.press("ArrowRight");
  await expectAccessible(page);
  await cut(page, "**/api/upload");
  await button(page, t("picture.use")).click();
  await expect(dialog.getByRole("alert")).toHaveText(t("problems.network"));
  await page.unroute("**/api/upload");
  await button(page, t("picture.again")).click();
  await expect(said(page, t("picture.saved"))).toBeVisible();
  await expect(dialog).toBeHidden();

  const picture = page.getByRole("main").getByRole("img", { name: t("picture.yours") });
  const address = (await picture.getAttribute("src")) ?? "";
  await expect(page.locator(`header img[src="${address}"]`)).toBeVisible();
  const { data, info } = await sharp(await (await page.request.get(address)).body())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([200, 200]);
  const rightEdge = 3 * (100 * info.width + 190);
  expect(data[rightEdge]).toBeGreaterThan(200);
  expect(data[rightEdge + 2]).toBeLessThan(60);

  await button(page, t("common.removePicture")).click();
  await expect(said(page, t("picture.removed"))).toBeVisible();
  await expect(page.locator(`img[src="${address}"]`)).toHaveCount(0);
  // The cut network is meant; what fetches the file's address is Playwright's recorder, which the policy refuses.
  expect(problems.filter((one) => !/ERR_FAILED|Connecting to 'blob:/.test(one))).toEqual([]);
  await page.context().close();
});

test("settings need no mouse: theme, language, sessions, signing out", { tag: "@once" }, async ({
  browser,
}) => {
  const name = `cleo_${word}`;
  const [cleo, second, third] = [await person(name), await person(name), await person(name)];
  // The worker takes the page over at a moment of its own, and what it fetches is not what the test holds back.
  const context = await browserOf(browser, cleo, { serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto("/settings");
  const html = page.locator("html");
  await tabTo(page, page.getByRole("radio", { name: t("settings.themes.system") }));
  await page.keyboard.press("ArrowDown");
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.keyboard.press("ArrowDown");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await tabTo(page, page.getByRole("radio", { name: t("settings.densities.comfortable") }));
  await page.keyboard.press("ArrowDown");
  await expect(html).toHaveAttribute("data-density", "compact");

  const language = page.getByRole("combobox", { name: t("settings.language") });
  await tabTo(page, language);
  // The page in the new language is on its way until a session has ended, and still lists it.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = "**/settings?_rsc=*";
  await page.route(held, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  const asked = page.waitForRequest(held);
  await page.keyboard.press("ArrowDown");
  await asked;
  await expect(language).toHaveValue("en");
  await expect(language).toHaveAttribute("aria-busy", "true");
  const cookies = await context.cookies();
  expect(cookies.find((cookie) => cookie.name === "parley-language")?.value).toBe("en");

  const list = page.getByRole("list", { name: t("settings.sessions") });
  const rows = list.getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: t("common.thisDevice") })).toHaveCount(1);
  const end = list.getByRole("button", { name: t("settings.endOne", { label: "node" }) });
  await tabTo(page, end.first());
  await page.keyboard.press("Enter");
  await expect(said(page, t("settings.endedOne", { label: "node" }))).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(list).toBeFocused();
  await expect(language).toHaveAttribute("aria-busy", "true");
  release();
  await expect(language).not.toHaveAttribute("aria-busy");
  await expect(rows).toHaveCount(2);

  await tabTo(page, button(page, t("settings.endAll")));
  await page.keyboard.press("Enter");
  await tabTo(
    page,
    page.getByRole("dialog").getByRole("button", { name: t("settings.endAll"), exact: true }),
  );
  // The list is shorter before the server has answered.
  const ended = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await page.keyboard.press("Enter");
  await expect(said(page, t("settings.onlyOne"))).toBeVisible();
  expect((await ended).status()).toBe(200);
  for (const { api } of [second, third]) {
    expect(await api.call(contract.auth.session, {}).catch((error: unknown) => error)).toMatchObject({
      status: 401,
    });
  }

  await tabTo(page, button(page, t("profile.signOut")));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  expect(await cleo.api.call(contract.auth.session, {}).catch((error: unknown) => error)).toMatchObject({
    status: 401,
  });
  await context.close();
});

test("a language is not chosen offline, and says so", { tag: "@once" }, async ({ browser }) => {
  const page = await pageOf(browser, ada, "/settings");
  const language = page.getByRole("combobox", { name: t("settings.language") });
  await language.focus();
  await page.context().setOffline(true);
  await page.keyboard.press("ArrowDown");
  await expect(said(page, t("settings.languageOffline"))).toBeVisible();
  await expect(language).toHaveValue("");
  await page.context().close();
});

test("an account ends when nothing of its own is left behind, and its name goes", { tag: "@once" }, async ({
  browser,
}) => {
  const dora = await person(`dora_${word}`);
  await dora.api.call(contract.topics.join, { topicId });
  const { post } = await dora.api.call(contract.posts.create, {
    topicId,
    title: `What stays ${word}`,
    content: "<p>These words.</p>",
  });
  const page = await pageOf(browser, dora, "/settings");
  await page.evaluate(() => {
    localStorage.setItem("parley.draft.somewhere", "{}");
    localStorage.setItem("parley.payment.of-money", "{}");
  });
  const dialog = page.getByRole("dialog", { name: t("settings.deleteTitle") });
  const typed = dialog.getByLabel(t("settings.typeName", { name: dora.nickname }));
  const go = dialog.getByRole("button", { name: t("settings.deleteForGood") });

  // She becomes the owner of a topic while this page is open.
  const burden = await topicOf(dora, `A burden ${word}`, []);
  await button(page, t("settings.delete")).click();
  await typed.fill(dora.nickname);
  await go.click();
  const link = page.getByRole("main").getByRole("link", { name: `A burden ${word}` });
  await expect(link).toHaveAttribute("href", `/topics/${burden}/members`);
  await page.reload();
  await expect(link).toBeVisible();
  await expect(button(page, t("settings.delete"))).toHaveCount(0);

  await dora.api.call(contract.topics.delete, { topicId: burden });
  await page.reload();
  await button(page, t("settings.delete")).click();
  await typed.fill("somebody");
  await go.click();
  await expect(dialog.getByText(t("settings.typeNameWrong"))).toBeVisible();
  await typed.fill(dora.nickname);
  await go.click();
  await expect(page).toHaveURL("/");
  await expect(said(page, t("settings.deleted"))).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["parley.payment.of-money"]);
  await page.goto(`/posts/${post.id}`);
  await expect(page.getByRole("article").first()).toContainText(t("common.withdrawn"));
  await expect(page.getByText(dora.nickname)).toHaveCount(0);
  await page.context().close();
});

test("a new member takes a nickname, is welcomed, and may skip it", async ({ browser }) => {
  const { userId, nickname, token } = await apiClient(deployment).call(contract.auth.devLogin, {});
  const nobody: Person = { userId, nickname, token, api: apiClient(deployment, token) };
  const page = await (await browserOf(browser, nobody)).newPage();
  await page.goto("/profile?next=/");
  const field = page.getByLabel(t("profile.chooseTitle"));
  await field.fill(`e_${word}_${test.info().project.name}`.slice(0, 20));
  await button(page, t("profile.keep")).click();
  await expect(page).toHaveURL("/welcome");
  await expect(page.getByRole("heading", { name: /^Welcome, e_/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: t("welcome.topicsTitle") })).toBeVisible();
  await expect(page.getByRole("heading", { name: t("push.title") })).toBeVisible();
  await page.getByRole("link", { name: t("welcome.skip"), exact: true }).click();
  await expect(page).toHaveURL("/");
  await page.context().close();
});
