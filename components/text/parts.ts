import { ADDRESS, MENTION } from "@/lib/contract/limits";

/** A piece of plain text: a web address, a mention of a member, or other text. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | { readonly kind: "mention"; readonly text: string; readonly nickname: string };

export interface PartOptions {
  /** Current nicknames of the members that the text mentions. */
  readonly names?: readonly string[];
  /** Whether web addresses become links. */
  readonly links?: boolean;
}

/** Splits a text into parts; joined, they are the text again. */
export function textParts(text: string, { names = [], links = false }: PartOptions): readonly TextPart[] {
  const known = new Map(names.map((name) => [name.toLowerCase(), name] as const));
  const pieces = links ? splitLinks(text) : [{ kind: "text" as const, text }];
  if (known.size === 0) return pieces;
  return pieces.flatMap((piece) => (piece.kind === "text" ? splitMentions(piece.text, known) : [piece]));
}

function splitLinks(text: string): readonly TextPart[] {
  return split(text, ADDRESS, (found) => {
    const shown = withoutTail(found[0]);
    // The pattern matches only http and https.
    const url = URL.parse(shown);
    return url ? { kind: "link", text: shown, href: url.href } : null;
  });
}

function splitMentions(text: string, known: ReadonlyMap<string, string>): readonly TextPart[] {
  return split(text, MENTION, (found) => {
    const nickname = known.get(found[1]?.toLowerCase() ?? "");
    return nickname ? { kind: "mention", text: found[0], nickname } : null;
  });
}

/** Cuts off punctuation that belongs to the sentence: an address keeps a closing bracket only if it has the opening one. */
function withoutTail(found: string): string {
  let url = found;
  for (;;) {
    const last = url.at(-1) ?? "";
    const opens = { ")": "(", "]": "[", "}": "{" }[last];
    const isStray = opens !== undefined && url.split(opens).length < url.split(last).length;
    if (!isStray && !/[.,;:!?…]/.test(last)) return url;
    url = url.slice(0, -1);
  }
}

function split(
  text: string,
  pattern: RegExp,
  partOf: (found: RegExpExecArray) => TextPart | null,
): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const part = partOf(found);
    if (!part) continue;
    if (found.index > from) parts.push({ kind: "text", text: text.slice(from, found.index) });
    parts.push(part);
    from = found.index + part.text.length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}
