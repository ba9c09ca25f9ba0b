import { type Browser, type BrowserContext, test as base, type Page } from "@playwright/test";
import { viewerMeta } from "@/lib/client/saved";

/** Long enough for every page that hydrates; a page that never does is for its own test to judge. */
const hydratesWithinMs = 15_000;

/**
 * Playwright's `test`, whose pages have hydrated when `goto` and `reload` return. On a busy machine that is seconds after
 * the load event, and what is pressed in between reaches nobody.
 */
export const test = base.extend<object, { browser: Browser }>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        return options?.javaScriptEnabled === false ? context : hydrating(context);
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
});

function hydrating(context: BrowserContext): BrowserContext {
  context.on("page", (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (...args) => {
      const response = await goto(...args);
      await hydrated(page);
      return response;
    };
    page.reload = async (...args) => {
      const response = await reload(...args);
      await hydrated(page);
      return response;
    };
  });
  return context;
}

/**
 * Waits until a page has hydrated, where a form or a link without script led to it. Pages of others, files and API answers
 * have no such meta and are not waited for.
 */
export async function hydrated(page: Page): Promise<void> {
  await page
    .waitForFunction(
      (meta) =>
        !document.querySelector(`meta[name="${meta}"]`) || "hydrated" in document.documentElement.dataset,
      viewerMeta,
      { timeout: hydratesWithinMs },
    )
    .catch(() => undefined);
}
