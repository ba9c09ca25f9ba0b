import { expect, it } from "vitest";
import { keptPages, type PageOfPosts } from "./kept-pages";

const page = (cursor: string): PageOfPosts => ({ cursor, posts: [], next: null });

it("keeps the pages of a list for its reader, and forgets them for another", () => {
  keptPages("ada").keep("/ a", [page("a")]);
  expect(keptPages("ada").of("/ a")).toEqual([page("a")]);
  expect(keptPages("ada").of("/ b")).toEqual([]);
  for (const other of ["bela", null]) expect(keptPages(other).of("/ a")).toEqual([]);
  expect(keptPages("ada").of("/ a")).toEqual([]);
});

it("keeps the lists that were left last", () => {
  const { keep, of } = keptPages("cleo");
  for (let n = 0; n <= 20; n += 1) keep(`/ ${n}`, [page(String(n))]);
  expect(of("/ 0")).toEqual([]);
  expect(of("/ 1")).toEqual([page("1")]);
  expect(of("/ 20")).toEqual([page("20")]);
});
