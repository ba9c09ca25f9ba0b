import sanitizeHtml, { type Attributes, type IOptions } from "sanitize-html";
import { isVisible } from "@/lib/contract/visible";

/** Tags written in another way by editors and old pages, kept under the name this community uses. */
const renamed: Record<string, string> = {
  h1: "h2",
  h5: "h4",
  h6: "h4",
  b: "strong",
  i: "em",
  del: "s",
  strike: "s",
};

const linkSchemes = new Set(["http:", "https:", "mailto:"]);

/** Our own uploads are named by path, so that they move with the installation. */
const uploadPath = /^\/uploads\/[A-Za-z0-9._~/-]+$/;

/** A class that names the language of a code block, as editors and highlighters write it. */
const languageClass = /^language-[A-Za-z0-9_+#-]{1,30}$/;

export interface SanitizedHtml {
  readonly html: string;
  /** True when an image carried its bytes in the text (a data: address); such an image is not in `html`. */
  readonly hasInlineImage: boolean;
}

/**
 * Keeps what the allow-list names and nothing else. The result is a fixed point: sanitising it again changes
 * nothing.
 */
export function sanitizePostHtml(input: string): SanitizedHtml {
  let hasInlineImage = false;
  const options: IOptions = {
    allowedTags: [
      ...["p", "br", "hr", "h2", "h3", "h4", "blockquote", "ul", "ol", "li"],
      ...["strong", "em", "s", "u", "code", "pre", "a", "img"],
    ],
    allowedAttributes: { a: ["href", "rel"], img: ["src", "alt", "width", "height"] },
    allowedClasses: { pre: [languageClass], code: [languageClass] },
    allowedSchemes: ["http", "https", "mailto"],
    allowedSchemesByTag: { img: ["https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    // The text inside these is not prose: it goes with its element.
    nonTextTags: [
      ...["script", "style", "textarea", "option", "noscript", "iframe", "noembed", "noframes"],
      ...["template", "xmp", "title", "svg", "math", "object"],
    ],
    nestingLimit: 40,
    transformTags: {
      ...renamed,
      a: (_, attribs) => link(attribs),
      img: (_, attribs) => {
        const source = cleanAddress(attribs.src);
        if (/^data:/i.test(source)) hasInlineImage = true;
        return { tagName: "img", attribs: imageAttributes(source, attribs) };
      },
    },
    exclusiveFilter: (frame) => frame.tag === "img" && !frame.attribs.src,
  };
  return { html: sanitizeHtml(input, options).trim(), hasInlineImage };
}

/** An address as browsers read it: white space and control characters do not count. */
function cleanAddress(address: string | undefined): string {
  return [...(address ?? "")].filter((c) => c > " " && c !== "\u007f").join("");
}

function parseAddress(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** A link keeps its address only when it is absolute and of a harmless scheme; else its text stays as text. */
function link(attribs: Attributes): { tagName: string; attribs: Attributes } {
  const href = cleanAddress(attribs.href);
  const url = parseAddress(href);
  if (!url || !linkSchemes.has(url.protocol)) return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href, rel: "nofollow ugc noopener" } };
}

/** Whole pixels, as many as an image may have on one side. */
const pixels = /^[1-9]\d{0,4}$/;

/**
 * An empty text alternative stays: it says that the image adds nothing to the words. So do width and height, which keep
 * its place while it loads, but only both of them.
 */
function imageAttributes(source: string, { alt, width = "", height = "" }: Attributes): Attributes {
  const ours = uploadPath.test(source) && !source.includes("..") && !source.includes("//");
  if (!ours && parseAddress(source)?.protocol !== "https:") return {};
  return {
    src: source,
    ...(alt === undefined ? {} : { alt }),
    ...(pixels.test(width) && pixels.test(height) ? { width, height } : {}),
  };
}

const blockTag = /<\/?(?:p|br|hr|h[2-4]|blockquote|ul|ol|li|pre)\b[^>]*>/g;
const anyTag = /<[^>]*>/g;
const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * The words of sanitised HTML, white space collapsed. Relies on what `sanitizePostHtml` guarantees: every `<`
 * starts one of its tags, and only four entities occur.
 */
export function plainText(sanitized: string): string {
  return sanitized
    .replace(blockTag, " ")
    .replace(anyTag, "")
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/gu, " ")
    .trim();
}

/** The first `max` characters (code points) of a text, the last one an ellipsis when something was cut off. */
export function shorten(text: string, max: number): string {
  // A character is one unit of a string, or two.
  const characters = [...text.slice(0, 2 * max + 1)];
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}

/** True when there is nothing to read or see. */
export function isBlank(sanitized: string): boolean {
  return !/<(?:img|hr)\b/.test(sanitized) && !isVisible(plainText(sanitized));
}
