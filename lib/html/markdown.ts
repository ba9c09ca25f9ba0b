import { Marked, type Token, type TokensList } from "marked";

/** Longer texts are pasted as they are. */
const LONGEST = 200_000;

/** What can mean something. A parser may take the square of their number, and longer. */
const MARKS = /[*_~`[\]<>\\|#+!-]|\d[.)]/g;
const MOST_MARKS = 2_000;
/** A line that begins with quotes and lists inside one another, deeper than anybody writes. */
const DEEP = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){13}/m;

/** What only Markdown says. Bare addresses and line breaks are in any text. */
const TELLING: ReadonlySet<string> = new Set([
  ...["blockquote", "code", "codespan", "del", "em"],
  ...["heading", "hr", "image", "list", "strong", "table"],
]);

const marked = new Marked({ gfm: true });

/**
 * Returns the HTML of pasted Markdown, of which the editor takes what posts may have; null for a text that is none. HTML
 * in the text stays text, and so does a picture that posts cannot show.
 */
export function htmlOfMarkdown(text: string): string | null {
  if (text.length > LONGEST) return null;
  const tokens = marked.lexer(text);
  let isMarkdown = false;
  let hasTitle = false;
  marked.walkTokens(tokens, (token) => {
    const isNamedLink = token.type === "link" && token.raw.startsWith("[");
    isMarkdown ||= TELLING.has(token.type) || isNamedLink;
    hasTitle ||= token.type === "heading" && token.depth === 1;
  });
  return isMarkdown ? meant(tokens, hasTitle) : null;
}

/**
 * Returns the HTML of a post that a client sent as Markdown, line breaks as they are; null for a text that takes too long to
 * parse: on two cores, 50,000 characters of what is left take less than half a second.
 */
export function htmlOfSent(text: string): string | null {
  if ((text.match(MARKS)?.length ?? 0) > MOST_MARKS || DEEP.test(text)) return null;
  return meant(new Marked({ gfm: true, breaks: true }).lexer(text), false);
}

/** Returns the HTML of a post that is written in Markdown, line breaks as they are. It has no pictures. */
export function htmlOfText(text: string): string {
  const tokens = new Marked({ gfm: true, breaks: true }).lexer(text);
  marked.walkTokens(tokens, (token) => {
    if (token.type === "image") Object.assign(token, { type: "text", text: token.raw, tokens: undefined });
  });
  return meant(tokens, false);
}

/** Returns the HTML of Markdown, each token as posts know it. */
function meant(tokens: TokensList, hasTitle: boolean): string {
  marked.walkTokens(tokens, (token) => {
    const meaning = meaningOf(token, hasTitle);
    if (meaning) Object.assign(token, meaning);
  });
  return marked.parser(tokens);
}

/** Returns what a token becomes, where posts have nothing like it. @param hasTitle whether headings begin at level 1 */
function meaningOf(token: Token, hasTitle: boolean): object | null {
  const { raw } = token;
  const asText = { type: "text", text: raw.trimEnd(), tokens: undefined };
  switch (token.type) {
    case "heading":
      // The first heading of a post is its title.
      return { depth: Math.min(Math.max(token.depth + (hasTitle ? 1 : 0), 2), 4) };
    case "html":
      return token.block ? { type: "paragraph", tokens: [{ raw, ...asText }] } : asText;
    case "image":
      return /^https:/i.test(token.href) ? null : asText;
    case "checkbox":
      return { type: "text", text: token.checked ? "☑ " : "☐ " };
    default:
      return null;
  }
}
