import { expect, type Page, type Route } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { answer, body, bring, button, members, pictures, png, post, title } from "./support/composer";
import { uniqueWord } from "./support/installation";
import { collectProblems, expectAccessible, expectNoSideways, expectTouchable } from "./support/page-checks";
import { browserOf, type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** Writing: everything a post may have, what is kept of it, and what becomes of it without a network. */

const word = uniqueWord();
let ada: Person;
let bela: Person;
let topicId: string;
let postId: string;

test.beforeAll(async () => {
  ada = await person(`ada_${word}`);
  bela = await person(`bela_${word}`);
  topicId = await topicOf(ada, `Writing room ${word}`, [bela]);
  const { post } = await ada.api.call(contract.posts.create, {
    topicId,
    title: "Known tags",
    content: "<p>Tags.</p>",
    tags: [`lantern ${word}`],
  });
  postId = post.id;
});

/** Holds uploads back until each is let go. */
async function holdUploads(page: Page): Promise<() => Promise<Route>> {
  const waiting: Route[] = [];
  await page.route("**/api/upload", async (route) => {
    if (route.request().method() === "POST") waiting.push(route);
    else await route.continue();
  });
  return async () => {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    const route = waiting.shift();
    if (!route) throw new Error("no upload waits");
    return route;
  };
}

test("a post with everything: pictures, a name, tags, a poll, a video, kept over a reload", async ({
  browser,
}) => {
  const page = await pageOf(browser, ada, `/topics/${topicId}/new`);
  const problems = collectProblems(page);
  await title(page).fill("What the harbour taught me");
  await body(page).click();

  // A name, by keyboard.
  await page.keyboard.type(`Ask @${bela.nickname.slice(0, 6)}`);
  const option = members(page).getByRole("option", { name: `@${bela.nickname}` });
  await expect(option).toHaveAttribute("aria-selected", "true");
  await expect(body(page)).toHaveAttribute("aria-activedescendant", (await option.getAttribute("id")) ?? "");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(members(page)).toHaveCount(0);
  await page.keyboard.press("Backspace");
  await page.keyboard.type(" @be");
  await expect(option).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type("about it.");
  await expect(body(page)).toContainText(`@${bela.nickname} about it.`);
  await page.keyboard.press("Enter");

  // A picture that is pasted: shown at once, its first upload fails, the second arrives.
  const next = await holdUploads(page);
  await bring(page, "paste", { png: await png("#24527a") });
  const [first, second] = [pictures(page).nth(0), pictures(page).nth(1)];
  await expect(first.locator("img")).toHaveAttribute("src", /^blob:/);
  await expect(first.getByRole("progressbar")).toBeVisible();
  const asked = await next();
  // The app is asked for an address; it does not get the file.
  expect(asked.request().postDataJSON()).toMatchObject({ contentType: "image/png", purpose: "post" });
  await asked.abort();
  await expect(first.getByRole("alert")).toHaveText(t("problems.network"));
  await button(first, t("common.sendAgain")).click();
  await (await next()).continue();
  await expect(first.getByRole("progressbar")).toHaveCount(0);
  await first.getByLabel(t("composer.alt"), { exact: true }).fill("The pier at night");

  // One that is dropped, and is only decoration.
  await bring(page, "drop", { png: await png("#b3311a") });
  await second.getByRole("checkbox").check();
  await (await next()).continue();
  await expect(second.getByRole("progressbar")).toHaveCount(0);
  await page.unroute("**/api/upload");

  // Tags: one that is known, one of one's own, one too many taken back.
  const tags = page.getByRole("combobox", { name: t("post.tags") });
  await tags.fill("lant");
  const known = page.getByRole("option", { name: "#lantern" });
  await expect(known.first()).toBeVisible();
  await expectAccessible(page);
  await tags.press("ArrowDown");
  await tags.press("Enter");
  await tags.pressSequentially("piers,nothing,");
  await tags.press("Backspace");
  const chosen = page.getByRole("list", { name: t("picker.chosen") }).getByRole("button");
  await expect(chosen).toHaveText([/^#lantern/, "#piers"]);

  // A poll with three answers, and a video.
  await button(page, t("composer.addPoll")).click();
  const poll = page.getByRole("group", { name: t("post.poll") });
  await poll.getByLabel(t("composer.pollQuestion")).fill("Which pier?");
  await answer(poll, 1).fill("The old one");
  await button(poll, t("composer.pollOptionAdd")).click();
  await answer(poll, 3).fill("The new one");
  await button(page, t("composer.addVideo")).click();
  await page.getByLabel(t("composer.videoAddress")).fill("https://example.com/film");
  await page.keyboard.press("Enter");
  await expect(page.getByText(t("composer.videoWrong"))).toBeVisible();
  await page.getByLabel(t("composer.videoAddress")).fill("https://vimeo.com/1084537");
  await page.keyboard.press("Enter");
  const cards = page.getByRole("list", { name: t("composer.attached") }).getByRole("listitem");
  await expect(cards).toHaveCount(1);
  await expectAccessible(page);
  if (test.info().project.use.hasTouch) await expectTouchable(page);
  await expectNoSideways(page, 320);

  // Everything is there after a reload.
  await page.reload();
  await expect(page.getByText(t("composer.draftRestored"))).toBeVisible();
  await expect(title(page)).toHaveValue("What the harbour taught me");
  await expect(first.getByLabel(t("composer.alt"), { exact: true })).toHaveValue("The pier at night");
  await expect(second.getByRole("checkbox")).toBeChecked();
  await expect(chosen).toHaveCount(2);
  await expect(cards).toHaveCount(1);
  await expect(answer(poll, 3)).toHaveValue("The new one");

  await post(page);
  await expect(page).toHaveURL(/\/posts\//);
  const postId = page.url().split("/").at(-1) ?? "";
  const { post: made } = await bela.api.call(contract.posts.get, { postId });
  expect(made.mentions).toMatchObject([{ userId: bela.userId }]);
  expect(made.media.videos).toEqual(["https://vimeo.com/1084537"]);
  expect(made.tags.map(({ name }) => name)).toEqual([expect.stringMatching(/^lantern/), "piers"]);
  expect(made.poll?.options.map(({ text }) => text)).toEqual(["The old one", "The new one"]);
  expect(made.content.match(/<img [^>]*>/g)).toEqual([
    expect.stringMatching(/src="\/uploads\/[^"]+" alt="The pier at night" width="640" height="360"/),
    expect.stringMatching(/src="\/uploads\/[^"]+" alt="" width="640" height="360"/),
  ]);
  await expect(page.getByAltText("The pier at night")).toBeVisible();

  // A comment that was begun is kept, too.
  const comment = page.getByLabel(t("post.addComment"), { exact: true });
  await comment.fill("Half a thought");
  await page.reload();
  await expect(comment).toHaveValue("Half a thought");
  expect(problems.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  await page.context().close();
});

test("what is missing is said, what is discarded comes back, and two tabs do not overwrite each other @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, bela);
  const page = await context.newPage();
  await page.goto(`/topics/${topicId}/new`);
  await body(page).click();
  await page.keyboard.type("By the ");
  await page.keyboard.press("Control+k");
  const link = page.getByRole("group", { name: t("composer.link") });
  await link.getByLabel(t("composer.linkAddress")).fill("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await expect(link.getByRole("alert")).toHaveText(t("composer.linkWrong"));
  await link.getByLabel(t("composer.linkAddress")).fill("example.org/pier");
  await page.keyboard.press("Enter");
  await expect(body(page).locator('a[href="https://example.org/pier"]')).toBeVisible();
  await page.keyboard.press("Enter");

  // The address of a video on a line of its own; pictures that came inside of pasted HTML.
  await bring(page, "paste", { text: "https://youtu.be/aqz-KE-bpKQ" });
  await expect(page.getByRole("list", { name: t("composer.attached") })).toContainText("YouTube");
  const data = `data:image/png;base64,${await png("#2f6b3c")}`;
  const html = `<p>From elsewhere</p><img src="${data}"><img src="file:///c:/x.png">`;
  await bring(page, "paste", { html, text: "From elsewhere" });
  await expect(pictures(page)).toHaveCount(1);
  await expect(page.getByText(t("composer.picturesLost", { n: 1 }))).toBeVisible();
  await expect(pictures(page).getByRole("progressbar")).toHaveCount(0);

  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(t("composer.emptyTitle"))).toBeVisible();
  await title(page).fill("Half a thought");
  await post(page);
  await expect(page.getByText(t("composer.undescribedTitle", { n: 1 }))).toBeVisible();

  // Discarded and taken back, then seen from another tab.
  await button(page, t("composer.discard")).click();
  await expect(title(page)).toHaveValue("");
  await button(page, t("composer.discardUndo")).click();
  await expect(title(page)).toHaveValue("Half a thought");
  await expect(pictures(page)).toHaveCount(1);
  const other = await context.newPage();
  await other.goto(`/topics/${topicId}/new`);
  await expect(title(other)).toHaveValue("Half a thought");
  await title(other).fill("Another thought");
  await expect(page.getByText(t("composer.elsewhereTitle"))).toBeVisible();
  await title(page).fill("Half a thought, and more");
  await button(page, t("composer.elsewhereMine")).click();
  await expect(other.getByText(t("composer.elsewhereTitle"))).toBeVisible();
  await button(other, t("composer.elsewhereTheirs")).click();
  await expect(title(other)).toHaveValue("Half a thought, and more");
  await other.close();

  // Thrown away for good, its picture goes from the server, too; that it cannot is nobody's trouble.
  await page.route("**/api/upload", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.continue(),
  );
  const gone = page.waitForEvent("requestfailed", (request) => request.method() === "DELETE");
  await button(page, t("composer.discard")).first().click();
  await title(page).fill("Something else");
  expect((await gone).postDataJSON()).toMatchObject({ urls: [expect.stringContaining("/uploads/")] });
  await expect(page.getByRole("main").getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
  await expect(title(page)).toHaveValue("Something else");
  await page.unroute("**/api/upload");

  // Without a network: pictures say so and go when it is back, nobody is offered, words wait to be sent.
  await body(page).click();
  await page.keyboard.type("Sent later.");
  await context.setOffline(true);
  await bring(page, "paste", { png: await png("#8a5a00") });
  await expect(pictures(page).getByRole("alert")).toHaveText(t("composer.pictureOffline"));
  const asked = page.waitForEvent("requestfailed", (request) => request.url().includes("/members?"));
  await page.keyboard.type("@be");
  await asked;
  await expect(members(page)).toHaveCount(0);
  await page.getByRole("checkbox", { name: t("composer.altDecorativeChoice") }).check();
  await post(page);
  await expect(page.getByText(t("composer.pictureNotSent"))).toBeVisible();
  await context.setOffline(false);
  await expect(pictures(page).getByRole("alert")).toHaveCount(0);
  const path = `**/api/topics/${topicId}/posts`;
  await page.route(path, (route) => route.abort());
  await post(page);
  await expect(page.getByText(t("offline.kept"))).toBeVisible();
  await page.unroute(path);
  await page.reload();
  await expect
    .poll(async () => {
      const { posts } = await ada.api.call(contract.posts.list, { topicId, sort: "new" });
      return posts.filter((one) => one.title === "Something else").length;
    })
    .toBe(1);
  await context.close();
});

test("an author changes a post; failing keeps the text, leaving asks, votes freeze the poll", async ({
  browser,
}) => {
  const { post: made } = await ada.api.call(contract.posts.create, {
    topicId,
    title: "Before",
    content: '<p>Old <strong>words</strong></p><img src="https://example.com/a.png" alt="A pier" />',
    tags: ["before"],
    poll: { question: "Tea?", options: ["Yes", "No"] },
  });
  const optionIds = [made.poll?.options[0]?.id ?? ""];
  await bela.api.call(contract.posts.votePoll, { postId: made.id, optionIds });
  const path = `/posts/${made.id}/edit`;
  const foreign = await pageOf(browser, bela, path);
  await expect(foreign.getByText(t("composer.notYours"))).toBeVisible();
  await expect(foreign.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await foreign.context().close();

  const page = await pageOf(browser, ada, path);
  const save = button(page, t("common.saveChanges"));
  await expect(title(page)).toHaveValue("Before");
  await expect(pictures(page).getByLabel(t("composer.alt"), { exact: true })).toHaveValue("A pier");
  await expect(answer(page, 1)).toBeDisabled();
  await expect(save).toBeDisabled();
  await title(page).fill("After");
  await page.getByLabel(t("composer.pollQuestion")).fill("Coffee?");

  // Whoever writes on a phone has no bar with Home in it.
  await page
    .getByRole("link", { name: t("nav.home") })
    .or(page.getByRole("link", { name: t("common.back") }))
    .filter({ visible: true })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: t("composer.leaveTitle") });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await button(dialog, t("composer.stay")).click();

  const refused = { error: "Somebody voted meanwhile.", code: "poll_frozen", requestId: "r" };
  await page.route(`**/api/posts/${made.id}`, (route) => route.fulfill({ status: 409, json: refused }));
  await save.click();
  const poll = page.getByRole("group", { name: t("post.poll") });
  await expect(poll.getByRole("alert").filter({ hasText: refused.error })).toBeVisible();
  await page.unroute(`**/api/posts/${made.id}`);
  await page.context().setOffline(true);
  await save.click();
  await expect(page.getByText(t("offline.nothingChanged"))).toBeVisible();
  await expect(title(page)).toHaveValue("After");
  await page.context().setOffline(false);
  await save.click();
  await expect(page.getByRole("heading", { name: "After", level: 1 })).toBeVisible();
  const { post: changed } = await bela.api.call(contract.posts.get, { postId: made.id });
  // Words that nobody touched keep their bytes.
  expect(changed).toMatchObject({ title: "After", content: made.content, tags: made.tags });
  expect(changed.poll).toMatchObject({ question: "Coffee?", totalVotes: 1 });
  await page.context().close();
});

test("names are completed in comments and in the chat, too @once", async ({ browser }) => {
  const page = await pageOf(browser, ada, `/topics/${topicId}/chat`);
  const field = page.getByRole("textbox", { name: t("chat.field") });
  await field.pressSequentially("Hello @be");
  await expect(members(page).getByRole("option")).toHaveText([`@${bela.nickname}`]);
  await expectAccessible(page);
  await field.press("Tab");
  await expect(field).toHaveValue(`Hello @${bela.nickname} `);

  await page.goto(`/posts/${postId}`);
  const comment = page.getByRole("textbox", { name: t("post.addComment") });
  await comment.pressSequentially("Ask @be");
  await expect(members(page).getByRole("option")).toHaveText([`@${bela.nickname}`]);
  await comment.press("Enter");
  await expect(comment).toHaveValue(`Ask @${bela.nickname} `);
  await page.context().close();
});
