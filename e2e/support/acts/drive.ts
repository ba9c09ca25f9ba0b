import { type BrowserContext, expect, type Page, type Request } from "@playwright/test";
import { t } from "@/lib/i18n/english";
import type { Stage } from "./act";

/** As a server that fails says it. */
const BROKEN = { error: "Something went wrong in the engine room.", code: "internal", requestId: "r1" };

/**
 * Does an act while its request is cut off, while the server fails, without a network, and then with an answer that takes its time:
 * each is said in a sentence, what was there is still there, it can be repeated, and pressing twice does it once.
 */
export async function drive(page: Page, context: BrowserContext, stage: Stage): Promise<void> {
  const { button, call, kept, pending } = stage;
  const press = () => (stage.press ? stage.press(page) : button(page).click());
  const isIt = (request: Request) =>
    request.method() === call.method && call.path.test(new URL(request.url()).pathname);
  const any = (url: URL) => call.path.test(url.pathname);
  const says = async (sentence: string) => {
    const told = page.getByRole("alert").or(page.getByRole("region", { name: t("common.messages") }));
    await expect(told.getByText(sentence).filter({ visible: true }).first()).toBeVisible();
    await kept?.(page);
  };

  await stage.before?.(page);
  await page.goto(stage.path);
  await stage.open?.(page);

  await page.route(any, (route) => (isIt(route.request()) ? route.abort() : route.fallback()));
  await press();
  await says(t("problems.network"));
  await page.unroute(any);

  await page.route(any, (route) =>
    isIt(route.request()) ? route.fulfill({ status: 500, json: BROKEN }) : route.fallback(),
  );
  await press();
  await says(BROKEN.error);
  await page.unroute(any);

  await context.setOffline(true);
  await press();
  await says(t("offline.nothingChanged"));
  await context.setOffline(false);

  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let asked = 0;
  await page.route(any, async (route) => {
    if (!isIt(route.request())) return route.fallback();
    asked += 1;
    await held;
    await route.continue();
  });
  await press();
  await (pending ? pending(page) : expect(button(page)).toHaveAttribute("aria-busy", "true"));
  // As a finger does it that believes nothing has happened.
  if (await button(page).isVisible()) {
    await button(page).evaluate((element) => element instanceof HTMLElement && element.click());
  }
  answer();
  await stage.done(page);
  expect(asked, "pressed twice, done once").toBe(1);
  await page.unroute(any);
}
