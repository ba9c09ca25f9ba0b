import { chromium, devices } from "@playwright/test";
import { slowDown, slowPhone } from "@/lib/testing/slow-phone";
import { median } from "@/prover/barretenberg";
import playwrightConfig from "../../../playwright.config";
import type { Row } from "../row";

const VISITS = 5;

export const slowPhoneNote = `First paint is First Contentful Paint in Chromium as a Pixel 7 with an empty cache, ${slowPhone}: the median of ${VISITS} visits.`;

/** A page that a phone visits. */
export interface Visited {
  readonly name: string;
  readonly url: string;
  /** The visitor's session; guests have none. */
  readonly cookie: { readonly name: string; readonly value: string } | null;
}

/** Measures when a slow phone shows the first text or picture of each page. */
export async function firstPaintRows(pages: readonly Visited[]): Promise<Row[]> {
  const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
  try {
    const rows: Row[] = [];
    for (const page of pages) {
      const times: number[] = [];
      for (let visit = 0; visit < VISITS; visit += 1) times.push(await firstPaint(browser, page));
      rows.push({ name: `${page.name}: first paint on a slow phone`, value: median(times), unit: "ms" });
    }
    return rows;
  } finally {
    await browser.close();
  }
}

async function firstPaint(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  { url, cookie }: Visited,
): Promise<number> {
  const context = await browser.newContext({ ...devices["Pixel 7"] });
  try {
    if (cookie) await context.addCookies([{ ...cookie, url }]);
    const page = await context.newPage();
    await slowDown(page);
    await page.goto(url, { waitUntil: "commit", timeout: 120_000 });
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries()) {
              if (name === "first-contentful-paint") resolve(startTime);
            }
          });
          observer.observe({ type: "paint", buffered: true });
        }),
    );
  } finally {
    await context.close();
  }
}
