import { expect, type Page, type Request, test } from "@playwright/test";
import { contract } from "@/lib/contract";
import { t } from "@/lib/i18n/english";
import { slowDown } from "@/lib/testing/slow-phone";
import { uniqueWord } from "./support/installation";
import { browserOf, person, topicOf } from "./support/people";

test.use({ serviceWorkers: "allow" });

/** The longest from the press until the first new thing can be read. */
const mostMs = 1000;
/** What one reads on Home before one presses. */
const readingMs = 2000;
/** The most that the server may need meanwhile for what is loaded ahead: a machine where it is slow is no slow phone. */
const aheadMs = 10_000;

test("who returns on a slow phone has the first new thing with one tap, within a second @once @alone", async ({
  browser,
}) => {
  const word = uniqueWord();
  const [owner, reader] = [await person(`ret_${word}`), await person(`rea_${word}`)];
  const topicId = await topicOf(owner, `Return ${word}`, [reader]);
  const viewport = { width: 390, height: 844 };
  const context = await browserOf(browser, reader, { viewport, isMobile: true, hasTouch: true });
  const visit = async (title: string, { isSlow }: { readonly isSlow: boolean }): Promise<number> => {
    await owner.api.call(contract.posts.create, { topicId, title, content: "<p>Read me.</p>" });
    const page = await context.newPage();
    if (isSlow) await slowDown(page);
    const ahead = loadedAhead(page, `/topics/${topicId}`);
    await page.goto("/");
    const away = page.getByRole("region", { name: t("away.title") });
    const link = away.getByRole("link", { name: t("away.posts", { n: 1 }) });
    await expect(link).toBeInViewport();
    await page.waitForTimeout(readingMs);
    await expect.poll(ahead, { timeout: aheadMs }).toBe(true);
    const shown = timeToShow(page, `/topics/${topicId}`, title);
    const isRead = page.waitForResponse((response) => response.url().endsWith("/read") && response.ok());
    await link.tap();
    const ms = await shown;
    await isRead;
    await page.close();
    return ms;
  };
  // What the browser keeps of earlier visits is there when its user returns.
  for (const n of [1, 2]) await visit(`Before ${n} ${word}`, { isSlow: false });
  const times: number[] = [];
  for (const n of [1, 2, 3]) times.push(Math.round(await visit(`News ${n} ${word}`, { isSlow: true })));
  await context.close();
  const median = times.toSorted((one, other) => one - other)[1];
  expect(median, `of ${times.join(", ")} ms`).toBeLessThan(mostMs);
});

/**
 * Returns whether a whole page of an address has arrived. It is requested after the layouts around it, so that there is a
 * moment in which nothing is being loaded and the page has not been either.
 */
function loadedAhead(page: Page, pathname: string): () => boolean {
  let isLoaded = false;
  const end = (request: Request) => {
    const { pathname: path } = new URL(request.url());
    if (path === pathname && !("next-router-prefetch" in request.headers())) isLoaded = true;
  };
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return () => isLoaded;
}

/** Measures from the next click until the page at an address has painted a text. @returns milliseconds */
async function timeToShow(page: Page, pathname: string, text: string): Promise<number> {
  return await page.evaluate(
    ([path, words]) =>
      new Promise<number>((resolve) => {
        const begin = ({ timeStamp }: MouseEvent) => {
          const look = () => {
            if (location.pathname !== path) return;
            if (!document.querySelector("main")?.textContent.includes(words)) return;
            observer.disconnect();
            // After the frame that has it.
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)));
          };
          const observer = new MutationObserver(look);
          observer.observe(document, { subtree: true, childList: true, characterData: true });
        };
        addEventListener("click", begin, { once: true, capture: true });
      }),
    [pathname, text] as const,
  );
}
