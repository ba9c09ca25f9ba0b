import { MENTION } from "@/lib/contract/limits";
import { boundedParser } from "@/lib/html";

/** Names to look up per text: far more than it may mention, but not enough for a slow query. */
const MAX_NAMES = 50;

/** Returns the nicknames that a plain text mentions, in lower case, each once, in order; at most 50. */
export function namesInText(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(MENTION)) {
    names.add(name.toLowerCase());
    if (names.size === MAX_NAMES) break;
  }
  return [...names];
}

/** Elements in which an @ is no mention. */
const IGNORED = new Set(["a", "code", "pre"]);

/** Elements that can be inside a word. Any other element begins or ends a word. */
const INLINE = new Set(["strong", "em", "s", "u", "span"]);

/** As `namesInText`, for post HTML: ignores links and code. */
export function namesInHtml(html: string): string[] {
  if (!html.includes("@")) return [];
  let text = "";
  let inside = 0;
  const parser = boundedParser({
    onopentagname(tag) {
      if (IGNORED.has(tag)) inside += 1;
      if (!INLINE.has(tag)) text += " ";
    },
    ontext(words) {
      if (inside === 0) text += words;
    },
    onclosetag(tag) {
      if (IGNORED.has(tag)) inside -= 1;
      if (!INLINE.has(tag)) text += " ";
    },
  });
  parser.write(html);
  parser.end();
  return namesInText(text);
}
