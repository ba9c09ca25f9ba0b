import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { useWords, WordsProvider } from "./client";
import type { Sentences } from "./words";

const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => complaints.mockClear());

const Sentence = () => useWords().t("common.cancel");
const within = (sentences: Sentences, children: ReactNode) =>
  createElement(WordsProvider, { locale: "en", sentences, children });

it("gives the sentences of every provider above, without a complaint in the log", () => {
  const page = within({ "common.cancel": "Cancel" }, within({ "nav.home": "Home" }, createElement(Sentence)));
  expect(renderToStaticMarkup(page)).toBe("Cancel");
  expect(complaints.mock.calls).toEqual([]);
});

it("reports a sentence that no provider brought, and shows its name", () => {
  expect(renderToStaticMarkup(within({}, createElement(Sentence)))).toBe("common.cancel");
  expect(String(complaints.mock.calls[0])).toContain("common.cancel");
});
