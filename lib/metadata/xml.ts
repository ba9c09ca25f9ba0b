import Builder from "fast-xml-builder";

/** Content of an element: text, or elements by name. A list repeats an element; `@name` is an attribute. */
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

/** Writes an XML document with one root element. Removes characters that XML does not allow. */
export function xmlDocument(root: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(cleaned(root))}`;
}

/** Characters that XML 1.0 does not allow, even escaped (production 2, Char). */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function cleaned(content: XmlContent): XmlContent {
  if (typeof content === "string") return content.replace(forbidden, "");
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
