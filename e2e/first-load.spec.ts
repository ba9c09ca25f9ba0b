import { expect, test } from "@playwright/test";

/** What a first visit to the feed costs a phone: Lighthouse's slow 4G and its processor, four times slower than this one. */
const slow4g = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const slowdown = 4;
const mostScriptKib = 130;
const mostPaintMs = 1_500;
const mostShift = 0.05;

test.use({ viewport: { width: 390, height: 844 } });

test("the feed's first load is small, early and still @once @alone", async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slow4g);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  // Told as they happen: the browser forgets neither.
  await page.addInitScript(`
    window.seen = { paint: 0, shift: 0 };
    new PerformanceObserver((list) => { for (const e of list.getEntries()) window.seen.paint = e.startTime; })
      .observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.seen.shift += e.value; })
      .observe({ type: "layout-shift", buffered: true });
  `);
  await page.goto("/", { waitUntil: "networkidle" });
  const seen = await page.evaluate<{ paint: number; shift: number }>("window.seen");
  // What the page itself needs: what it fetches ahead for the next one comes after it.
  const html = await (await page.request.get("/")).text();
  const own = [...html.matchAll(/<script src="([^"]+)"(?! nomodule)/gi)].map(([, src = ""]) => src);
  const scripts = await page.evaluate(
    (paths) =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => paths.includes(new URL(name).pathname))
        .map((entry) => entry.encodedBodySize),
    own,
  );
  const kib = scripts.reduce((sum, size) => sum + size, 0) / 1024;
  console.log(`first load: ${kib.toFixed(1)} KiB of scripts, ${JSON.stringify(seen)}`);
  expect(scripts.length).toBeGreaterThan(5);
  expect(kib).toBeGreaterThan(90);
  expect(kib).toBeLessThanOrEqual(mostScriptKib);
  expect(seen.paint).toBeGreaterThan(0);
  expect(seen.paint).toBeLessThan(mostPaintMs);
  expect(seen.shift).toBeLessThan(mostShift);
});
