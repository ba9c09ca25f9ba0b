import type { Browser, CDPSession, Page } from "@playwright/test";

/** "Slow 4G" as Lighthouse applies it to a browser: throughput in bytes per second, latency per request. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };

/**
 * The phone's speed as a BenchmarkIndex: a "high-end desktop" (from 1,500) that is slowed down four times, which makes it
 * a "mid-tier mobile" (125 to 800). Four times slower than any machine would be another phone on each.
 * Source: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
const PHONE_INDEX = 375;

export const slowPhone = `slow 4G (${Math.round(SLOW_4G.latency)} ms, ${((SLOW_4G.downloadThroughput * 8) / 1e6).toFixed(2)} Mbit/s) and the processor of a phone with Lighthouse's BenchmarkIndex ${PHONE_INDEX}`;

/** Makes a page as slow as on a slow phone. @returns the session that does, which ends with the page */
export async function slowDown(page: Page): Promise<CDPSession> {
  const rate = await slowdownOf(page.context().browser());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  return devtools;
}

let slowdown: Promise<number> | undefined;

/** Returns how many times this machine is faster than the phone; measured once. */
async function slowdownOf(browser: Browser | null): Promise<number> {
  slowdown ??= (async () => {
    if (!browser) throw new Error("a browser that was launched here is needed");
    const page = await browser.newPage();
    let best = 0;
    // Whatever else runs can only make the machine seem slower.
    for (let i = 0; i < 3; i += 1) best = Math.max(best, await benchmarkIndex(page));
    await page.close();
    return Math.max(1, best / PHONE_INDEX);
  })();
  return await slowdown;
}

/**
 * Measures Lighthouse's BenchmarkIndex in a page: how often in a tenth of a second a text of 10,000 characters is made,
 * and 100,000 numbers are copied, on average of the two. It names no function inside the page: tsx would keep the name
 * with a helper that the page does not have.
 */
async function benchmarkIndex(page: Page): Promise<number> {
  const texts = await page.evaluate(() => {
    const begin = performance.now();
    let rounds = 0;
    for (let made = 0; performance.now() - begin < 500 && made >= 0; rounds += 1) {
      let text = "";
      for (let i = 0; i < 10_000; i += 1) text += "a";
      made += text.length;
    }
    return (100 * rounds) / (performance.now() - begin);
  });
  const copies = await page.evaluate(() => {
    const from = Array.from({ length: 100_000 }, (_, i) => i);
    const to = [...from];
    const begin = performance.now();
    let rounds = 0;
    for (; performance.now() - begin < 500 && to.length > 0; rounds += 1) {
      for (let i = 0; i < from.length; i += 1) to[i] = from[i] ?? 0;
    }
    return (100 * rounds) / (performance.now() - begin);
  });
  return (texts + copies) / 2;
}
