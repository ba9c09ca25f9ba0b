import { MENTION } from "@/lib/contract/limits";
import { boundedParser } from "@/lib/html";

/** Names looked up of one text: people are far fewer, and a text full of names must not make a long query. */
const maxNames = 50;

/** Nicknames a plain text names, lower-cased, each once, in the order they first appear; at most 50. */
export function namesInText(text: string): string[] {
  const names = new Set<string>();
  for (const [, name = ""] of text.matchAll(MENTION)) {
    names.add(name.toLowerCase());
    if (names.size === maxNames) break;
  }
  return [...names];
}

/** Inside these an @ names nobody. */
const silent = new Set(["a", "code", "pre"]);

/** Elements that run on within a word; any other begins or ends one. */
const inline = new Set(["strong", "em", "s", "u", "span"]);

/** As `namesInText`, of post HTML: what stands inside links and code is no mention. */
export function namesInHtml(html: string): string[] {
  if (!html.includes("@")) return [];
  let text = "";
  let inside = 0;
  const parser = boundedParser({
    onopentagname(tag) {
      if (silent.has(tag)) inside += 1;
      if (!inline.has(tag)) text += " ";
    },
    ontext(words) {
      if (inside === 0) text += words;
    },
    onclosetag(tag) {
      if (silent.has(tag)) inside -= 1;
      if (!inline.has(tag)) text += " ";
    },
  });
  parser.write(html);
  parser.end();
  return namesInText(text);
}
