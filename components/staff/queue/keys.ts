/** What a key does in a queue. */
export type QueueCommand =
  | "next"
  | "previous"
  | "hide"
  | "hideWith"
  | "approve"
  | "dismiss"
  | "resolve"
  | "delete"
  | "claim"
  | "author"
  | "out"
  | "files"
  | "open"
  | "select"
  | "undo"
  | "help";

/** Keys as the list of keys shows them. */
export const QUEUE_KEYS: readonly (readonly [QueueCommand, readonly string[]])[] = [
  ["next", ["J", "↓"]],
  ["previous", ["K", "↑"]],
  ["hide", ["H"]],
  ["hideWith", ["⇧ H"]],
  ["approve", ["A"]],
  ["dismiss", ["D"]],
  ["resolve", ["R"]],
  ["delete", ["Del"]],
  ["files", ["T"]],
  ["author", ["M"]],
  ["out", ["B"]],
  ["claim", ["C"]],
  ["open", ["O"]],
  ["select", ["X"]],
  ["undo", ["U"]],
  ["help", ["?"]],
];

const LETTERS: Readonly<Record<string, QueueCommand>> = {
  j: "next",
  k: "previous",
  h: "hide",
  a: "approve",
  d: "dismiss",
  r: "resolve",
  t: "files",
  m: "author",
  b: "out",
  c: "claim",
  o: "open",
  x: "select",
  u: "undo",
};

const NAMED: Readonly<Record<string, QueueCommand>> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  Delete: "delete",
  "?": "help",
};

type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Returns what a key does; null for nothing. Letters count by their place where the layout types another script. */
export function commandOf({ key, code, shiftKey, ctrlKey, metaKey, altKey }: Press): QueueCommand | null {
  if (ctrlKey || metaKey || altKey) return null;
  const named = NAMED[key];
  if (named) return named;
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  const command = letter === undefined ? undefined : LETTERS[letter];
  if (!command) return null;
  if (!shiftKey) return command;
  return command === "hide" ? "hideWith" : null;
}
