import { expect } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { body, bring, button, post, title } from "./support/composer";
import { uniqueWord } from "./support/installation";
import { expectAccessible, expectNoSideways } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** What the text of a post may be, and what shows beside it while it is written. */

const word = uniqueWord();
let ada: Person;
let bela: Person;
let topicId: string;

test.beforeAll(async () => {
  ada = await person(`adf_${word}`);
  bela = await person(`bef_${word}`);
  topicId = await topicOf(ada, `Drawing room ${word}`, [bela]);
});

test("a title shows what is there already; it opens beside, and what was typed stays @once", async ({
  browser,
}) => {
  const about = `altimeter${word}`;
  const { post: old } = await ada.api.call(contract.posts.create, {
    topicId,
    title: `Calibrating an ${about}`,
    content: "<p>Slowly.</p>",
  });
  const page = await pageOf(browser, bela, `/topics/${topicId}/new`);
  await title(page).fill(`Which ${about} do you trust`);
  const similar = page.getByRole("region", { name: t("similar.posts") });
  await expect(similar.getByRole("link", { name: old.title })).toBeVisible();
  await expectAccessible(page);
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    similar.getByRole("link", { name: old.title }).click(),
  ]);
  await expect(opened).toHaveURL(`/posts/${old.id}`);
  await expect(title(page)).toHaveValue(`Which ${about} do you trust`);
  await title(page).fill("Qxzvw kjqhw xvvzq");
  await expect(similar).toHaveCount(0);
  await page.context().close();
});

test("pasted Markdown becomes what it means; undo and pasting as text leave it as it is @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, bela, `/topics/${topicId}/new`);
  await title(page).fill("From a note");
  const note =
    "# Rye\n\n- feed it\n- **wait**\n\n```js\nconst hours = 12;\n```\n\n[more](https://rye.example)";
  await body(page).focus();
  await bring(page, "paste", { text: note });
  const text = body(page);
  await expect(text.getByRole("heading", { name: "Rye", level: 2 })).toBeVisible();
  await expect(text.getByRole("listitem")).toHaveText(["feed it", "wait"]);
  await expect(text.getByRole("link", { name: "more" })).toHaveAttribute("href", "https://rye.example");
  await expect(text.locator("pre code.language-js")).toHaveText("const hours = 12;");
  await page.keyboard.press("Control+z");
  await expect(text.getByRole("heading")).toHaveCount(0);
  await bring(page, "paste", { text: "Just a line." });
  await expect(text).toContainText("Just a line.");
  await bring(page, "paste", { text: note });
  await post(page);
  await expect(page.getByRole("heading", { name: "From a note", level: 1 })).toBeVisible();
  const shown = page.getByRole("article").first();
  await expect(shown.getByRole("heading", { name: "Rye" })).toBeVisible();
  await expect(shown.locator("strong")).toHaveText("wait");
  // Its language was named: it has colours, and says the same.
  await expect(shown.locator("pre code")).toHaveText("const hours = 12;");
  await expect(shown.locator("pre code .hljs-keyword")).toHaveText("const");
  await page.context().close();
});

test("a table is pasted or made by keys, changed by its buttons, and shown as one @once", async ({
  browser,
}) => {
  const page = await pageOf(browser, bela, `/topics/${topicId}/new`);
  await title(page).fill("Rye and spelt");
  await body(page).focus();
  await bring(page, "paste", { text: "| flour | hours |\n|---|---|\n| rye | 12 |" });
  const text = body(page);
  await expect(text.getByRole("columnheader")).toHaveText(["flour", "hours"]);
  await expect(text.getByRole("cell")).toHaveText(["rye", "12"]);
  await text.getByRole("cell", { name: "12" }).click();
  await button(page, t("composer.tableActs.addRow")).click();
  await expect(text.getByRole("row")).toHaveCount(3);
  // Tab goes from cell to cell.
  await text.getByRole("cell", { name: "12" }).click();
  await page.keyboard.press("Tab");
  await page.keyboard.type("spelt");
  await page.keyboard.press("Tab");
  await page.keyboard.type("9");
  await expectAccessible(page);
  await expectNoSideways(page, 320);
  await button(page, t("composer.tableActs.addColumn")).click();
  await expect(text.getByRole("columnheader")).toHaveCount(3);
  // Into the new column.
  await page.keyboard.press("Tab");
  await button(page, t("composer.tableActs.deleteColumn")).click();
  await expect(text.getByRole("columnheader")).toHaveCount(2);
  await post(page);
  await expect(page.getByRole("heading", { name: "Rye and spelt", level: 1 })).toBeVisible();
  const table = page.getByRole("article").first().getByRole("table");
  await expect(table.getByRole("row")).toHaveText(["flourhours", "rye12", "spelt9"]);
  await expectAccessible(page);
  await expectNoSideways(page, 320);

  await page.goto(`/topics/${topicId}/new`);
  await body(page).focus();
  await button(page, t("composer.table")).click();
  await page.keyboard.type("first");
  await expect(body(page).getByRole("columnheader")).toHaveText(["first", "", ""]);
  await button(page, t("composer.tableActs.deleteTable")).click();
  await expect(body(page).getByRole("table")).toHaveCount(0);
  await page.context().close();
});
