import { boundedParser, parseInSlices } from "./parse";

/** Says what an image's address becomes, once the images that were placed have theirs; null leaves it alone. */
export type ImageRule = (source: string) => ((placed: readonly string[]) => string) | null;

/** Thrown for HTML that is too long without the addresses of its images. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/**
 * Finds the images of HTML, read exactly as the sanitiser reads it, and gives the function that writes the HTML with
 * their new addresses. Of a changed image only what sanitising keeps is kept: address, text and size.
 * @param maxLength characters the HTML may have besides images that it carries itself (data: addresses)
 * @throws TooLong before more than that is read; TooDeep (parse.ts)
 */
export async function replaceImages(
  html: string,
  rule: ImageRule,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<(placed: readonly string[]) => string> {
  const found: Found[] = [];
  let inData = 0;
  const parser = boundedParser({
    onopentag(tag, { src, alt, width, height }) {
      const address = tag === "img" && src !== undefined && rule(src.trim());
      if (!address) return;
      if (/^\s*data:/i.test(src)) inData += src.length;
      found.push({
        from: parser.startIndex,
        to: parser.endIndex + 1,
        rest: attributes({ alt, width, height }),
        address,
      });
    },
  });
  const assertLength = (read: number) => {
    if (read - inData > maxLength) throw new TooLong("the HTML is too long");
  };
  // As far as the last whole tag or text: an address that is still being read is not counted yet.
  await parseInSlices(parser, html, () => assertLength(parser.endIndex));
  assertLength(html.length);
  return (placed) => {
    const parts: string[] = [];
    let at = 0;
    for (const { from, to, rest, address } of found) {
      parts.push(html.slice(at, from), `<img src="${escapeHtml(address(placed))}"${rest}>`);
      at = to;
    }
    return parts.join("") + html.slice(at);
  };
}

interface Found {
  readonly from: number;
  readonly to: number;
  /** Its other attributes, as HTML. */
  readonly rest: string;
  readonly address: (placed: readonly string[]) => string;
}

function attributes(named: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(named)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${escapeHtml(value)}"`))
    .join("");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
