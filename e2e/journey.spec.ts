import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import {
  chooseNickname,
  everythingStored,
  identifyAs,
  PRICE,
  payButton,
  recordStages,
  signInWithProof,
  stageRow,
  waitForSeal,
} from "./support/proving";
import { test } from "./support/test";

test.use({ serviceWorkers: "allow" });

/**
 * Three people, three browsers, real proofs: one founds a topic for their company and writes in it, a colleague
 * joins and answers, a stranger is turned away at the gate.
 */
test.describe.configure({ mode: "serial" });

// A company of its own for every run: projects and runs do not meet in each other's topics.
const word = uniqueWord();
const domain = `guild-${word}.example`;
const stranger = { domain: `other-${word}.example`, nickname: `cleo_${word}` };
const topicTitle = `Guild ${word}, among ourselves`;
const postTitle = `What we would keep ${word}`;
const comment = "The silence before nine.";

let founder: BrowserContext;
let topicUrl = "";
let postUrl = "";

/** A browser like the project's, with nothing in it. */
function freshContext(browser: Browser): Promise<BrowserContext> {
  const { viewport, isMobile, hasTouch, deviceScaleFactor, baseURL } = test.info().project.use;
  return browser.newContext({ viewport, isMobile, hasTouch, deviceScaleFactor, baseURL });
}

test.beforeAll(async ({ browser }) => {
  founder = await freshContext(browser);
});
test.afterAll(() => founder.close());

test("a guest signs in with a proof and takes a nickname", async () => {
  const page = await founder.newPage();
  await page.goto("/");
  await expect(page.getByRole("heading", { name: t("nav.home"), level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: t("feed.welcomeTitle") })).toBeVisible();
  await page
    .getByRole("main")
    .or(page.getByRole("complementary"))
    .getByRole("link", { name: t("signIn.title") })
    .click();

  await expect(page.getByRole("heading", { name: t("signIn.title") })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Development provider A" })).toBeChecked();
  await expect(page.getByText(PRICE).first()).toBeVisible();
  await identifyAs(page, `ada@${domain}`);

  // Back from the provider: no token in the address, the price on the button, nothing paid.
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(stageRow(page, "price").getByText(PRICE).first()).toBeVisible();
  await expect(page.getByText(t("signIn.paidFrom", { wallet: t("wallet.development") }))).toBeVisible();
  await expect(stageRow(page, "payment").getByRole("button", { name: /transaction/ })).toHaveCount(0);

  const seen = await recordStages(page);
  await payButton(page).click();
  await expect(
    stageRow(page, "payment").getByRole("button", { name: t("common.copy", { what: t("run.transaction") }) }),
  ).toBeVisible({
    timeout: 60_000,
  });
  await waitForSeal(page, domain);
  const stages = await seen.stages();
  expect(stages.slice(0, 2)).toEqual(
    [t("run.stages.price"), t("run.stages.payment")].map((stage) => t("run.now", { stage })),
  );
  expect(stages).toContain(t("run.now", { stage: t("run.stages.proving") }));
  await expect(page.getByText(t("run.sealedSignIn"))).toBeVisible();

  await chooseNickname(page, `ada_${word}`);
  await expect(page).toHaveURL("/welcome");
  await expect(
    page.getByRole("heading", { name: t("welcome.greeting", { name: `ada_${word}` }) }),
  ).toBeVisible();
  await page.goto("/profile");
  await expect(
    page.getByRole("main").getByRole("button", { name: t("seal.open", { statement: `@${domain}` }) }),
  ).toBeVisible();

  // Nothing is shown until she says so.
  await page.goto("/settings");
  const show = page.getByRole("button", { name: t("settings.badgeShow", { domain }) });
  const hide = page.getByRole("button", { name: t("settings.badgeHide", { domain }) });
  await show.click();
  // First what it means: every place, and who reads there.
  const dialog = page.getByRole("dialog", { name: t("showDomain.title", { domain }) });
  await expect(dialog.getByRole("status")).toContainText(t("showDomain.page"));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: t("settings.badgeShow", { domain }) }).click();
  await expect(page.getByText(t("settings.badgeShowing", { domain }))).toBeVisible();
  await expect(hide).toBeVisible();
  await page.reload();
  await hide.click();
  await expect(page.getByText(t("settings.badgeHidden", { domain }))).toBeVisible();
  await expect(show).toBeVisible();
  await page.close();
});

test("she starts a topic for her domain with the seal she has", async () => {
  const page = await founder.newPage();
  await page.goto("/topics");
  await page
    .getByRole("main")
    .getByRole("link", { name: t("nav.newTopic") })
    .click();
  await page.getByLabel(t("newTopic.name")).fill(topicTitle);
  await page.getByLabel(t("newTopic.description")).fill(`For people with an address at ${domain}.`);
  await page.getByLabel(t("topic.category")).selectOption({ index: 1 });
  await page.getByRole("radio", { name: new RegExp(t("newTopic.gateDomain")) }).check();
  await page.getByLabel(t("newTopic.domain"), { exact: true }).fill(domain);
  await page.getByRole("button", { name: t("newTopic.create") }).click();

  await expect(page.getByRole("heading", { name: topicTitle, level: 1 })).toBeVisible();
  await expect(page.getByText(t("topic.owner"), { exact: true }).first()).toBeVisible();
  const gate = page.getByRole("region", { name: t("topic.gateTitle") });
  await expect(gate).toContainText(t("gate.domain", { domain: domain }));
  await expect(gate).toContainText(t("gate.satisfied"));
  topicUrl = new URL(page.url()).pathname;
  await page.close();
});

test("she writes a post with a bold word and a list", async () => {
  const page = await founder.newPage();
  await page.goto(topicUrl);
  await page
    .getByRole("link", { name: t("topic.write") })
    .first()
    .click();
  await page.getByLabel(t("composer.titleLabel")).fill(postTitle);
  const text = page.getByRole("textbox", { name: t("composer.bodyLabel") });
  const tools = page.getByRole("toolbar", { name: t("composer.toolbar") });
  await text.click();
  await page.keyboard.type("I would keep the ");
  // Pressing a tool leaves the cursor where it is.
  await tools.getByRole("button", { name: t("composer.bold") }).click();
  await page.keyboard.type("small kitchen");
  await tools.getByRole("button", { name: t("composer.bold") }).click();
  await page.keyboard.type(":");
  await page.keyboard.press("Enter");
  await tools.getByRole("button", { name: t("composer.bullets") }).click();
  await page.keyboard.type("most decisions were made there");
  await page.keyboard.press("Enter");
  await page.keyboard.type("so was the coffee");
  await page.getByRole("button", { name: t("composer.post"), exact: true }).click();

  await expect(page.getByRole("heading", { name: postTitle, level: 1 })).toBeVisible();
  const body = page.getByRole("article").first();
  await expect(body.locator("strong")).toHaveText("small kitchen");
  await expect(body.locator("ul:not([aria-label]) > li")).toHaveText([
    "most decisions were made there",
    "so was the coffee",
  ]);
  postUrl = new URL(page.url()).pathname;
  await page.close();
});

test("a colleague joins with their own seal, reads, answers and votes", async ({ page }) => {
  await signInWithProof(page, `bela@${domain}`, `bela_${word}`);
  // Her seal opens the founder's topic: the welcome says so, and joins with one click and no second payment.
  await expect(page.getByText(t("welcome.opened"), { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: topicTitle })).toBeVisible();
  await page.getByRole("button", { name: t("welcome.join", { topic: topicTitle }) }).click();
  await expect(page).toHaveURL(topicUrl);
  await expect(page.getByText(t("topic.member"), { exact: true }).first()).toBeVisible();

  await page.getByRole("link", { name: postTitle }).click();
  await expect(page.getByRole("article").first().locator("strong")).toHaveText("small kitchen");
  await page.getByLabel(t("post.addComment")).fill(comment);
  await page.getByRole("button", { name: t("post.send") }).click();
  await expect(
    page.getByRole("article", { name: t("post.commentBy", { name: `bela_${word}` }) }),
  ).toContainText(comment);

  await votesAtOnce(page);
  await page.reload();
  await expect(scoreOf(page)).toHaveText("1");
  await expect(upvoteOf(page)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByText(comment)).toBeVisible();

  // And the author reads the answer.
  const author = await founder.newPage();
  await author.goto(postUrl);
  await expect(author.getByText(comment)).toBeVisible();
  await expect(scoreOf(author)).toHaveText("1");
  await author.close();
});

test("a stranger is refused at the gate before paying, and their token is not kept", async ({ page }) => {
  await page.request.post("/api/auth/dev-login", { data: { nickname: stranger.nickname } });
  await findTopic(page);
  await page
    .getByRole("region", { name: t("topic.gateTitle") })
    .getByRole("link", { name: t("topic.prove") })
    .click();
  await identifyAs(page, `cleo@${stranger.domain}`);
  await expect(page.getByText(t("run.wrongDomain", { has: stranger.domain, wants: domain }))).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  // A token is a JWT: its header starts like this in base64url.
  expect(await everythingStored(page)).not.toContain("eyJ");
  await page.goto(topicUrl);
  await expect(page.getByRole("link", { name: t("topic.write") })).toHaveCount(0);
  // A gated topic is for members to read, unless its owner chooses otherwise.
  await expect(page.getByText(t("topic.closedTitle"))).toBeVisible();
  await expect(page.getByText(postTitle)).toHaveCount(0);
});

async function findTopic(page: Page): Promise<void> {
  await page.goto("/topics");
  await page
    .getByRole("main")
    .getByRole("searchbox", { name: t("topics.search") })
    .fill(word);
  await page.getByRole("button", { name: t("search.go") }).click();
  await page.getByRole("link", { name: topicTitle }).first().click();
  await expect(page.getByRole("heading", { name: topicTitle, level: 1 })).toBeVisible();
}

function voteOf(page: Page) {
  return page.getByRole("group", { name: t("post.voteOn", { subject: postTitle }) });
}
function scoreOf(page: Page) {
  return voteOf(page).getByLabel(t("post.score"));
}
function upvoteOf(page: Page) {
  return voteOf(page).getByRole("button", { name: t("post.upvote") });
}

/** The count moves before the server has answered. */
async function votesAtOnce(page: Page): Promise<void> {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/posts/*/vote", async (route) => {
    await held;
    await route.continue();
  });
  await expect(scoreOf(page)).toHaveText("0");
  await upvoteOf(page).click();
  await expect(scoreOf(page)).toHaveText("1");
  const reply = page.waitForResponse("**/api/posts/*/vote");
  answer();
  expect((await reply).status()).toBe(200);
  await page.unroute("**/api/posts/*/vote");
}
