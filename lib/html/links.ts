import { boundedParser } from "./parse";

/** Maximum links of a post that get a card. */
const maxLinks = 3;

/**
 * Returns a post's links that deserve a preview card: alone in their paragraph, or shown as their own URL. A link within
 * a sentence is already described by it.
 * @param sanitized output of `sanitizePostHtml`
 * @param besides origins that get no card, such as our own
 */
export function linksOnTheirOwn(sanitized: string, besides: readonly string[] = []): string[] {
  const found = new Set<string>();
  let paragraph = { text: "", links: [] as { href: string; text: string }[] };
  let inLink = false;
  const endParagraph = () => {
    const { text, links } = paragraph;
    const whole = text.trim();
    for (const link of links) {
      const isAlone = whole === link.text.trim();
      if (isAlone || showsItself(link)) found.add(link.href);
    }
    paragraph = { text: "", links: [] };
  };
  const parser = boundedParser({
    onopentag(tag, { href }) {
      if (blocks.has(tag)) endParagraph();
      if (tag !== "a" || href === undefined) return;
      inLink = true;
      paragraph.links.push({ href, text: "" });
    },
    ontext(text) {
      paragraph.text += text;
      const link = paragraph.links.at(-1);
      if (inLink && link) link.text += text;
    },
    onclosetag(tag) {
      if (tag === "a") inLink = false;
      if (blocks.has(tag)) endParagraph();
    },
  });
  parser.end(sanitized);
  endParagraph();
  const foreign = [...found].filter((href) => isForeign(href, besides));
  return foreign.slice(0, maxLinks);
}

const blocks = new Set([
  ...["p", "br", "hr", "h2", "h3", "h4", "blockquote", "ul", "ol", "li", "pre"],
  ...["table", "tr", "th", "td"],
]);

function showsItself({ href, text }: { readonly href: string; readonly text: string }): boolean {
  const bare = (address: string) =>
    address
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/\/$/, "");
  return bare(text) !== "" && bare(text) === bare(href);
}

function isForeign(href: string, besides: readonly string[]): boolean {
  if (!URL.canParse(href)) return false;
  const { protocol, origin } = new URL(href);
  return /^https?:$/.test(protocol) && !besides.includes(origin);
}
