import { boundedParser, escapeHtml, parseInSlices } from "./parse";

/** Returns a function from the uploaded images' URLs to an image's new URL; null leaves the image unchanged. */
type ImageRule = (source: string) => ((placed: readonly string[]) => string) | null;

/** Thrown for HTML that is too long, not counting inline images. */
export class TooLong extends Error {
  override readonly name = "TooLong";
}

/**
 * Finds the images in HTML, parsed exactly as the sanitizer parses it, and returns a function that writes the HTML with
 * their new URLs. A changed image keeps only what sanitizing keeps: URL, alternative text and size.
 * @param maxLength maximum characters of the HTML, not counting inline images (data: URLs)
 * @throws TooLong before parsing more than that; TooDeep (parse.ts)
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
  // Counts up to the last complete tag or text: `inData` does not include an incomplete URL yet.
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
  /** The other attributes, as HTML. */
  readonly rest: string;
  readonly address: (placed: readonly string[]) => string;
}

function attributes(named: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(named)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${escapeHtml(value)}"`))
    .join("");
}
