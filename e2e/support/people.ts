import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import { test } from "@playwright/test";
import { contract } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import { sessionCookieName } from "@/lib/session/cookie";
import { apiClient, type Client } from "@/scripts/stack/member";
import { appOrigin, deployment } from "./installation";

/** Somebody with a nickname, the API as they see it, and a browser of their own. */
export interface Person {
  readonly userId: string;
  readonly nickname: string;
  readonly token: string;
  readonly api: Client;
}

/**
 * A new account, or the one with this nickname, whoever made it.
 * @param provenSecondsAgo the age of what this session counts as its proof
 * @param operator a role on the installation
 */
export async function person(
  nickname: string,
  provenSecondsAgo?: number,
  operator?: OperatorRole,
): Promise<Person> {
  const signIn = { nickname, provenSecondsAgo, operator };
  const { userId, token } = await apiClient(deployment).call(contract.auth.devLogin, signIn);
  return { userId, nickname, token, api: apiClient(deployment, token) };
}

/** A browser like the project's in which this person is signed in. */
export async function browserOf(
  browser: Browser,
  { token }: Person,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { viewport, isMobile, hasTouch, deviceScaleFactor, baseURL } = test.info().project.use;
  const context = await browser.newContext({
    viewport,
    isMobile,
    hasTouch,
    deviceScaleFactor,
    baseURL,
    // Waiting for what moves only costs time.
    reducedMotion: "reduce",
    ...options,
  });
  await context.addCookies([{ name: sessionCookieName, value: token, url: appOrigin }]);
  return context;
}

/** A page in such a browser. */
export async function pageOf(browser: Browser, who: Person, path: string): Promise<Page> {
  const page = await (await browserOf(browser, who)).newPage();
  await page.goto(path);
  return page;
}

/** A public topic with these people in it. @returns its id */
export async function topicOf(owner: Person, title: string, members: readonly Person[]): Promise<string> {
  const { categories } = await owner.api.call(contract.categories.list, {});
  const categoryId = categories[0]?.id ?? "";
  const { topic } = await owner.api.call(contract.topics.create, { title, categoryId });
  for (const { api } of members) await api.call(contract.topics.join, { topicId: topic.id });
  return topic.id;
}
