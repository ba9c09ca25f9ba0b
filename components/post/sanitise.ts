import DOMPurify from "dompurify";

// DOMPurify's default policy keeps svg, form and style; posts need none of them.
const tags = [
  ...["p", "br", "hr", "h1", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "b"],
  ...["em", "i", "u", "s", "del", "sub", "sup", "a", "img", "figure", "figcaption", "span", "div"],
  ...["table", "thead", "tbody", "tr", "th", "td"],
];
const attributes = [
  "href",
  "src",
  "alt",
  "title",
  "width",
  "height",
  "colspan",
  "rowspan",
  "start",
  "rel",
  "target",
];

/** HTML of a post with nothing left but the allowed elements and attributes. */
export function sanitise(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
  });
}
