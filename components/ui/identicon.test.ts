import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Identicon } from "./identicon";

const COUNT = 3000;
const drawn = Array.from({ length: COUNT }, (_, i) => {
  const id = `u_${createHash("sha256").update(String(i)).digest("hex").slice(0, 32)}`;
  return renderToStaticMarkup(createElement(Identicon, { of: id }));
});

describe("identicons", () => {
  it("are the same for two accounts once in 300 pairs at most", () => {
    const counts = new Map<string, number>();
    for (const picture of drawn) counts.set(picture, (counts.get(picture) ?? 0) + 1);
    const pairs = [...counts.values()].reduce((sum, n) => sum + n * (n - 1), 0);
    expect(pairs / (COUNT * (COUNT - 1))).toBeLessThan(1 / 300);
  });

  it("have a color for every tint", () => {
    const css = readFileSync(path.resolve(import.meta.dirname, "../../app/rows.css"), "utf8");
    const tints = new Set(drawn.map((picture) => /tint-\d+/.exec(picture)?.[0] ?? "none"));
    expect(tints.size).toBe(8);
    for (const tint of tints) expect(css).toContain(`.${tint} {`);
  });
});
