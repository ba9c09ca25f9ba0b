import { setImmediate as yieldToRequests } from "node:timers/promises";
import { type Handler, Parser } from "htmlparser2";

/** Maximum nesting of elements: htmlparser2's time grows with its square. */
export const maxNesting = 100;
/** Characters parsed at once: long HTML must not block other requests. */
const sliceLength = 64 * 1024;

/** Thrown for HTML whose elements are nested too deeply. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** Makes a parser for untrusted HTML; its `write` and `end` throw TooDeep beyond `maxNesting`. */
export function boundedParser(handler: Partial<Handler>): Parser {
  let depth = 0;
  return new Parser({
    ...handler,
    onopentagname(name) {
      depth += 1;
      if (depth > maxNesting) throw new TooDeep(`elements are nested more than ${maxNesting} deep`);
      handler.onopentagname?.(name);
    },
    onclosetag(name, isImplied) {
      depth -= 1;
      handler.onclosetag?.(name, isImplied);
    },
  });
}

/** Parses long HTML in slices and yields to other requests in between. @param afterSlice may throw to stop */
export async function parseInSlices(
  parser: Parser,
  html: string,
  afterSlice: () => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < html.length; at += sliceLength) {
    parser.write(html.slice(at, at + sliceLength));
    afterSlice();
    if (html.length > sliceLength) await yieldToRequests();
  }
  parser.end();
}

/** Escapes plain text for HTML, as content or attribute value. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
