import DOMPurify from "dompurify";
import { textParts } from "@/components/text/parts";
import { personPath } from "@/lib/client/places";

// DOMPurify's default policy keeps svg, form and style; posts need none of them.
const TAGS = [
  ...["p", "br", "hr", "h1", "h2", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "b"],
  ...["em", "i", "u", "s", "del", "sub", "sup", "a", "img", "figure", "figcaption", "span", "div"],
  ...["table", "thead", "tbody", "tr", "th", "td"],
];
/** Not URLs, which ALLOWED_URI_REGEXP below would judge. */
const PLAIN = ["alt", "title", "width", "height", "colspan", "rowspan", "start", "rel", "target"];

/** The class that names the language of code, as the server allows it. */
const LANGUAGE = /^language-[A-Za-z0-9_+#-]{1,30}$/;

DOMPurify.addHook("uponSanitizeAttribute", (element, attribute) => {
  if (attribute.attrName !== "class") return;
  attribute.keepAttr = /^(CODE|PRE)$/.test(element.nodeName) && LANGUAGE.test(attribute.attrValue);
});

/**
 * Removes all but the allowed elements and attributes from the HTML of a post, and links mentions.
 * @param names that it mentions
 */
export function sanitize(html: string, names: readonly string[]): string {
  const options = {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "src", "class", ...PLAIN],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ADD_URI_SAFE_ATTR: PLAIN,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
  };
  const clean = DOMPurify.sanitize(html, options);
  if (names.length === 0) return isSame(html, clean) ? html : clean;
  const body = document.implementation.createHTMLDocument().body;
  body.append(DOMPurify.sanitize(clean, { ...options, RETURN_DOM_FRAGMENT: true }));
  linkMentions(body, names);
  return body.innerHTML;
}

/** Returns whether two texts parse to the same elements, as `<img>` and `<img />` do. Pictures then need not reload. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((html) => {
    const { body } = document.implementation.createHTMLDocument();
    body.innerHTML = html;
    return body;
  });
  return a?.isEqualNode(b ?? null) ?? false;
}

/** Links mentions in text outside of links and code. */
function linkMentions(root: HTMLElement, names: readonly string[]): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node instanceof Text && !node.parentElement?.closest("a, code, pre")) texts.push(node);
  }
  for (const text of texts) {
    const parts = textParts(text.data, { names });
    if (!parts.some(({ kind }) => kind === "mention")) continue;
    text.replaceWith(
      ...parts.map((part) => {
        if (part.kind !== "mention") return part.text;
        const link = root.ownerDocument.createElement("a");
        link.href = personPath(part.nickname);
        link.textContent = part.text;
        return link;
      }),
    );
  }
}
