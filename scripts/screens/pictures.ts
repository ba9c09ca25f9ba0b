import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "@playwright/test";

/** Widths every screen is looked at, with the height of a usual device of that width. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;
export type Size = (typeof SIZES)[number];

const THEMES = ["light", "dark"] as const;
/** Interfaces have few colours; more would only be the anti-aliasing of text. */
const COLOURS = 64;

type Compress = (png: Buffer) => Promise<Buffer>;

/** Reduces the palette where Next brought its image library along; elsewhere pictures stay as they are. */
async function compressor(): Promise<Compress> {
  try {
    const { default: sharp } = await import("sharp");
    return (png) =>
      sharp(png).png({ palette: true, colours: COLOURS, effort: 10, compressionLevel: 9 }).toBuffer();
  } catch {
    return async (png) => png;
  }
}

/** Cookies and storage of a browser, to show its pages in another one. */
export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Takes pictures into one folder. */
export class Camera {
  private taken = 0;
  private bytes = 0;

  private constructor(
    private readonly browser: Browser,
    readonly baseURL: string,
    private readonly out: string,
    private readonly compress: Compress,
  ) {}

  static async open(browser: Browser, baseURL: string, out: string): Promise<Camera> {
    await mkdir(out, { recursive: true });
    return new Camera(browser, baseURL, out, await compressor());
  }

  /** "96 pictures, 3.4 MB". */
  get summary(): string {
    return `${this.taken} pictures, ${(this.bytes / 1e6).toFixed(1)} MB`;
  }

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
      const small = await this.compress(png);
      await writeFile(path.join(this.out, `${name}-${width}-${colorScheme}.png`), small);
      this.taken++;
      this.bytes += small.length;
    }
  }
}
