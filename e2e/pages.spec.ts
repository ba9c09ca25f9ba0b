import { expect, type Locator, type Page, test } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { appOrigin } from "./support/installation";
import { collectProblems, expectAccessible, expectContrast, expectNoSideways } from "./support/page-checks";
import { HARD_WORDS, type Seed, seedPages } from "./support/seed";

/** Every screen: usable by everybody, on small phones, in both themes, and without complaints of the browser. */

interface Screen {
  readonly name: string;
  readonly path: (seed: Seed) => string;
  readonly member?: true;
  /** There once the screen is complete. */
  readonly ready: (page: Page) => Locator;
  /** What the browser says about an answer that is meant to be an error. */
  readonly expected?: RegExp;
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name }).first();
const button = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true });
const continueButton = (page: Page) =>
  page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) });

const screens: readonly Screen[] = [
  { name: "home of a guest", path: () => "/", ready: heading(HARD_WORDS.post) },
  { name: "home of a member", path: () => "/?view=my", member: true, ready: heading(HARD_WORDS.post) },
  { name: "explore", path: () => "/topics", ready: heading(HARD_WORDS.topic) },
  { name: "topic", path: (s) => `/topics/${s.openTopic}`, member: true, ready: heading(HARD_WORDS.post) },
  {
    name: "about a topic",
    path: (s) => `/topics/${s.openTopic}?tab=about`,
    ready: heading(HARD_WORDS.topic),
  },
  {
    name: "gate",
    path: (s) => `/topics/${s.gatedTopic}`,
    ready: (page) => page.getByRole("link", { name: t("topic.prove") }).first(),
  },
  { name: "join", path: (s) => `/topics/${s.gatedTopic}/join`, member: true, ready: continueButton },
  { name: "post of a guest", path: (s) => `/posts/${s.post}`, ready: heading(HARD_WORDS.post) },
  { name: "post of a member", path: (s) => `/posts/${s.post}`, member: true, ready: button(t("post.send")) },
  {
    name: "chat",
    path: (s) => `/topics/${s.openTopic}/chat`,
    member: true,
    ready: (page) => page.getByText(t("chat.states.live"), { exact: true }),
  },
  {
    name: "chat for a guest",
    path: (s) => `/topics/${s.openTopic}/chat`,
    ready: heading(t("chat.outsiderTitle")),
  },
  {
    name: "members",
    path: (s) => `/topics/${s.openTopic}/members`,
    member: true,
    ready: heading(t("members.title")),
  },
  {
    name: "who is banned",
    path: (s) => `/topics/${s.desk}/members?show=sanctioned`,
    member: true,
    ready: (page) => page.getByRole("button", { name: t("staff.unban") }),
  },
  {
    name: "requests",
    path: (s) => `/topics/${s.desk}/requests`,
    member: true,
    ready: (page) => page.getByText(t("requests.noGate")),
  },
  {
    name: "reports",
    path: (s) => `/topics/${s.desk}/reports`,
    member: true,
    ready: button(t("reports.dismiss")),
  },
  {
    name: "log",
    path: (s) => `/topics/${s.desk}/log`,
    member: true,
    ready: (page) => page.getByText(t("log.lead")),
  },
  {
    name: "invites",
    path: (s) => `/topics/${s.desk}/invites`,
    member: true,
    ready: button(t("invites.create")),
  },
  {
    name: "edit topic",
    path: (s) => `/topics/${s.desk}/edit`,
    member: true,
    ready: button(t("editTopic.save")),
  },
  { name: "search", path: () => "/search?q=Llanfair", ready: heading(HARD_WORDS.post) },
  { name: "sign-in", path: () => "/sign-in", ready: continueButton },
  {
    name: "provider's answer gone astray",
    path: () => "/auth/callback",
    ready: (p) => p.getByText(t("signIn.lost")),
  },
  { name: "new topic", path: () => "/topics/new", member: true, ready: button(t("newTopic.create")) },
  {
    name: "composer",
    path: (s) => `/topics/${s.openTopic}/new`,
    member: true,
    ready: (page) => page.getByRole("toolbar", { name: t("composer.toolbar") }),
  },
  { name: "where to write", path: () => "/write", member: true, ready: heading(t("profile.writeTitle")) },
  {
    name: "alerts",
    path: () => "/alerts",
    member: true,
    ready: (page) =>
      page.getByRole("button", { name: t("push.turnOn") }).or(page.getByText(t("push.blocked"))),
  },
  { name: "alerts for a guest", path: () => "/alerts", ready: heading(t("alerts.guestTitle")) },
  {
    name: "my records",
    path: () => "/profile/records",
    member: true,
    ready: heading(t("record.emptyTitle")),
  },
  { name: "profile", path: () => "/profile", member: true, ready: button(t("profile.signOut")) },
  {
    name: "settings",
    path: () => "/settings",
    member: true,
    ready: (page) =>
      page.getByRole("button", { name: t("push.turnOn") }).or(page.getByText(t("push.blocked"))),
  },
  {
    name: "bookmarks, none yet",
    path: () => "/bookmarks",
    member: true,
    ready: heading(t("me.empty.bookmarks")),
  },
  { name: "my posts", path: () => "/my/posts", member: true, ready: heading(HARD_WORDS.post) },
  { name: "welcome", path: () => "/welcome", member: true, ready: heading(t("welcome.topicsTitle")) },
  {
    name: "action to authorise",
    path: () => "/actions/example",
    ready: (page) => page.getByRole("button", { name: t("attested.start") }),
  },
  { name: "docs", path: () => "/docs", ready: heading(t("docs.title")) },
  {
    name: "not found",
    path: () => "/nothing/here",
    ready: heading(t("problems.notFoundTitle")),
    expected: /status of 404/,
  },
  { name: "invite", path: (s) => `/invite/${s.invite}`, member: true, ready: button(t("invite.accept")) },
  {
    name: "invite that does not work",
    path: () => "/invite/AAAAAAAA",
    member: true,
    ready: heading(t("invite.badTitle")),
  },
];

let seed: Seed;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  seed = await seedPages();
});

async function signInAs(page: Page, token: string): Promise<void> {
  await page.context().addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
}

/** The picture that is not there is the seed's doing, not the page's. */
function complaints(problems: readonly string[], screen: Screen): readonly string[] {
  return problems.filter((p) => !p.includes("example.invalid") && !screen.expected?.test(p));
}

for (const screen of screens) {
  test(`${screen.name}: accessible, fits a phone, no complaints`, async ({ page }) => {
    const problems = collectProblems(page);
    if (screen.member) await signInAs(page, seed.token);
    // No motion: a colour on its way is not the colour to judge.
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(screen.path(seed));
    await expect(screen.ready(page)).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectContrast(page);
    for (const width of [390, 320]) await expectNoSideways(page, width);
    expect(complaints(problems, screen)).toEqual([]);
  });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("home, topic and post have their content", async ({ page }) => {
    await page.goto("/?sort=new");
    await expect(page.getByRole("heading", { name: HARD_WORDS.post }).first()).toBeVisible();
    await page.goto(`/topics/${seed.openTopic}`);
    await expect(page.getByRole("heading", { name: HARD_WORDS.topic, level: 1 })).toBeVisible();
    await page.getByRole("link", { name: HARD_WORDS.post }).click();
    await expect(page.getByRole("heading", { name: HARD_WORDS.post, level: 1 })).toBeVisible();
    await expect(page.getByRole("article").first().locator("strong")).toHaveText("bold");
    await expect(page.getByText("And one more.")).toBeVisible();
  });
});

test("the first stop of the keyboard skips to the content", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: t("common.skip") });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
});

test("the arrow keys vote", async ({ page }) => {
  await signInAs(page, seed.token);
  await page.goto(`/posts/${seed.post}`);
  const vote = page.getByRole("group", { name: t("post.voteOn", { subject: HARD_WORDS.post }) });
  const score = vote.getByLabel(t("post.score"));
  let answered = 0;
  page.on("response", (response) => {
    if (response.url().endsWith("/vote") && response.ok()) answered += 1;
  });
  await vote.getByRole("button", { name: t("post.upvote") }).focus();
  for (const [key, after] of [
    ["ArrowUp", "1"],
    ["ArrowDown", "-1"],
    ["ArrowDown", "0"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(score).toHaveText(after);
  }
  // What is not answered yet would change the post under the next test.
  await expect.poll(() => answered).toBe(3);
});

test("votes pressed faster than the server answers all count, in order", async ({ page }) => {
  await signInAs(page, seed.token);
  await page.goto(`/posts/${seed.post}`);
  const vote = page.getByRole("group", { name: t("post.voteOn", { subject: HARD_WORDS.post }) });
  const score = vote.getByLabel(t("post.score"));
  const before = Number(await score.textContent());
  let answered = 0;
  await page.route("**/api/posts/*/vote", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  // A press that is not answered yet when the page goes away is lost with it, so the answers are counted.
  page.on("response", (response) => {
    if (response.url().endsWith("/vote") && response.ok()) answered += 1;
  });
  const up = vote.getByRole("button", { name: t("post.upvote") });
  for (let press = 0; press < 3; press++) await up.click();
  await expect(score).toHaveText(String(before + 1));
  await expect.poll(() => answered).toBe(3);
  await page.reload();
  await expect(score).toHaveText(String(before + 1));
  await expect(up).toHaveAttribute("aria-pressed", "true");
  // Leaves the post as it was for the other project.
  await up.click();
  await expect(score).toHaveText(String(before));
  await expect.poll(() => answered).toBe(4);
});

test("a vote that the network swallows is taken back", async ({ page }) => {
  await signInAs(page, seed.token);
  await page.goto(`/posts/${seed.post}`);
  const vote = page.getByRole("group", { name: t("post.voteOn", { subject: HARD_WORDS.post }) });
  const score = vote.getByLabel(t("post.score"));
  const before = await score.textContent();
  await page.route("**/api/posts/*/vote", (route) => route.abort());
  await vote.getByRole("button", { name: t("post.upvote") }).click();
  await expect(page.getByText(t("problems.network"))).toBeVisible();
  await expect(score).toHaveText(before ?? "");
});
