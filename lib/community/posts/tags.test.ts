import { describe, expect, it } from "vitest";
import { readTags, tagSlug } from "./tags";

describe("tagSlug", () => {
  it.each([
    ["Zero Knowledge", "zero-knowledge"],
    ["  C++ / Rust!  ", "c-rust"],
    ["한국어 태그", "한국어-태그"],
    ["ＦＵＬＬ　Ｗｉｄｔｈ", "full-width"],
    ["Été", "été"],
    ["हिन्दी", "हिन्दी"],
    ["❤️ love", "love"],
    ["--a--b--", "a-b"],
    ["№ 5", "no-5"],
    ["<script>", "script"],
    ["!!!", ""],
  ])("%s -> %s", (name, slug) => {
    expect(tagSlug(name)).toBe(slug);
  });

  it("is a fixed point", () => {
    for (const name of ["Zero Knowledge", "हिन्दी", "Été", "№ 5"]) {
      expect(tagSlug(tagSlug(name))).toBe(tagSlug(name));
    }
  });
});

describe("readTags", () => {
  it("keeps the first spelling of a slug", () => {
    expect(readTags(["Zero Knowledge", "zero-knowledge", "b"])).toEqual([
      { name: "Zero Knowledge", slug: "zero-knowledge" },
      { name: "b", slug: "b" },
    ]);
  });

  it("refuses a tag without letters and one that grows too long, naming it", () => {
    expect(() => readTags(["ok", "!!!"])).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: "tags.1" }) }),
    );
    // One character that normalizes to eighteen.
    expect(() => readTags(["ﷺ".repeat(50)])).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: "tags.0" }) }),
    );
  });
});
