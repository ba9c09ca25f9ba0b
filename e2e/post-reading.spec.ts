import { expect } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import { appOrigin } from "./support/installation";
import { expectAccessible, expectTouchable } from "./support/page-checks";
import { browserOf } from "./support/people";
import { opened, type ReadPost, readPost } from "./support/read-post";
import { test } from "./support/test";

/** What a reader finds on a long post's page: its comments, its pictures, its menus. */

let seed: ReadPost;
test.beforeAll(async () => {
  seed = await readPost({ images: 5 });
});

test("a link to a comment leads to it, also out of a folded talk, and says when it is not there", async ({
  browser,
}) => {
  const context = await browserOf(browser, seed.reader);
  const [first = "", second = ""] = seed.chain;
  const deepest = seed.chain.at(-1) ?? "";
  const page = await opened(context, `${seed.path}?comment=${deepest}`);
  const at = (id: string) => page.locator(`#comment-${id}`);
  await expect(at(deepest)).toBeFocused();
  await expect(at(deepest)).toBeInViewport();
  await expect(at(deepest)).toHaveAttribute("aria-current", "true");
  // A picture above that comes late, in a browser that does not anchor scrolling.
  await page.evaluate(() => {
    document.documentElement.style.overflowAnchor = "none";
    const late = document.createElement("div");
    late.style.height = "1200px";
    document.querySelector("main")?.prepend(late);
  });
  await expect(at(deepest)).toBeInViewport();
  // Deeper than is shown: it says whom it answers.
  await at(deepest)
    .getByRole("link", { name: t("comment.inReplyTo", { name: seed.author.nickname }) })
    .click();
  await expect(at(seed.chain.at(-2) ?? "")).toBeFocused();
  await expect(page).toHaveURL(`${seed.path}?comment=${seed.chain.at(-2)}`);

  const fold = at(first).locator("button[aria-expanded]:not([aria-haspopup])");
  await expect(fold).toHaveAccessibleName(
    t("comment.repliesTo", { action: t("comment.hideReplies", { n: 9 }), name: seed.author.nickname }),
  );
  await fold.focus();
  await page.keyboard.press("Enter");
  await expect(at(second)).toBeHidden();
  await expect(fold).toBeFocused();
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await page.goto(`${seed.path}?comment=${second}`);
  await expect(at(second)).toBeFocused();

  // An address as earlier versions wrote it is understood, and one that leads nowhere says so.
  const nobodys = crypto.randomUUID();
  await page.goto(`${seed.path}#comment-${nobodys}`);
  await expect(page).toHaveURL(`${seed.path}?comment=${nobodys}`);
  const note = page.getByRole("status").filter({ hasText: t("comment.missing") });
  await expect(note).toBeFocused();
  await expect(at(first)).toBeVisible();

  // Not every browser lets a page copy.
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  await at(first)
    .getByRole("button", { name: t("moderate.commentTools", { name: seed.author.nickname }) })
    .click();
  await page.getByRole("menuitem", { name: t("common.copyLink") }).click();
  await expect(page.getByRole("textbox", { name: t("share.link") })).toHaveValue(
    `${appOrigin}${seed.path}?comment=${first}`,
  );
  await context.close();
});

test("pictures open large, by pointer, keyboard and finger, and give the focus back", async ({
  browser,
  isMobile,
}) => {
  const context = await browserOf(browser, seed.reader);
  const page = await opened(context, seed.path);
  await expect(page.getByText(`${t("gallery.gone")} (The cellar)`)).toBeVisible();
  const box = page.getByRole("dialog", { name: t("gallery.label") });
  const tile = page.getByRole("link", {
    name: new RegExp(`^${t("gallery.open", { name: t("post.image", { n: 2 }) })}`),
  });
  await tile.focus();
  await page.keyboard.press("Enter");
  await expect(box.getByRole("img", { name: t("post.image", { n: 2 }) })).toBeVisible();
  await expectAccessible(page);
  if (isMobile) await expectTouchable(page);
  await page.keyboard.press("ArrowRight");
  await expect(box.getByRole("img", { name: t("post.image", { n: 3 }) })).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(box.getByRole("img", { name: t("post.image", { n: 1 }) })).toBeVisible();
  const finger = { pointerType: "touch", isPrimary: true, pointerId: 1, bubbles: true };
  const picture = box.getByRole("img");
  await picture.dispatchEvent("pointerdown", { ...finger, clientX: 100 });
  await picture.dispatchEvent("pointerup", { ...finger, clientX: 200 });
  await expect(box.getByRole("img", { name: t("post.image", { n: 5 }) })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(box).toHaveCount(0);
  await expect(tile).toBeFocused();
  // One in the text.
  const shelf = page.getByRole("button", { name: t("gallery.open", { name: "A shelf with jars" }) });
  await shelf.focus();
  await page.keyboard.press("Enter");
  await expect(box.getByRole("img", { name: "A shelf with jars" })).toBeVisible();
  await box.getByRole("button", { name: t("common.close") }).click();
  await expect(shelf).toBeFocused();
  if (isMobile) await expectTouchable(page);
  await context.close();
});

test("a menu at the end of a page has all its entries in sight", async ({ browser }) => {
  const own = await readPost({ images: 0 });
  const context = await browserOf(browser, own.reader);
  const page = await opened(context, own.path);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page
    .getByRole("button", { name: t("moderate.commentTools", { name: own.reader.nickname }) })
    .last()
    .click();
  const last = page.getByRole("menuitem").last();
  await expect(last).toBeInViewport({ ratio: 1 });
  // Nothing lies over it, the phone's bar neither.
  const isOnTop = await last.evaluate((entry) => {
    const { left, bottom, width } = entry.getBoundingClientRect();
    return entry.contains(document.elementFromPoint(left + width / 2, bottom - 2));
  });
  expect(isOnTop).toBe(true);
  await context.close();
});
