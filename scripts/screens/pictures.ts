import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "@playwright/test";
import type { Gallery } from "./gallery";
import { language } from "./words";

/** The sizes in which every screen is shown, each with the height of a usual device of that width. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;
export type Size = (typeof SIZES)[number];

const THEMES = ["light", "dark"] as const;
/** Cookies and storage of a browser, for use in another one. */
export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Takes screenshots for a gallery. */
export class Camera {
  readonly #browser: Browser;
  readonly #baseURL: string;
  readonly #gallery: Gallery;

  constructor(browser: Browser, baseURL: string, gallery: Gallery) {
    this.#browser = browser;
    this.#baseURL = baseURL;
    this.#gallery = gallery;
  }

  /** Opens a browser of this size, with a session or as a guest. */
  context(size: Size, session?: Session): Promise<BrowserContext> {
    const phone = size.width < 720;
    const options: BrowserContextOptions = {
      baseURL: this.#baseURL,
      viewport: size,
      isMobile: phone,
      hasTouch: phone,
      locale: language,
      reducedMotion: "reduce",
      storageState: session,
    };
    return this.#browser.newContext(options);
  }

  /** Takes `<name>-<width>-<theme>.png` in both themes. */
  async take(page: Page, name: string, options: { whole?: boolean } = {}): Promise<void> {
    const { width, height } = page.viewportSize() ?? SIZES[0];
    if (options.whole) {
      // A window as tall as the page: in Playwright's full-page screenshots fixed bars are in the middle.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(height, tall) });
    }
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const png = await page.screenshot({ animations: "disabled" });
      await this.#gallery.add(`${name}-${width}-${colorScheme}.png`, png);
    }
  }
}

/** A page is quiet when it has requested nothing for this long. */
const QUIET_MS = 500;
/** Long enough for a machine that is busy with proofs. */
const PATIENCE_MS = 90_000;

/** Event streams stay open as long as the page; Playwright's "networkidle" would wait for them. */
function isStream(request: Request): boolean {
  return (
    request.resourceType() === "eventsource" || /\/(events|subscribe)$/.test(new URL(request.url()).pathname)
  );
}

/**
 * Runs `load` and waits until the page has received everything it requested: streamed parts replace their skeletons after
 * the load event.
 * @throws Error when the page does not become quiet
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
        throw new Error(`${page.url()} keeps requesting ${[...open].map((one) => one.url()).join(", ")}`);
      }
      await page.waitForTimeout(50);
    }
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}
