import { SaxesParser } from "saxes";

/** An element of a document that was read. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of elements in it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/**
 * Reads a document as strictly as XML 1.0 asks.
 * @throws for anything that is not well-formed, characters that cannot stand in XML among it
 */
export function readXml(text: string): XmlElement {
  interface Open {
    name: string;
    attributes: Record<string, string>;
    text: string;
    children: Open[];
  }
  const top: Open = { name: "", attributes: {}, text: "", children: [] };
  const open = [top];
  const parser = new SaxesParser({ xmlns: false });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: Open = { name, attributes, text: "", children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (found) => {
    const current = open.at(-1);
    if (current) current.text += found;
  });
  parser.on("closetag", () => open.pop());
  parser.write(text).close();
  const [root] = top.children;
  if (!root) throw new Error("a document without an element");
  return root;
}

/** All elements of this name, however deep. */
export function elements(root: XmlElement, name: string): XmlElement[] {
  const here = root.name === name ? [root] : [];
  return [...here, ...root.children.flatMap((child) => elements(child, name))];
}

/** Text of the first child of this name. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}
