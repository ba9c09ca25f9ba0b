import { readdirSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, type CDPSession, expect, type Page } from "@playwright/test";
import { sessionCookieName } from "@/lib/session/cookie";
import { testSettings } from "@/lib/settings/tools";
import { type Looker, SCREENS, type Screen } from "@/scripts/screens/list";
import { SIZES } from "@/scripts/screens/pictures";
import { language } from "@/scripts/screens/words";
import { appOrigin } from "./support/installation";
import {
  collectProblems,
  expectAccessible,
  expectContrast,
  expectLandmarks,
  expectNoSideways,
  expectTouchable,
} from "./support/page-checks";
import { type Seed, seedPages } from "./support/seed";
import { test } from "./support/test";

/** Every screen: usable by everybody, at every size, in both themes, and without complaints of the browser. */

// Screens do not need each other: two workers share them.
test.describe.configure({ mode: "parallel" });
// The recorder would take much of the time, and a failure says by itself what is wrong.
test.use({ trace: "off" });

let seed: Seed;
test.beforeAll(async () => {
  seed = await seedPages();
});

/** What links load ahead. A hundred pages in a minute ask for more of it than a person may, and other specs follow links. */
const LOADED_AHEAD = "_rsc=";

/** The picture that is not there is the seed's doing, and the blocked request ours, not the page's. */
function complaints(problems: readonly string[], screen: Screen): readonly string[] {
  const expected = (p: string) => p.includes("example.invalid") || p.includes(LOADED_AHEAD);
  return problems.filter((p) => !expected(p) && !screen.complaint?.test(p));
}

/** Whether every screen is judged at every width in both themes: `npm run assure`. */
const inFull = testSettings().ASSURE;

/** At which widths axe judges a screen in each theme; that it fits is judged at all widths all the same. */
function judgedAt(screen: Screen, index: number): Readonly<Record<"light" | "dark", readonly number[]>> {
  const [wide, , narrow] = SIZES.map(({ width }) => width);
  if (wide === undefined || narrow === undefined) throw new Error("two widths are judged");
  if (inFull) return { light: [wide, narrow], dark: screen.repeats ? [narrow] : [wide, narrow] };
  // In turn, so that what all screens share is judged in both ways.
  return index % 2 ? { light: [narrow], dark: [] } : { light: [wide], dark: [narrow] };
}

/** Somebody's browser, and the page in it that goes from screen to screen. */
interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly touch: CDPSession;
}

test.describe("screens @once", () => {
  /** What a page needs is fetched once for everybody who looks, and a new page takes longer than to go on in one. */
  const windows = new Map<Looker, Window>();
  test.afterAll(async () => {
    for (const { context } of windows.values()) await context.close();
  });

  /** The window of whoever looks at this screen; one of its own where something is done to the page beforehand. */
  async function windowOf(screen: Screen, browser: Browser): Promise<Window> {
    const open = screen.before ? undefined : windows.get(screen.as);
    if (open) return open;
    const context = await browser.newContext({ locale: language, reducedMotion: "reduce" });
    if (screen.as !== "guest") {
      await context.addCookies([{ name: sessionCookieName, value: seed.tokens[screen.as], url: appOrigin }]);
    }
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.setBlockedURLs", { urls: [`*${LOADED_AHEAD}*`] });
    const made = { context, page, touch: await context.newCDPSession(page) };
    if (!screen.before) windows.set(screen.as, made);
    return made;
  }

  for (const [index, screen] of SCREENS.entries()) {
    test(screen.name, async ({ browser }) => {
      const { context, page, touch } = await windowOf(screen, browser);
      const problems = collectProblems(page);
      await page.setViewportSize(SIZES[0]);
      await touchScreen(touch, false);
      await page.emulateMedia({ colorScheme: "light" });
      await screen.before?.(page);
      await page.goto(screen.path(seed.places));
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await screen.prepare?.(page);
      await expect(page.locator(".skeleton").filter({ visible: true })).toHaveCount(0);

      await expectLandmarks(page);
      const judged = judgedAt(screen, index);
      for (const { width } of SIZES) {
        await touchScreen(touch, width < 720);
        await expectNoSideways(page, width);
        if (width < 720) await expectTouchable(page);
        // The document has two shapes, with and without a side; the width between has the first one's colors.
        if (width === SIZES[1].width) continue;
        if (judged.light.includes(width)) await expectAccessible(page);
        if (!judged.dark.includes(width)) continue;
        await page.emulateMedia({ colorScheme: "dark" });
        await expectContrast(page);
        await page.emulateMedia({ colorScheme: "light" });
      }
      await expectNoSideways(page, 320);
      expect(complaints(problems, screen)).toEqual([]);
      if (screen.before) await context.close();
    });
  }
});

/** Whether the finger is the pointer, as on a phone. */
async function touchScreen(session: CDPSession, enabled: boolean): Promise<void> {
  await session.send("Emulation.setTouchEmulationEnabled", { enabled });
}

test("every page of the app is one of the screens @once", () => {
  const app = path.join(import.meta.dirname, "../app");
  const pages = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => `/${path.dirname(file)}`.replace(/\/\.$/, "/"));
  expect(pages.length).toBeGreaterThan(25);
  const addresses = SCREENS.map((screen) => new URL(screen.path(seed.places), appOrigin).pathname);
  // What next.config.ts rewrites.
  const seen = addresses.map((address) => address.replace(/^\/@/, "/people/"));
  const unseen = pages.filter((page) => {
    const address = page.replace(/\/\([^)]+\)/g, "").replace(/\[[^\]]+\]/g, "[^/]+") || "/";
    // A literal address is not an example of a page with a parameter: /topics/new is no topic.
    const isOther = (one: string) => pages.some((other) => other !== page && other === one);
    return !seen.some((one) => new RegExp(`^${address}$`).test(one) && !isOther(one));
  });
  expect(unseen).toEqual([]);
});
