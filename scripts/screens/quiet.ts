import type { Page, Request } from "@playwright/test";

/** A page is quiet when it has asked for nothing for so long, in milliseconds. */
const QUIET_MS = 500;
/** On a machine that is busy with proofs. */
const PATIENCE_MS = 90_000;

/** Streams of events stay open for as long as the page does; Playwright's own "networkidle" waits for them. */
function isStream(request: Request): boolean {
  return (
    request.resourceType() === "eventsource" || /\/(events|subscribe)$/.test(new URL(request.url()).pathname)
  );
}

/**
 * Does something that makes a page load, and waits until it has what it asked for: streamed parts take the place of
 * their skeletons after the load event.
 * @throws when it goes on asking
 */
export async function untilQuiet(page: Page, load: () => Promise<unknown>): Promise<void> {
  const open = new Set<Request>();
  let last = Date.now();
  const begin = (request: Request) => {
    if (!isStream(request)) open.add(request);
  };
  const end = (request: Request) => {
    open.delete(request);
    last = Date.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  try {
    await load();
    const deadline = Date.now() + PATIENCE_MS;
    last = Date.now();
    while (open.size > 0 || Date.now() - last < QUIET_MS) {
      if (Date.now() > deadline) {
        throw new Error(`${page.url()} goes on asking for ${[...open].map((one) => one.url()).join(", ")}`);
      }
      await page.waitForTimeout(50);
    }
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}
