import { type Browser, expect, type Page } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { developmentAccount } from "@/scripts/stack/accounts";
import { signInWithProof } from "@/scripts/stack/member";
import { deployment } from "./installation";
import { type Person, pageOf, person, topicOf } from "./people";

/** Crowds in the browser tests: the stack's need two members and change every five seconds (scripts/stack/checks/served.ts). */

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
export const articleOf = (page: Page, text: string) =>
  page.locator("article").filter({ hasText: text }).last();
/** A proof, and the worker before it. */
export const proven = { timeout: 60_000 };
/** Crowds are looked after every half minute. */
const counted = { timeout: 60_000 };

export interface Place {
  readonly owner: Person;
  readonly author: Person;
  readonly topicId: string;
  readonly page: Page;
  /** The owner's browser. */
  readonly staff: Page;
}

/** A topic with two members, and their browsers. */
export async function placeOf(browser: Browser, word: string): Promise<Place> {
  const [owner, author] = [await person(`o_${word}`), await person(`a_${word}`)];
  const topicId = await topicOf(owner, `Roses ${word}`, [author]);
  const page = await pageOf(browser, author, `/topics/${topicId}`);
  const staff = await pageOf(browser, owner, `/topics/${topicId}`);
  return { owner, author, topicId, page, staff };
}

/** The same for a topic of one company, whose colleagues proved their email addresses. The author joins in their browser. */
export async function gatedPlaceOf(browser: Browser, word: string): Promise<Place> {
  const domain = `roses-${word}.example`;
  const proved = async (name: string): Promise<Person> =>
    await signInWithProof({
      ...{ deployment, wallet: developmentAccount("demo") },
      ...{ email: `${name}@${domain}`, nickname: `${name}_${word}` },
    });
  const [owner, author] = [await proved("o"), await proved("a")];
  const { categories } = await owner.api.call(contract.categories.list, {});
  const { topic } = await owner.api.call(contract.topics.create, {
    ...{ title: `Roses ${word}`, categoryId: categories[0]?.id ?? "" },
    ...{ proofType: "workspace", requiredDomain: domain },
  });
  const path = `/topics/${topic.id}`;
  const page = await pageOf(browser, author, `${path}/join`);
  await button(page, t("common.joinTopic")).click();
  await page.waitForURL((url) => url.pathname === path);
  return { owner, author, topicId: topic.id, page, staff: await pageOf(browser, owner, path) };
}

/** Joins the crowd. @param how the button for it */
export async function join(tab: Page, how = t("anonymous.join")): Promise<void> {
  await button(tab, how).click();
  await expect(button(tab, how)).toBeHidden();
}

/** Waits until both are in the crowd. */
export async function expectCrowd({ author, topicId }: Pick<Place, "author" | "topicId">): Promise<void> {
  await expect
    .poll(async () => {
      const { crowd } = await author.api.call(contract.crowd.get, { topicId });
      return crowd.own?.isCounted === true && crowd.latest?.size === 2;
    }, counted)
    .toBe(true);
}

/** Comments on the post that the page shows. @param isNow or at a random moment */
export async function comment(page: Page, text: string, isNow = true): Promise<void> {
  await button(page, t("anonymous.asNobody")).click();
  const field = page.getByLabel(t("post.addComment"));
  await field.fill(text);
  // A poll above has the same choice.
  const form = page.locator("form").filter({ has: field });
  if (isNow) await form.getByLabel(t("anonymous.now")).check();
  await button(page, t("anonymous.comment")).click();
}
