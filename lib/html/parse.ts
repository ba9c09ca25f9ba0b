import { setImmediate as yieldToRequests } from "node:timers/promises";
import { type Handler, Parser } from "htmlparser2";

/** Deepest nesting of elements that is read: htmlparser2 takes time by the square of it. */
export const maxNesting = 100;
/** Characters read at once: a long text must not keep other requests waiting. */
const sliceLength = 64 * 1024;

/** Thrown for HTML whose elements are nested too deeply. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/**
 * htmlparser2 for HTML from outside.
 * @returns a parser whose `write` and `end` throw TooDeep as soon as elements are nested more than `maxNesting` deep
 */
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

/** Gives a long text to a parser in slices, other requests between them. @param afterSlice may throw to end it early */
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
