import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { appOrigin } from "./support/installation";
import { collectProblems, expectAccessible, expectNoSideways } from "./support/page-checks";
import { browserOf } from "./support/people";
import { opened, type ReadPost, readPost } from "./support/read-post";
import { test } from "./support/test";

/** What readers and authors do with a post: shown at once, kept, and taken back and said where it fails. */

const offline = t("offline.nothingChanged");
const network = t("problems.network");

let seed: ReadPost;
test.beforeAll(async () => {
  seed = await readPost({ images: 5 });
});

/** A control with what shows that it was pressed. */
interface Act {
  readonly control: (page: Page) => Locator;
  readonly route: string;
}

const pollOption = (page: Page, name: RegExp) =>
  page.getByRole("region", { name: "What do you bake with most?" }).getByRole("button", { name });
const upvote = (page: Page, group: string | RegExp) =>
  page
    .getByRole("group", { name: group })
    .last()
    .getByRole("button", { name: t("post.upvote") });
const acts: readonly Act[] = [
  {
    control: (page) =>
      upvote(page, t("post.voteOn", { subject: "Which flour keeps longest in a damp kitchen?" })),
    route: "**/vote",
  },
  {
    // That of the reader's own comment, the last.
    control: (page) => upvote(page, new RegExp(t("post.commentBy", { name: "" }))),
    route: "**/api/comments/*/vote",
  },
  {
    control: (page) => page.getByRole("button", { name: t("post.bookmarkOf", { subject: "" }).slice(0, 8) }),
    route: "**/bookmark",
  },
  {
    control: (page) => page.getByRole("button", { name: new RegExp(`^${t("reaction.names.fire")}, `) }),
    route: "**/reactions",
  },
  { control: (page) => pollOption(page, /^Spelt:/), route: "**/poll/vote" },
];

const pressed = (control: Locator, is: boolean) =>
  expect(control).toHaveAttribute("aria-pressed", String(is));

/** Waits for what is said in passing, and clears it away. */
async function said(page: Page, text: string): Promise<void> {
  const messages = page.getByRole("region", { name: t("common.messages") });
  await expect(messages).toContainText(text);
  await messages
    .getByRole("button", { name: t("common.dismiss") })
    .first()
    .click();
  await expect(messages).toBeEmpty();
}

test("what a reader presses is shown at once, and taken back and said when it cannot be sent @once", async ({
  browser,
}) => {
  // A cut network also ends the installation of the service worker, which then reports a problem.
  const context = await browserOf(browser, seed.reader, { serviceWorkers: "block" });
  const page = await opened(context, seed.path);
  const problems = collectProblems(page);
  // Its script has never been loaded, so that is missing, too.
  for (const { control } of acts) {
    await pressed(control(page), false);
    await context.setOffline(true);
    await control(page).click();
    await said(page, offline);
    await pressed(control(page), false);
    await context.setOffline(false);
  }
  for (const { control, route } of acts) {
    let cut: () => void = () => undefined;
    const asked = new Promise<void>((done) => {
      cut = done;
    });
    await page.route(route, async (call) => {
      await asked;
      await call.abort();
    });
    await control(page).click();
    await pressed(control(page), true);
    cut();
    await said(page, network);
    await pressed(control(page), false);
    await page.unroute(route);
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.ok());
    await control(page).click();
    await pressed(control(page), true);
    await answered;
  }
  await expect(pollOption(page, /^Spelt:/)).toHaveAccessibleName("Spelt: 50%, 1 vote");
  await page.reload();
  for (const { control } of acts) await pressed(control(page), true);
  // Changed, and taken back.
  const changed = page.waitForResponse((answer) => answer.url().endsWith("/poll/vote") && answer.ok());
  await pollOption(page, /^Wheat/).click();
  await pressed(pollOption(page, /^Spelt:/), false);
  // Cut before it was answered, this vote would be the one that fails.
  await changed;
  await page.route("**/poll/vote", (call) => call.abort());
  await page.getByRole("button", { name: t("poll.takeBack") }).click();
  await said(page, network);
  await pressed(pollOption(page, /^Wheat/), true);
  await page.unroute("**/poll/vote");
  await page.getByRole("button", { name: t("poll.takeBack") }).click();
  await expect(page.getByRole("button", { name: t("poll.takeBack") })).toHaveCount(0);
  await expect(pollOption(page, /^Rye/)).toBeFocused();
  await page.getByRole("button", { name: t("reaction.add") }).click();
  await expect(page.getByRole("menuitemcheckbox", { name: t("reaction.names.thumbsUp") })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("button", { name: t("reaction.chip", { name: t("reaction.names.heart"), n: 1 }) }),
  ).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: t("reaction.add") })).toBeFocused();
  await expectNoSideways(page, 320);
  // The comment with a vote is the best and the newest one, and the last in time.
  const orders = page.getByRole("navigation", { name: t("comment.sort") });
  for (const [order, first] of [
    ["best", seed.own],
    ["old", seed.chain[0]],
    ["new", seed.own],
  ] as const) {
    await orders.getByRole("link", { name: t(`comment.sorts.${order}`) }).click();
    await expect(
      page
        .getByRole("region", { name: t("post.comments") })
        .getByRole("article")
        .first(),
    ).toHaveId(`comment-${first}`);
  }
  // The cuts of this test, and the picture that is not there.
  expect(problems.filter((problem) => !/ERR_FAILED|DISCONNECTED|gone\.png/.test(problem))).toEqual([]);
  await context.close();
});

test("interface 9: every reaction can be hit, whatever the width @once", async ({ browser }) => {
  // Without a reaction the menu's row is as narrow as its button.
  const { post } = await seed.author.api.call(contract.posts.create, {
    topicId: seed.topicId,
    title: "Nobody reacted yet",
    content: "<p>Words.</p>",
  });
  const context = await browserOf(browser, seed.reader);
  const page = await opened(context, `/posts/${post.id}`);
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.getByRole("button", { name: t("reaction.add") }).click();
    const offered = page.getByRole("menuitemcheckbox");
    await expect(offered).toHaveCount(6);
    for (const reaction of await offered.all()) {
      await expect(reaction).toBeInViewport({ ratio: 1 });
      await reaction.click({ trial: true, timeout: 5_000 });
    }
    await page.keyboard.press("Escape");
  }
  await expectNoSideways(page, 390);
  await context.close();
});

test("a comment is changed and deleted where it stands, and stays when that fails @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, seed.reader);
  const page = await opened(context, seed.path);
  const comment = page.locator(`#comment-${seed.own}`);
  const before = "Rye, in glass, with the lid shut.";
  const choose = async (name: string) => {
    await comment
      .getByRole("button", { name: t("moderate.commentTools", { name: seed.reader.nickname }) })
      .click();
    await page.getByRole("menuitem", { name }).click();
  };
  await choose(t("own.edit"));
  const field = page.getByRole("textbox", { name: t("comment.editLabel") });
  await expect(field).toBeFocused();
  await field.fill("Rye, in tins.");
  await context.setOffline(true);
  await page.keyboard.press("Control+Enter");
  await expect(comment.getByRole("alert")).toHaveText(offline);
  await expect(field).toHaveValue("Rye, in tins.");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(comment).toContainText(before);
  await expect(comment).toBeFocused();
  await context.setOffline(false);

  await choose(t("own.edit"));
  await field.fill("Rye, in jars.");
  let cut: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    cut = done;
  });
  await page.route("**/api/comments/*", async (call) => {
    await asked;
    await call.abort();
  });
  await comment.getByRole("button", { name: t("common.save") }).click();
  await expect(comment).toContainText("Rye, in jars.");
  await expect(field).toHaveCount(0);
  cut();
  await expect(comment.getByRole("alert")).toHaveText(network);
  await page.unroute("**/api/comments/*");
  await comment.getByRole("button", { name: t("common.save") }).click();
  await said(page, t("comment.saved"));
  await expect(comment).toContainText(t("post.edited"));

  await choose(t("common.delete"));
  const dialog = page.getByRole("dialog");
  // Its script is loaded with the first use.
  await expect(dialog).toBeVisible();
  await context.setOffline(true);
  await dialog.getByRole("button", { name: t("common.delete") }).click();
  await expect(dialog.getByRole("alert")).toContainText(offline);
  await context.setOffline(false);
  await dialog.getByRole("button", { name: t("common.cancel") }).click();
  await expect(
    comment.getByRole("button", { name: t("moderate.commentTools", { name: seed.reader.nickname }) }),
  ).toBeFocused();
  await expect(comment).toContainText("Rye, in jars.");
  await choose(t("common.delete"));
  await dialog.getByRole("button", { name: t("common.delete") }).click();
  await expect(comment).toContainText(t("post.commentDeleted"));
  await expect(comment).toBeFocused();
  await said(page, t("moderate.removed"));
  await page.reload();
  await expect(comment).toContainText(t("post.commentDeleted"));
  await context.close();
});

test("a comment shows its Markdown and nothing else, and what is selected in it is quoted @once", async ({
  browser,
}) => {
  const { comment } = await seed.author.api.call(contract.comments.create, {
    postId: seed.postId,
    content:
      "**Rye**, see https://flour.example/rye, or `stir()`.\n\n> As I said\n\n<b>no</b> [x](javascript:alert)",
  });
  const context = await browserOf(browser, seed.reader);
  const page = await opened(context, `${seed.path}?comment=${comment.id}`);
  const shown = page.locator(`#comment-${comment.id}`);
  const text = shown.locator(".prose-comment");
  await expect(text.locator("strong")).toHaveText("Rye");
  await expect(text.locator("code")).toHaveText("stir()");
  await expect(text.locator("blockquote")).toHaveText("As I said");
  const link = text.getByRole("link");
  await expect(link).toHaveText(["https://flour.example/rye"]);
  await expect(link).toHaveAttribute("rel", /nofollow ugc/);
  await expect(text).toContainText("<b>no</b> [x](javascript:alert)");

  await text.locator("strong").selectText();
  await shown
    .getByRole("button", { name: t("moderate.commentTools", { name: seed.author.nickname }) })
    .click();
  await page.getByRole("menuitem", { name: t("post.quote") }).click();
  const field = page.getByRole("textbox", { name: t("post.replyTo", { name: seed.author.nickname }) });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("> Rye\n\n");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Yes.");
  await expectAccessible(page);
  await page.keyboard.press("Control+Enter");
  const reply = page.getByRole("article", {
    name: t("post.replyBy", { name: seed.reader.nickname, level: 2 }),
  });
  await expect(reply.filter({ hasText: "Yes." }).locator("blockquote")).toHaveText("Rye");
  await context.close();
});

test("a comment stands among the others while it is sent, and comes back into the field when it is refused @once", async ({
  browser,
}) => {
  const context = await browserOf(browser, seed.reader);
  const page = await opened(context, seed.path);
  const field = page.getByRole("textbox", { name: t("post.addComment") });
  const shown = page.getByRole("article").filter({ hasText: "Spelt, in paper." }).last();
  let refuse: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    refuse = done;
  });
  await page.route("**/api/posts/*/comments", async (call) => {
    await asked;
    await call.fulfill({ status: 403, json: { error: "You are muted.", code: "muted", requestId: "r" } });
  });
  await field.fill("Spelt, in paper.");
  await page.keyboard.press("Control+Enter");
  await expect(shown).toContainText(t("common.sending"));
  await expect(field).toHaveValue("");
  refuse();
  await expect(page.getByRole("alert").filter({ hasText: "You are muted." })).toBeVisible();
  await expect(field).toHaveValue("Spelt, in paper.");
  await expect(page.getByText(t("common.sending"))).toHaveCount(0);
  await page.unroute("**/api/posts/*/comments");
  await page.getByRole("button", { name: t("post.send") }).click();
  await expect(shown).toBeFocused();
  await expect(field).toHaveValue("");
  await context.close();
});

test("who may not act is told how they may, and sees the results all the same @once", async ({ browser }) => {
  const guest = await browser.newContext({ baseURL: appOrigin, reducedMotion: "reduce" });
  const page = await opened(guest, seed.path);
  const messages = (on: Page) => on.getByRole("region", { name: t("common.messages") });
  await page
    .getByRole("button", { name: t("post.upvote") })
    .first()
    .click();
  await expect(messages(page)).toContainText(t("post.signInToComment"));
  await expect(messages(page).getByRole("link", { name: t("nav.signIn") })).toHaveAttribute(
    "href",
    `/sign-in?next=${encodeURIComponent(seed.path)}`,
  );
  const poll = page.getByRole("region", { name: "What do you bake with most?" });
  await expect(poll.getByText(/^Rye: \d+%/)).toBeAttached();
  await expect(poll.getByRole("button")).toHaveCount(0);
  await expect(poll.getByRole("link", { name: t("poll.signIn") })).toHaveAttribute(
    "href",
    `/topics/${seed.topicId}/join`,
  );
  await expectAccessible(page);
  await guest.close();

  const outside = await browserOf(browser, seed.outsider);
  const other = await opened(outside, seed.path);
  await other.getByRole("button", { name: new RegExp(`^${t("reaction.names.fire")}, `) }).click();
  await expect(messages(other)).toContainText(t("post.joinToComment"));
  await expect(messages(other).getByRole("link", { name: t("common.joinTopic") })).toHaveAttribute(
    "href",
    `/topics/${seed.topicId}/join`,
  );
  await pressed(other.getByRole("button", { name: new RegExp(`^${t("reaction.names.fire")}, `) }), false);
  await expect(other.getByRole("link", { name: t("poll.join") })).toBeVisible();
  await outside.close();
});

test("an author finds editing and deleting in the menu beside their post @once", async ({ browser }) => {
  const own = await readPost({ images: 0 });
  const context = await browserOf(browser, own.author);
  const page = await opened(context, own.path);
  await page.getByRole("button", { name: t("moderate.tools") }).click();
  await expect(page.getByRole("menuitem", { name: t("own.edit") })).toHaveAttribute(
    "href",
    `${own.path}/edit`,
  );
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: t("common.delete") }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: t("common.delete") });
  await page.route(`**/api${own.path}`, (call) => call.abort());
  await confirm.click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText(network);
  await page.unroute(`**/api${own.path}`);
  await confirm.click();
  await expect(page).toHaveURL(`/topics/${own.topicId}`);
  await expect(page.getByText(t("own.deleted"))).toBeVisible();
  await expect(page.getByRole("heading", { name: "Which flour keeps longest" })).toHaveCount(0);
  await context.close();
});
