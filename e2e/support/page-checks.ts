import { type ConsoleMessage, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { smallTargets } from "./targets";

/** Collects what a page complains about: errors on its console (CSP violations among them) and exceptions. */
export function collectProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message: ConsoleMessage) => {
    // Posts of other tests may show pictures of servers that do not exist, which this site asks for.
    const { url } = message.location();
    const isGonePicture = message.text().includes("502") && url.includes("/api/og/image?");
    if (message.type() === "error" && !isGonePicture) problems.push(`${message.text()} (${url})`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return problems;
}

const COLORS = "color-contrast";

/** Axe finds nothing that keeps people out. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await gravities(page, {})).toEqual([]);
}

/** In the other theme only the colors differ, so only they are judged again. */
export async function expectContrast(page: Page): Promise<void> {
  expect(await gravities(page, { runOnly: { type: "rule", values: [COLORS] } })).toEqual([]);
}

/**
 * What axe calls serious or critical in the page's own document, as text. Run by itself and not by its Playwright package, which
 * opens another page to put frames together: nobody's frames are ours to judge, and it takes three times as long.
 */
async function gravities(page: Page, choice: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // After a link, Next streams the title behind the content.
  await expect(page).toHaveTitle(/./);
  // What fades in does not have its colors yet.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  return page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, {
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
      ...rules,
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, help, nodes }) =>
          `${id}: ${help}\n  ${nodes.map((node) => node.html.slice(0, 200)).join("\n  ")}`,
      );
  }, choice);
}

declare global {
  interface Window {
    /** Put there by `gravities`. */
    axe: typeof axe;
  }
}

/** Nothing reaches over the right edge of a screen this wide. */
export async function expectNoSideways(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  const found = await page.evaluate(async (limit) => {
    // One frame for the layout to follow.
    await new Promise((done) => requestAnimationFrame(done));
    const wide = document.documentElement.scrollWidth;
    // In an emulated phone the viewport itself grows with what overflows, so the wanted width is the measure.
    if (wide <= limit) return { wide, over: [] };
    const over = [...document.querySelectorAll("body *")].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > limit + 1;
    });
    return { wide, over: over.slice(0, 5).map((element) => element.outerHTML.slice(0, 160)) };
  }, width);
  expect(found.wide, `at ${width} px these stick out: ${found.over.join("\n")}`).toBeLessThanOrEqual(width);
}

/** One main heading, one main part, and the ways around it by name. */
export async function expectLandmarks(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const all = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
    return {
      main: all("main").length,
      h1: all("h1").length,
      mains: all("main h1").length,
      namelessNav: all("nav:not([aria-label]):not([aria-labelledby])").length,
      nav: all("nav").length > 0,
    };
  });
  expect(found).toEqual({ main: 1, h1: 1, mains: 1, namelessNav: 0, nav: true });
}

/** On a touch screen everything that is pressed is 44 px high and wide, but for links within sentences. */
export async function expectTouchable(page: Page): Promise<void> {
  expect(await page.evaluate(smallTargets)).toEqual([]);
}
