import { setImmediate as yieldToRequests } from "node:timers/promises";
import { Parser } from "htmlparser2";

/** Characters read at once: a text full of images must not keep other requests waiting. */
const chunkLength = 512 * 1024;

/** Says what an image's address becomes, once the images that were placed have theirs; null leaves it alone. */
export type ImageRule = (source: string) => ((placed: readonly string[]) => string) | null;

/**
 * Finds the images of HTML, read exactly as the sanitiser reads it, and gives the function that writes the HTML with
 * their new addresses. Of a changed image only what sanitising keeps is kept: address, text and size.
 */
export async function replaceImages(
  html: string,
  rule: ImageRule,
): Promise<(placed: readonly string[]) => string> {
  const found: Found[] = [];
  if (/<img/i.test(html)) {
    const parser = new Parser({
      onopentag(tag, { src, alt, width, height }) {
        const address = tag === "img" && src !== undefined && rule(src.trim());
        if (!address) return;
        found.push({
          from: parser.startIndex,
          to: parser.endIndex + 1,
          rest: attributes({ alt, width, height }),
          address,
        });
      },
    });
    for (let at = 0; at < html.length; at += chunkLength) {
      parser.write(html.slice(at, at + chunkLength));
      if (html.length > chunkLength) await yieldToRequests();
    }
    parser.end();
  }
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
