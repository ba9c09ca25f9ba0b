import { expect, it, vi } from "vitest";

// Before the text engine is loaded: a machine without any font of its own, as containers are.
const folder = await vi.hoisted(async () => {
  const { mkdtempSync, writeFileSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const made = mkdtempSync(join(tmpdir(), "parley-no-fonts-"));
  writeFileSync(join(made, "fonts.conf"), `<fontconfig><cachedir>${made}</cachedir></fontconfig>`);
  process.env.FONTCONFIG_FILE = join(made, "fonts.conf");
  return made;
});

import { rmSync } from "node:fs";
import { afterAll } from "vitest";
import { renderText } from "./draw";

afterAll(() => rmSync(folder, { recursive: true }));

const style = { size: 76, color: "#000000", width: 1_040, height: 304 } as const;

it.each([
  ["Latin", "A"],
  ["Latin with marks", "ž"],
  ["Cyrillic", "Ж"],
  ["Greek", "λ"],
  ["Hangul", "공"],
  ["a syllable of another file", "뷁"],
  ["Arabic", "ن"],
  ["Hebrew", "ש"],
  ["emoji", "🧵"],
])("has letters for %s on a machine without fonts", async (_, letter) => {
  for (const weight of ["regular", "strong"] as const) {
    // What no font has is drawn as a box with its number, of one size for all.
    const box = await renderText(letter.length > 1 ? "\u{f0000}" : "\ue000", { ...style, weight });
    const set = await renderText(letter, { ...style, weight });
    expect({ width: set?.width, height: set?.height }).not.toEqual({
      width: box?.width,
      height: box?.height,
    });
  }
});
