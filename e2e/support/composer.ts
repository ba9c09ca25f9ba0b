import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { t } from "@/lib/i18n/english";

/** The parts of the composer, and what comes into it from other programs. */

export const title = (page: Page) => page.getByLabel(t("composer.titleLabel"), { exact: true });
export const body = (page: Page) => page.getByRole("textbox", { name: t("composer.bodyLabel"), exact: true });
export const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
export const answer = (page: Page | Locator, n: number) =>
  page.getByRole("textbox", { name: t("composer.pollOption", { n }), exact: true });
export const pictures = (page: Page) => page.getByRole("figure", { name: t("composer.picture") });
export const members = (page: Page) => page.getByRole("listbox", { name: t("mention.list") });
export const post = (page: Page) => button(page, t("composer.post")).click();

/** A picture of one colour, as base64. */
export async function png(background: string): Promise<string> {
  const create = { width: 640, height: 360, channels: 3, background } as const;
  return (await sharp({ create }).png().toBuffer()).toString("base64");
}

/** Pastes or drops into the text what other programs would hand over. */
export async function bring(
  page: Page,
  kind: "paste" | "drop",
  data: { png?: string; html?: string; text?: string },
) {
  await body(page).evaluate(
    (element, { kind, data: { png, html, text } }) => {
      const transfer = new DataTransfer();
      if (html) transfer.setData("text/html", html);
      if (text) transfer.setData("text/plain", text);
      if (png) {
        const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], "view.png", { type: "image/png" }));
      }
      const how = { bubbles: true, cancelable: true };
      const { x, y, height } = (element.lastElementChild ?? element).getBoundingClientRect();
      element.dispatchEvent(
        kind === "paste"
          ? new ClipboardEvent("paste", { ...how, clipboardData: transfer })
          : new DragEvent("drop", {
              ...how,
              dataTransfer: transfer,
              clientX: x + 2,
              clientY: y + height / 2,
            }),
      );
    },
    { kind, data },
  );
}
