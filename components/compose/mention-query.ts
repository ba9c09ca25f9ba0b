/** Somebody who is being named: what is typed of the nickname, and where its @ stands. */
export interface MentionQuery {
  /** Beginning of the nickname, perhaps empty. */
  readonly typed: string;
  /** Index of the @ in the text. */
  readonly from: number;
}

/** As the server finds names (lib/community/mentions/find.ts): not in the tail of a word, an address or a path. */
const beingNamed = /(?<![\p{L}\p{N}_/@])@([A-Za-z0-9_]{0,20})$/u;

/** Whom a text names at its end, which is where the caret stands; null when it names nobody there. */
export function mentionAtEnd(before: string): MentionQuery | null {
  const found = beingNamed.exec(before);
  return found ? { typed: found[1] ?? "", from: found.index } : null;
}

/** A text with a nickname in place of what was typed of it, a space behind it. @returns it, and where the caret goes */
export function withMention(
  text: string,
  { from }: MentionQuery,
  caret: number,
  nickname: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const named = `@${nickname}${rest.startsWith(" ") ? "" : " "}`;
  const to = from + named.length + (rest.startsWith(" ") ? 1 : 0);
  return { text: text.slice(0, from) + named + rest, caret: to };
}
