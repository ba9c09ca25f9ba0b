import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { footerLinks } from "./footer-links";

const app = path.resolve(import.meta.dirname, "../../app");

it("every link of the footer leads to a page", () => {
  // Folders in parentheses are not in the address.
  const pages = readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "page.tsx")
    .map((file) => `/${path.dirname(file).replaceAll(/\([^)]+\)\/?/g, "")}`);
  expect(pages).toContain("/topics/new");
  expect(footerLinks.map(({ href }) => href).filter((href) => !pages.includes(href))).toEqual([]);
});
