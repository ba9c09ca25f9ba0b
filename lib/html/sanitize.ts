import sanitizeHtml, { type Attributes, type IOptions } from "sanitize-html";
import { isVisible } from "@/lib/contract/visible";

/** Tags of other editors and old pages, renamed to those this community uses. */
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

/** Our own uploads are named by path, so that posts do not depend on the site's origin. */
const uploadPath = /^\/uploads\/[A-Za-z0-9._~/-]+$/;

/** A class for the language of a code block, as editors and highlighters write it. */
const languageClass = /^language-[A-Za-z0-9_+#-]{1,30}$/;

interface SanitizedHtml {
  readonly html: string;
  /** True if the input had an inline image (data: URL), which `html` does not contain. */
  readonly hasInlineImage: boolean;
}

/** Keeps only what the allow-list names. Sanitizing the result again changes nothing. */
export function sanitizePostHtml(input: string): SanitizedHtml {
  let hasInlineImage = false;
  const options: IOptions = {
    allowedTags: [
      ...["p", "br", "hr", "h2", "h3", "h4", "blockquote", "ul", "ol", "li"],
      ...["table", "thead", "tbody", "tr", "th", "td"],
      ...["strong", "em", "s", "u", "code", "pre", "a", "img"],
    ],
    allowedAttributes: { a: ["href", "rel"], img: ["src", "alt", "width", "height"] },
    allowedClasses: { pre: [languageClass], code: [languageClass] },
    allowedSchemes: ["http", "https", "mailto"],
    allowedSchemesByTag: { img: ["https"] },
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    // The text inside these elements is not prose and is removed too.
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

/** Removes white space and control characters from a URL, as browsers do. */
function cleanAddress(address: string | undefined): string {
  return [...(address ?? "")].filter((c) => c > " " && c !== "\u007f").join("");
}

function parseAddress(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** Keeps a link whose URL is absolute and has an allowed scheme; otherwise keeps only its text. */
function link(attribs: Attributes): { tagName: string; attribs: Attributes } {
  const href = cleanAddress(attribs.href);
  const url = parseAddress(href);
  if (!url || !linkSchemes.has(url.protocol)) return { tagName: "span", attribs: {} };
  return { tagName: "a", attribs: { href, rel: "nofollow ugc noopener" } };
}

/** Width or height in whole pixels. */
const pixels = /^[1-9]\d{0,4}$/;

/**
 * Keeps an empty text alternative, which marks a decorative image. Keeps width and height only together; they reserve the
 * image's space while it loads.
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

const blockTag = /<\/?(?:p|br|hr|h[2-4]|blockquote|ul|ol|li|pre|table|tr|th|td)\b[^>]*>/g;
const anyTag = /<[^>]*>/g;
const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/**
 * Returns the text of sanitized HTML with white space collapsed. Relies on the guarantees of `sanitizePostHtml`: every
 * `<` starts one of its tags, and only four entities occur.
 */
export function plainText(sanitized: string): string {
  return sanitized
    .replace(blockTag, " ")
    .replace(anyTag, "")
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/gu, " ")
    .trim();
}

/** Returns the first `max` characters (code points) of a text, the last one an ellipsis if the text is longer. */
export function shorten(text: string, max: number): string {
  // A code point is one or two UTF-16 units.
  const characters = [...text.slice(0, 2 * max + 1)];
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}

/** Returns whether there is nothing to read or see. */
export function isBlank(sanitized: string): boolean {
  return !/<(?:img|hr)\b/.test(sanitized) && !isVisible(plainText(sanitized));
}
