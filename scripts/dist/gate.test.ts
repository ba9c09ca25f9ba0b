import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../stack/settings";
import { gateFiles } from "./gate";

const MAX_BYTES = 15 * 1024;

it("the element is at most 15 KiB, and the one that is served is that of its source (npm run build:gate)", async () => {
  const element = (await gateFiles()).get("gate.js") ?? "";
  expect(element).toContain("parley-gate");
  expect(Buffer.byteLength(element)).toBeLessThanOrEqual(MAX_BYTES);
  expect(readFileSync(path.join(ROOT, "public", "gate.js"), "utf8")).toBe(element);
});
