import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";
import type { Gallery } from "./gallery";

/** Widths every screen is looked at, with the height of a usual device of that width. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;
export type Size = (typeof SIZES)[number];

const THEMES = ["light", "dark"] as const;
/** Cookies and storage of a browser, to show its pages in another one. */
export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Takes pictures for a gallery. */
export class Camera {
  constructor(
    private readonly browser: Browser,
    private readonly baseURL: string,
    private readonly gallery: Gallery,
  ) {}

  /** A browser of this size, as somebody or as a guest. */
  context(size: Size, session?: Session): Promise<BrowserContext> {
    const phone = size.width < 720;
    const options: BrowserContextOptions = {
      baseURL: this.baseURL,
      viewport: size,
      isMobile: phone,
      hasTouch: phone,
      reducedMotion: "reduce",
      storageState: session,
    };
    return this.browser.newContext(options);
  }

  /** `<name>-<width>-<theme>.png`, in both themes. */
  async take(page: Page, name: string, options: { whole?: boolean } = {}): Promise<void> {
    const { width, height } = page.viewportSize() ?? SIZES[0];
    if (options.whole) {
      // A window as tall as the page: in Playwright's own full-page pictures fixed bars lie in the middle.
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(height, tall) });
    }
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const png = await page.screenshot({ animations: "disabled" });
      await this.gallery.add(`${name}-${width}-${colorScheme}.png`, png);
    }
  }
}
