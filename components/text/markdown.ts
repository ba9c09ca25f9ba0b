import { Lexer, type MarkedToken, type Token } from "marked";

/** A piece of a line. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "em" | "del"; readonly of: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly of: readonly Inline[] };

/** A paragraph, a quote, a list or a block of code; `typed` is shown as it was typed. */
export type Block =
  | { readonly kind: "paragraph"; readonly of: readonly Inline[] }
  | { readonly kind: "typed" | "code"; readonly text: string }
  | { readonly kind: "quote"; readonly of: readonly Block[] }
  | { readonly kind: "list"; readonly start: number | null; readonly items: readonly (readonly Block[])[] };

/** What can mean something. With more of it, a text takes too long to parse, and is no letter to anyone. */
const MARKS = /[*_~`[\]<>\\|#+-]|\d[.)]/g;
const MOST_MARKS = 500;
/** Quotes and lists inside one another. */
const DEEPEST = 6;

/**
 * Parses the Markdown that comments know: emphasis, code, quotes, lists and links to the web. Everything else, such as
 * HTML, pictures, headings and tables, stays as it was typed.
 */
export function parseMarkdown(text: string): readonly Block[] {
  const typed: readonly Block[] = [{ kind: "typed", text }];
  if ((text.match(MARKS)?.length ?? 0) > MOST_MARKS) return typed;
  try {
    return blocksOf(new Lexer({ gfm: true, breaks: true }).lex(text), 0);
  } catch {
    // The parser calls itself for each level of a text, and the text may have too many.
    return typed;
  }
}

const KNOWN = {
  blockquote: true,
  br: true,
  checkbox: true,
  code: true,
  codespan: true,
  def: true,
  del: true,
  em: true,
  escape: true,
  heading: true,
  hr: true,
  html: true,
  image: true,
  link: true,
  list: true,
  list_item: true,
  paragraph: true,
  space: true,
  strong: true,
  table: true,
  text: true,
} satisfies Record<MarkedToken["type"], true>;

/** All that the lexer makes without extensions. */
function isKnown(token: Token): token is MarkedToken {
  return token.type in KNOWN;
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  return tokens.filter(isKnown).flatMap((token) => blockOf(token, depth));
}

function blockOf(token: MarkedToken, depth: number): Block | readonly Block[] {
  if (token.type === "space" || token.type === "checkbox") return [];
  if (token.type === "paragraph" || token.type === "text") {
    return {
      kind: "paragraph",
      of: token.tokens ? inlinesOf(token.tokens) : [{ kind: "text", text: token.raw }],
    };
  }
  if (token.type === "code") return { kind: "code", text: token.text };
  if (depth < DEEPEST) {
    if (token.type === "blockquote") return { kind: "quote", of: blocksOf(token.tokens, depth + 1) };
    if (token.type === "list") {
      return {
        kind: "list",
        start: token.ordered ? Number(token.start) : null,
        items: token.items.map(({ tokens }) => blocksOf(tokens, depth + 1)),
      };
    }
  }
  return { kind: "typed", text: token.raw.replace(/\n+$/, "") };
}

function inlinesOf(tokens: readonly Token[]): Inline[] {
  return tokens.filter(isKnown).map((token): Inline => {
    switch (token.type) {
      case "strong":
      case "em":
      case "del":
        return { kind: token.type, of: inlinesOf(token.tokens) };
      case "codespan":
        return { kind: "code", text: token.text };
      case "br":
        return { kind: "break" };
      case "escape":
        return { kind: "text", text: token.text };
      case "link": {
        const url = URL.parse(token.href);
        return url?.protocol === "https:" || url?.protocol === "http:"
          ? { kind: "link", href: url.href, of: inlinesOf(token.tokens) }
          : { kind: "text", text: token.raw };
      }
      default:
        return { kind: "text", text: token.raw };
    }
  });
}

/** Returns what a comment says, on one line and without its marks, for lists of comments. */
export function plainMarkdown(text: string): string {
  return parseMarkdown(text).map(plainBlock).join(" ").replace(/\s+/gu, " ").trim();
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return plainInlines(block.of);
    case "quote":
      return block.of.map(plainBlock).join(" ");
    case "list":
      return block.items.map((item) => item.map(plainBlock).join(" ")).join(" ");
    default:
      return block.text;
  }
}

function plainInlines(inlines: readonly Inline[]): string {
  return inlines
    .map((one) => ("of" in one ? plainInlines(one.of) : one.kind === "break" ? " " : one.text))
    .join("");
}
