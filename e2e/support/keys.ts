import { expect, type Locator, type Page } from "@playwright/test";

/** Going through a page without a pointer. */

/** More stops than any page has between two things one wants. */
const FAR = 120;

/** Presses Tab until this has the focus; at each stop it shows where the focus is. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target.first()).toBeVisible();
  for (let stop = 0; stop < FAR; stop += 1) {
    await page.keyboard.press(key);
    await expectFocusShows(page);
    if (await hasFocus(target)) return;
  }
  throw new Error(`${key} does not lead to ${target}`);
}

/** Goes there and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Whether one of these has the focus. */
export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((found) => found.some((element) => element === document.activeElement));
}

/** A ring around what has the focus, or around the card that stands for it; in a text the caret is enough. */
async function expectFocusShows(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const at = document.activeElement;
    // Past the last stop the browser's own controls have their turn.
    if (!(at instanceof HTMLElement) || at === document.body) return null;
    const typed =
      'textarea, [contenteditable="true"], input:not([type="radio"], [type="checkbox"], [type="range"])';
    if (at.matches(typed)) return null;
    // Reading goes on at a heading that a script leads to; there is nothing to press, and Tab does not stop there.
    if (at.matches(':is(h1, h2, h3)[tabindex="-1"]')) return null;
    const rings = [at, at.closest("label"), at.parentElement].some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
    });
    return rings ? null : at.outerHTML.slice(0, 200);
  });
  expect(hidden, "the focus shows").toBeNull();
}
