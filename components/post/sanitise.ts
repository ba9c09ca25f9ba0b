import DOMPurify from "dompurify";
import { memberPath, textParts } from "@/components/text/parts";

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

/** Whom a post names, and where the members of its topic are listed. */
export interface Naming {
  readonly names: readonly string[];
  readonly topicId: string;
}

/** HTML of a post with nothing left but the allowed elements and attributes; names in it become links. */
export function sanitise(html: string, naming: Naming): string {
  const options = {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // These are no addresses: the rule for addresses would take them away.
    ADD_URI_SAFE_ATTR: attributes.filter((name) => !["href", "src"].includes(name)),
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/)|#)/i,
  };
  const clean = DOMPurify.sanitize(html, options);
  if (naming.names.length === 0) return isSame(html, clean) ? html : clean;
  const body = document.implementation.createHTMLDocument().body;
  body.append(DOMPurify.sanitize(clean, { ...options, RETURN_DOM_FRAGMENT: true }));
  linkNames(body, naming);
  return body.innerHTML;
}

/** Whether two texts are the same elements: `<img>` and `<img />` are, and pictures would be loaded anew for nothing. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((html) => {
    const { body } = document.implementation.createHTMLDocument();
    body.innerHTML = html;
    return body;
  });
  return a?.isEqualNode(b ?? null) ?? false;
}

/** Makes links of names in text; what stands in links and code names nobody. */
function linkNames(root: HTMLElement, { names, topicId }: Naming): void {
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
        link.href = memberPath(topicId, part.nickname);
        link.textContent = part.text;
        return link;
      }),
    );
  }
}
