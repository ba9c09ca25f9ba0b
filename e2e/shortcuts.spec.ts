import { expect, type Locator, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** Keys of every page: to the next entry, to any place, to the field in which to write. */

const word = uniqueWord();
const titles = [`Older letter ${word}`, `Newer letter ${word}`] as const;

/** Presses a key of a page that was just opened, until its script is there. */
async function firstKey(page: Page, key: string, result: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(result).toBeFocused({ timeout: 300 });
  }).toPass();
}

async function openPalette(page: Page): Promise<Locator> {
  const field = page.getByRole("combobox", { name: t("shortcuts.field") });
  await firstKey(page, "Control+k", field);
  return field;
}

test("letters lead through a topic and to the fields, until they are turned off @once", async ({
  browser,
}) => {
  const ada = await person(`ada_${word}`);
  const topicId = await topicOf(ada, `Harbour ${word}`, []);
  for (const title of titles) {
    const { post } = await ada.api.call(contract.posts.create, { topicId, title, content: "<p>Ahoy.</p>" });
    await ada.api.call(contract.comments.create, { postId: post.id, content: `An answer to it ${word}` });
  }
  const page = await pageOf(browser, ada, `/topics/${topicId}?sort=new`);
  const link = (title: string) => page.getByRole("main").getByRole("link", { name: title });
  await firstKey(page, "j", link(titles[0]));
  await page.keyboard.press("k");
  await expect(link(titles[1])).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: titles[1], level: 1 })).toBeVisible();

  // The post, then its comment: "r" answers whichever has the focus.
  await page.getByRole("main").focus();
  await page.keyboard.press("r");
  const comment = page.getByLabel(t("post.addComment"));
  await expect(comment).toBeFocused();
  await page.keyboard.type("jkcr?/");
  await expect(comment).toHaveValue("jkcr?/");
  await comment.fill("");
  await page.getByRole("main").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(
    page.getByRole("article", { name: t("post.commentBy", { name: ada.nickname }) }),
  ).toBeFocused();
  await page.keyboard.press("r");
  await expect(page.getByLabel(t("post.replyTo", { name: ada.nickname }))).toBeFocused();
  await page.keyboard.press("Escape");

  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: t("shortcuts.title") });
  await expect(sheet).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole("checkbox", { name: t("shortcuts.on") }).uncheck();
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  // Off, the letters do nothing; the palette opens, and leads to a topic by part of its name.
  await page.keyboard.press("?");
  const field = await openPalette(page);
  await expect(sheet).toHaveCount(0);
  await page.keyboard.type(`our ${word}`);
  await expect(page.getByRole("option")).toHaveText([
    `Harbour ${word}${t("shortcuts.topic")}`,
    /^Search for/,
  ]);
  await expect(field).toHaveAttribute("aria-activedescendant", /-0$/);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/topics/${topicId}`);
  await expect(field).toHaveCount(0);

  // The list is a place of the palette, too, and turns the letters on again.
  await openPalette(page);
  await page.keyboard.type("keyb");
  await page.keyboard.press("Enter");
  await sheet.getByRole("checkbox", { name: t("shortcuts.on") }).check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expect(page).toHaveURL(`/topics/${topicId}/new`);

  await page.goto("/topics");
  await openPalette(page);
  await page.keyboard.type(`letter ${word}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/search\?q=letter/);
  await expect(page.getByRole("link", { name: titles[0] }).first()).toBeVisible();
});
