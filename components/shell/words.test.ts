import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { useWords } from "@/lib/i18n/client";
import { WordsProvider, type WordsProviderProps } from "./words";

const Sentence = () => useWords().t("common.cancel");

it("gives sentences on a server without a complaint in its log", () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
  const props: WordsProviderProps = {
    locale: "en",
    groups: { common: { cancel: "Cancel" } },
    children: createElement(Sentence),
  };
  expect(renderToStaticMarkup(createElement(WordsProvider, props))).toBe("Cancel");
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
});
