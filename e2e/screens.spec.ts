import { readdirSync } from "node:fs";
import path from "node:path";
import { type BrowserContext, type CDPSession, expect, test } from "@playwright/test";
import { sessionCookieName } from "@/lib/session/cookie";
import { type Looker, SCREENS, type Screen } from "@/scripts/screens/list";
import { SIZES } from "@/scripts/screens/pictures";
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

/** Every screen: usable by everybody, at every size, in both themes, and without complaints of the browser. */

// Screens do not need each other: two workers share them.
test.describe.configure({ mode: "parallel" });
// The recorder would take much of the time, and a failure says by itself what is wrong.
test.use({ trace: "off" });

let seed: Seed;
test.beforeAll(async () => {
  seed = await seedPages();
});

/** The picture that is not there is the seed's doing, not the page's. */
function complaints(problems: readonly string[], screen: Screen): readonly string[] {
  return problems.filter((p) => !p.includes("example.invalid") && !screen.complaint?.test(p));
}

test.describe("screens @once", () => {
  /** One browser for everybody who looks: what a page needs is fetched once. */
  const browsers = new Map<Looker, BrowserContext>();
  test.afterAll(async () => {
    for (const context of browsers.values()) await context.close();
  });

  for (const screen of SCREENS) {
    test(screen.name, async ({ browser }) => {
      const context = browsers.get(screen.as) ?? (await browser.newContext({ reducedMotion: "reduce" }));
      browsers.set(screen.as, context);
      const page = await context.newPage();
      if (screen.as !== "guest") {
        await context.addCookies([
          { name: sessionCookieName, value: seed.tokens[screen.as], url: appOrigin },
        ]);
      }
      const problems = collectProblems(page);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await screen.before?.(page);
      await page.goto(screen.path(seed.places));
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
      await screen.prepare?.(page);
      await expect(page.locator(".skeleton").filter({ visible: true })).toHaveCount(0);

      await expectLandmarks(page);
      const touch = await context.newCDPSession(page);
      for (const { width } of SIZES) {
        await touchScreen(touch, width < 720);
        await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
        await expectNoSideways(page, width);
        if (width < 720) await expectTouchable(page);
        // The document has two shapes, with and without a side; the width between has the first one's colours.
        if (width === SIZES[1].width) continue;
        await expectAccessible(page);
        if (screen.repeats && width >= 720) continue;
        await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
        await expectContrast(page);
      }
      await expectNoSideways(page, 320);
      expect(complaints(problems, screen)).toEqual([]);
      await page.close();
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
  const seen = SCREENS.map((screen) => new URL(screen.path(seed.places), appOrigin).pathname);
  const unseen = pages.filter((page) => {
    const address = page.replace(/\/\([^)]+\)/g, "").replace(/\[[^\]]+\]/g, "[^/]+") || "/";
    // A literal address is not an example of a page with a parameter: /topics/new is no topic.
    const isOther = (one: string) => pages.some((other) => other !== page && other === one);
    return !seen.some((one) => new RegExp(`^${address}$`).test(one) && !isOther(one));
  });
  expect(unseen).toEqual([]);
});
