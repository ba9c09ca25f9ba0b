import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { PAST } from "@/scripts/stack/past-content";
import { deployment, uniqueWord } from "./support/installation";
import { enter, hasFocus, tabTo } from "./support/keys";
import { expectAccessible } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { PROOF_TIMEOUT_MS, payButton, waitForSeal } from "./support/proving";
import { test } from "./support/test";

/** No pointer at all: Tab, Enter, the arrows and letters. (Searching by keyboard: explore.spec.ts; settings: me.spec.ts.) */
test.describe.configure({ mode: "parallel", timeout: PROOF_TIMEOUT_MS });

const word = uniqueWord();

/** From the start form over the provider's page and the price to the stamped seal. */
async function prove(page: Page, email: string): Promise<void> {
  await enter(page, page.getByRole("button", { name: t("signIn.continueWith", { provider: "" }) }));
  const provider = new URL(deployment.issuers[0]?.authorizationEndpoint ?? "").origin;
  await page.waitForURL((url) => url.origin === provider);
  // The one field has the focus.
  await expect(page.getByLabel("Email address")).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.origin !== provider);
  await enter(page, payButton(page));
  await waitForSeal(page, email.split("@")[1] ?? "");
  await expectAccessible(page);
}

test("signing in with a proof @once @long", async ({ page }) => {
  const domain = `keys-${word}.example`;
  await page.goto("/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: t("common.skip") });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await enter(
    page,
    page
      .getByRole("main")
      .or(page.getByRole("complementary"))
      .getByRole("link", { name: t("signIn.title") }),
  );
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole("heading", { name: t("signIn.title"), level: 1 })).toBeVisible();
  await prove(page, `kay@${domain}`);

  const name = page.getByLabel(t("profile.chooseTitle"));
  if (!(await hasFocus(name))) await tabTo(page, name);
  await page.keyboard.type(`kay_${word}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/welcome");

  // What the seal says opens and closes, and leaves the reader where they were.
  await page.goto("/profile");
  const seal = page
    .getByRole("main")
    .getByRole("button", { name: t("seal.open", { statement: `@${domain}` }) });
  await enter(page, seal);
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(seal).toBeFocused();
});

test("joining by a proof, writing, answering and talking @once", async ({ browser }) => {
  const lou = await person(`lou_${word}`);
  const { topics } = await lou.api.call(contract.topics.list, { view: "all", q: PAST.gates.domain });
  const topic = topics.find(({ title }) => title === PAST.gates.domain);
  const page = await pageOf(browser, lou, `/topics/${topic?.id}`);
  await enter(page, page.getByRole("link", { name: t("topic.prove") }).filter({ visible: true }));
  await expect(page).toHaveURL(/\/join$/);
  await prove(page, `lou_${word}@${PAST.sealed.domain}`);
  await enter(page, page.getByRole("button", { name: t("common.goOn") }));
  await expect(page.getByRole("heading", { name: PAST.gates.domain, level: 1 })).toBeVisible();

  await enter(
    page,
    page
      .getByRole("main")
      .getByRole("link", { name: t("topic.write") })
      .filter({ visible: true }),
  );
  const title = page.getByLabel(t("composer.titleLabel"));
  await expect(title).toBeVisible();
  if (!(await hasFocus(title))) await tabTo(page, title);
  await page.keyboard.type(`By hand ${word}`);
  await tabTo(page, page.getByRole("textbox", { name: t("composer.bodyLabel") }));
  await page.keyboard.type("Every letter of it.");
  await enter(page, page.getByRole("button", { name: t("composer.post"), exact: true }));
  await expect(page.getByRole("heading", { name: `By hand ${word}`, level: 1 })).toBeVisible();

  await tabTo(page, page.getByLabel(t("post.addComment")));
  await page.keyboard.type("A thought more.");
  await enter(page, page.getByRole("button", { name: t("post.send"), exact: true }));
  const comment = page.getByRole("article", { name: t("post.commentBy", { name: lou.nickname }) });
  await expect(comment).toContainText("A thought more.");
  await enter(page, comment.getByRole("button", { name: t("post.replyTo", { name: lou.nickname }) }));
  const reply = page.getByLabel(t("post.replyTo", { name: lou.nickname })).and(page.locator("textarea"));
  await expect(reply).toBeFocused();
  await page.keyboard.type("And an answer to it.");
  await enter(page, page.getByRole("button", { name: t("post.sendReply"), exact: true }));
  await expect(
    page.getByRole("article", { name: t("post.replyBy", { name: lou.nickname, level: 2 }) }),
  ).toContainText("And an answer to it.");

  await page.goto(`/topics/${topic?.id}`);
  await enter(
    page,
    page
      .getByRole("main")
      .getByRole("link", { name: t("topic.chat"), exact: true })
      .first(),
  );
  await expect(page.getByText(t("chat.states.live"), { exact: true })).toBeVisible();
  await tabTo(page, page.getByRole("textbox", { name: t("chat.field") }));
  await page.keyboard.type("Said without a mouse");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log").getByText("Said without a mouse")).toHaveCount(1);
  await page.context().close();
});

test("menus and dialogs keep the focus and give it back @once", async ({ browser }) => {
  const [max, nia] = [await person(`max_${word}`), await person(`nia_${word}`)];
  const topicId = await topicOf(max, `Keys ${word}`, [nia]);
  const { post } = await nia.api.call(contract.posts.create, {
    topicId,
    title: "A door",
    content: "<p>Open.</p>",
  });
  const page = await pageOf(browser, max, `/posts/${post.id}`);
  const tools = page.getByRole("button", { name: t("moderate.tools"), exact: true });
  const items = page.getByRole("menuitem");

  await enter(page, tools);
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(items.last()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(items).toHaveCount(0);
  await expect(tools).toBeFocused();

  const dialog = page.getByRole("dialog", { name: t("report.post") });
  for (const leave of ["Escape", t("common.cancel"), t("common.close")]) {
    await page.keyboard.press("Enter");
    await expect(items.first()).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(items.filter({ hasText: t("report.post") })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeVisible();
    // All the way round: the page behind is out of reach.
    const outside: string[] = [];
    for (let stop = 0; stop < 14; stop += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const focused = document.activeElement;
        const isIn = !focused || focused === document.body || focused.closest("dialog") !== null;
        return isIn ? null : focused.outerHTML.slice(0, 120);
      });
      if (at) outside.push(at);
    }
    expect(outside).toEqual([]);
    if (leave === "Escape") await page.keyboard.press("Escape");
    else await enter(page, dialog.getByRole("button", { name: leave, exact: true }));
    await expect(dialog).toHaveCount(0);
    await expect(tools).toBeFocused();
  }

  // Closed and opened again within a frame, as a busy machine lets fast hands do.
  await page.keyboard.press("Enter");
  await items.last().press("Enter");
  await expect(dialog).toBeVisible();
  await page.evaluate(async (label) => {
    const rendered = () => new Promise<void>(queueMicrotask);
    document.querySelector<HTMLDialogElement>("dialog[open]")?.requestClose();
    await rendered();
    document.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click();
    await rendered();
    [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].at(-1)?.click();
  }, t("moderate.tools"));
  await expect(dialog).toBeVisible();
  await page.context().close();
});
