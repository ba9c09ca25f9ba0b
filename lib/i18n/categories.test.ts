import { expect, it } from "vitest";
import { seededCategories } from "@/db/seeded-categories";
import { categoryName } from "./categories";

it("every seeded category has a name of its own in Korean, and keeps its own in English", () => {
  const korean = seededCategories.map((category) => categoryName({ locale: "ko" }, category));
  expect(new Set(korean).size).toBe(seededCategories.length);
  for (const name of korean) expect(name).toMatch(/\p{Script=Hangul}/u);
  for (const category of seededCategories)
    expect(categoryName({ locale: "en" }, category)).toBe(category.name);
});

it("a category of the operator's is called what they called it", () => {
  expect(categoryName({ locale: "ko" }, { slug: "bees", name: "Bees" })).toBe("Bees");
});
