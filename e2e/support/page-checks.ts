import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Collects what a page complains about: errors on its console (CSP violations among them) and exceptions. */
export function collectProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return problems;
}

/** Axe finds nothing that keeps people out. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNothingGrave(new AxeBuilder({ page }));
}

/** In the other theme only the colours differ, so only they are judged again. */
export function expectContrast(page: Page): Promise<void> {
  return expectNothingGrave(new AxeBuilder({ page }).withRules(["color-contrast"]));
}

async function expectNothingGrave(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((n) => n.html.slice(0, 200)).join("\n  ")}`);
  expect(grave).toEqual([]);
}

/** Nothing reaches over the right edge of a screen this wide. */
export async function expectNoSideways(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  // One frame for the layout to follow.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  const found = await page.evaluate((limit) => {
    const over = [...document.querySelectorAll("body *")].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > limit + 1;
    });
    return {
      // In an emulated phone the viewport itself grows with what overflows, so the wanted width is the measure.
      wide: document.documentElement.scrollWidth,
      over: over.slice(0, 5).map((element) => element.outerHTML.slice(0, 160)),
    };
  }, width);
  expect(found.wide, `at ${width} px these stick out: ${found.over.join("\n")}`).toBeLessThanOrEqual(width);
}
