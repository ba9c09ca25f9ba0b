import { expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { uniqueWord } from "./support/installation";
import { expectAccessible } from "./support/page-checks";
import { type Person, pageOf, person, topicOf } from "./support/people";
import { test } from "./support/test";

/** The queues of operators and of staff. (With the network cut: network.spec.ts.) */

const word = uniqueWord();
let author: Person;
let reader: Person;
let operator: Person;
let topicId: string;

test.beforeAll(async () => {
  [author, reader, operator] = [
    await person(`desk_a_${word}`),
    await person(`desk_r_${word}`),
    await person(`desk_o_${word}`, undefined, "operator"),
  ];
  topicId = await topicOf(author, `What is brought to the desk ${word}`, [reader]);
});

/** A post of the author that the reader reports. @returns its title and id */
async function reported(title: string, reason: "illegal" | "spam") {
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title,
    content: `<p>${title}.</p>`,
  });
  await reader.api.call(contract.moderation.reportPost, { postId: post.id, reason });
  return { title, postId: post.id };
}

const isHidden = async (postId: string) =>
  (await reader.api.call(contract.posts.get, { postId })).post.isHidden;
const caseOf = (page: Page, title: string) => page.getByRole("article").filter({ hasText: title });
const said = (page: Page, sentence: string) =>
  expect(page.getByText(sentence, { exact: true })).toBeVisible();

test("an operator hides a case with one click, takes it back, and everyone reads it in the log @once", async ({
  browser,
}) => {
  const { title, postId } = await reported(`Forged papers ${word}`, "illegal");
  const page = await pageOf(browser, operator, `/desk?topicId=${topicId}`);
  const card = caseOf(page, title);
  await expect(card).toContainText(reader.nickname);
  await card.getByRole("button", { name: t("queue.hideFor", { reason: t("queue.short.illegal") }) }).click();
  await said(page, t("queue.done.hide", { name: title }));
  await expect(card).toHaveCount(0);
  await expect.poll(() => isHidden(postId)).toBe(true);

  const guest = await browser.newPage();
  await guest.goto("/log");
  const log = guest.getByRole("list", { name: t("siteLog.list") });
  const who = t("siteLog.roles.operator");
  await expect(log.getByText(t("siteLog.sentences.post_hidden", { who })).first()).toBeVisible();
  await expect(log.getByText(t("reason.templates.illegal")).first()).toBeVisible();
  await expect(log).not.toContainText(title);
  await guest.close();

  await page.getByRole("button", { name: t("queue.undo"), exact: true }).click();
  await said(page, t("queue.undone", { name: title }));
  await expect.poll(() => isHidden(postId)).toBe(false);
  await page.context().close();
});

test("an operator works by keys alone: claims, hides, goes on to the next, dismisses @once", async ({
  browser,
}) => {
  const [first, second] = [
    await reported(`Stolen wheels ${word}`, "illegal"),
    await reported(`A harmless poem ${word}`, "illegal"),
  ];
  const page = await pageOf(browser, operator, `/desk?topicId=${topicId}`);
  await expect(caseOf(page, second.title)).toBeVisible();
  await page.keyboard.press("j");
  await expect(caseOf(page, first.title)).toBeFocused();
  await page.keyboard.press("c");
  await expect(caseOf(page, first.title)).toContainText(t("queue.claimedByMe"));
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: t("queue.keysTitle") })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(caseOf(page, first.title)).toBeFocused();
  await page.keyboard.press("h");
  await said(page, t("queue.done.hide", { name: first.title }));
  await expect(caseOf(page, second.title)).toBeFocused();
  await page.keyboard.press("d");
  await said(page, t("queue.done.dismiss", { name: second.title }));
  await expect
    .poll(async () => (await operator.api.call(contract.desk.reports, { topicId })).reports.length)
    .toBe(0);
  expect([await isHidden(first.postId), await isHidden(second.postId)]).toEqual([true, false]);
  await page.context().close();
});

test("staff select several cases and hide them together @once", async ({ browser }) => {
  const all = [await reported(`Cheap lamps ${word}`, "spam"), await reported(`Cheap shoes ${word}`, "spam")];
  const other = await reported(`A fair question ${word}`, "spam");
  const page = await pageOf(browser, author, `/moderation?topicId=${topicId}&reason=spam`);
  for (const { title } of all) await caseOf(page, title).getByRole("checkbox").check();
  await expect(page.getByText(t("queue.selected", { n: 2 }))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: t("queue.acts.hide"), exact: true }).click();
  await said(page, t("queue.done.hide", { name: t("queue.cases", { n: 2 }) }));
  for (const { title } of all) await expect(caseOf(page, title)).toHaveCount(0);
  await expect(caseOf(page, other.title)).toBeFocused();
  await expect
    .poll(
      async () =>
        (await author.api.call(contract.moderation.queue, { topicId, reason: "spam" })).cases.length,
    )
    .toBe(1);
  await page.context().close();
});
