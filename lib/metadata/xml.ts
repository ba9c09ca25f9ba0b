import Builder from "fast-xml-builder";

/** What an element holds: text, or elements by name; several of a name as a list, attributes as `@name`. */
type XmlContent = string | XmlElements;
export interface XmlElements {
  readonly [name: string]: XmlContent | readonly XmlContent[] | undefined;
}

const builder = new Builder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  suppressEmptyNode: true,
  processEntities: true,
});

/** An XML document of one root element. What cannot stand in XML is left out of its texts. */
export function xmlDocument(root: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(cleaned(root))}`;
}

/** All that XML 1.0 has no place for, however it is written (production 2, Char). */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function cleaned(content: XmlContent): XmlContent {
  if (typeof content === "string") return content.replace(impossible, "");
  const entries = Object.entries(content).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [
      [name, typeof value === "string" || !isList(value) ? cleaned(value) : value.map(cleaned)] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function isList(value: XmlElements | readonly XmlContent[]): value is readonly XmlContent[] {
  return Array.isArray(value);
}

/** Plain text as HTML, for elements that readers take as HTML. */
export function asHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
