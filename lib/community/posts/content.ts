import { Refusal } from "@/lib/errors";
import { isBlank, plainText, sanitizePostHtml, shorten } from "@/lib/html";
import { searchText } from "../text-search";

/** Characters of plain text that lists show of a post. */
const summaryLength = 280;

export interface PostContent {
  /** Sanitised HTML, as it is stored and returned. */
  readonly html: string;
  readonly summary: string;
  /** What a search looks in. */
  readonly search: string;
}

/**
 * Makes post HTML safe to store and derives what lists and searches need from it.
 * @throws Refusal invalid_request with field content: nothing left to read, or an image inside the text
 */
export function preparePostContent(title: string, content: string): PostContent {
  const { html, hasInlineImage } = sanitizePostHtml(content);
  // Dropping the image would lose it without a word.
  if (hasInlineImage) {
    throw new Refusal(
      "invalid_request",
      "Images inside the text cannot be taken: link them by https address.",
      {
        field: "content",
      },
    );
  }
  if (isBlank(html)) {
    throw new Refusal("invalid_request", "The content is empty, or nothing of it may be shown.", {
      field: "content",
    });
  }
  const text = plainText(html);
  return { html, summary: shorten(text, summaryLength), search: searchText(title, text) };
}
