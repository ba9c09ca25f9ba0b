import { expect, type Page } from "@playwright/test";

/** Waits until the worker has these pages. */
export async function kept(page: Page, ...paths: readonly string[]): Promise<void> {
  const read = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith("parley-pages-"));
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => new URL(url).pathname);
    });
  await expect.poll(read).toEqual(expect.arrayContaining([...paths]));
}

/** Waits until the worker has the scripts of what can be done without a network. */
export async function ready(page: Page): Promise<void> {
  const worker = await (await page.request.get("/worker/sw.js")).text();
  const scripts = new Set(worker.match(/\/_next\/static\/chunks\/[^"]+\.js/g));
  const read = () => page.evaluate(async () => (await (await caches.open("parley-actions")).keys()).length);
  expect(scripts.size).toBeGreaterThan(20);
  await expect.poll(read, { timeout: 30_000 }).toBe(scripts.size);
}
