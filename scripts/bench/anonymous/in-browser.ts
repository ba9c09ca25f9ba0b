import { setTimeout as sleep } from "node:timers/promises";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { sessionCookieName } from "@/lib/session/cookie";
import { median } from "@/prover/barretenberg";
import playwrightConfig from "../../../playwright.config";
import { ensureBrowser } from "../../stack/checks/browser";
import type { Row } from "../row";
import { builtHome, type Closers } from "../stage";

const MODES = [
  { name: "one thread", isIsolated: false, most: 2_200 },
  { name: "two threads", isIsolated: true, most: 1_600 },
] as const;
const MAX_POSTED_MS = 3_000;
/** Crowds of two that change every second, and chores that look every half minute. */
const CROWDS = { ANONYMOUS_MINIMUM: "2", ANONYMOUS_ROUND_SECONDS: "1" };
const COUNTED_MS = 60_000;

type Client = ReturnType<typeof createClient>;

/** Comments without a name in the built app, in Chromium. @yields the rows of each number of threads */
export async function* inBrowserRows(rounds: number): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    await ensureBrowser();
    const app = await home.start({ DEV_LOGIN: "1", ...CROWDS });
    closers.push(() => app.kill("SIGTERM"));
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
    closers.push(() => browser.close());
    for (const mode of MODES) {
      const members = await Promise.all([signIn(app.url), signIn(app.url)]);
      const [author, other] = members;
      const { topicId, postId } = await topicOf(author.api, other.api);
      const pages: Page[] = [];
      for (const { token } of members) {
        const context = await browser.newContext({ baseURL: app.url, serviceWorkers: "block" });
        await context.addCookies([{ name: sessionCookieName, value: token, url: app.url }]);
        if (mode.isIsolated) await isolate(context);
        const page = await context.newPage();
        await page.goto(`/topics/${topicId}`);
        await press(page, t("anonymous.join"));
        await page.getByRole("button", { name: t("anonymous.join") }).waitFor({ state: "detached" });
        pages.push(page);
      }
      await counted(author.api, topicId);
      const [page] = pages;
      if (!page) throw new Error("no page");
      yield await rowsOf(page, `/posts/${postId}`, mode, rounds);
    }
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function rowsOf(
  page: Page,
  address: string,
  mode: (typeof MODES)[number],
  rounds: number,
): Promise<Row[]> {
  await page.addInitScript(watchWorkers);
  await page.goto(address);
  const isolated = await page.evaluate(() => crossOriginIsolated);
  if (isolated !== mode.isIsolated) throw new Error(`the page is ${isolated ? "" : "not "}isolated`);
  const posted: number[] = [];
  // The first warms up.
  for (let round = 0; round <= rounds; round++) {
    await press(page, t("anonymous.asNobody"));
    await page.getByLabel(t("post.addComment")).fill(`Said in round ${round}.`);
    await page.getByLabel(t("anonymous.now")).check();
    const answer = page.waitForResponse((response) => response.url().endsWith("/anonymous/comments"));
    const started = performance.now();
    await press(page, t("anonymous.comment"));
    if ((await answer).status() !== 201) throw new Error(`the API answered ${(await answer).status()}`);
    posted.push(performance.now() - started);
    await page.getByText(`Said in round ${round}.`).first().waitFor();
  }
  const proofs = await page.evaluate(() => window.proofTimes);
  const warm = (times: readonly number[]) => median(times.slice(1));
  return [
    {
      ...{ name: `proof in Chromium, ${mode.name}`, value: warm(proofs), unit: "ms" as const },
      limit: { most: mode.most },
    },
    {
      ...{ name: `from the press to posted, ${mode.name}`, value: warm(posted), unit: "ms" as const },
      limit: { most: MAX_POSTED_MS },
    },
  ];
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click();

declare global {
  interface Window {
    /** Milliseconds of each proof, from the page's message to the worker's answer. */
    proofTimes: number[];
  }
}

/** Runs in the page, before its scripts. */
function watchWorkers(): void {
  window.proofTimes = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (this: Worker, message: { kind?: string; id?: number }) {
    if (message.kind === "prove") {
      const started = performance.now();
      // No named function: esbuild would name it by a helper that the page does not have.
      this.addEventListener("message", ({ data }: MessageEvent<{ id: number }>) => {
        if (data.id === message.id) window.proofTimes.push(performance.now() - started);
      });
    }
    post.call(this, message);
  };
}

/** Gives documents the headers of an isolated page. */
async function isolate(context: BrowserContext): Promise<void> {
  await context.route("**/*", async (route) => {
    if (route.request().resourceType() !== "document") return await route.continue();
    const response = await route.fetch();
    const headers = { ...response.headers(), "cross-origin-embedder-policy": "require-corp" };
    await route.fulfill({ response, headers });
  });
}

async function signIn(baseUrl: string) {
  const guest = createClient({ baseUrl });
  const nickname = `b${Math.random().toString(36).slice(2, 10)}`;
  const { token } = await guest.call(contract.auth.devLogin, { nickname });
  return { token, api: createClient({ baseUrl, token: () => token }) };
}

async function topicOf(author: Client, other: Client) {
  const { categories } = await author.call(contract.categories.list, {});
  const { topic } = await author.call(contract.topics.create, {
    title: "Under the rose",
    categoryId: categories[0]?.id ?? "",
  });
  await other.call(contract.topics.join, { topicId: topic.id });
  const { post } = await author.call(contract.posts.create, {
    ...{ topicId: topic.id, title: "The plan", content: "<p>Say it.</p>" },
  });
  return { topicId: topic.id, postId: post.id };
}

async function counted(api: Client, topicId: string): Promise<void> {
  const until = Date.now() + COUNTED_MS;
  while (Date.now() < until) {
    const { crowd } = await api.call(contract.crowd.get, { topicId });
    if (crowd.own?.isCounted && crowd.latest?.size === 2) return;
    await sleep(500);
  }
  throw new Error("the crowd does not count its members");
}
