/** Unsent text on this device, deleted when its writer signs out or another user signs in. */

/** Prefixes of their keys in the browser's storage. */
const KEY_PREFIXES = ["parley.draft.", "parley.chat."] as const;
const WRITER_KEY = "parley.writer";

/** Accounts that ended in this document: one of their pages may be shown once more, and must not leave their id behind. */
const ended = new Set<string>();

/** Deletes all drafts. A browser without storage has none. @param endedUser the user, if their account ended */
export function forgetDrafts(endedUser?: string): void {
  if (endedUser !== undefined) ended.add(endedUser);
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      const isOne = key === WRITER_KEY || KEY_PREFIXES.some((beginning) => key.startsWith(beginning));
      if (isOne) localStorage.removeItem(key);
    }
  });
}

/** Deletes the drafts of anyone but this user. Call it before reading a draft. */
export function claimDrafts(userId: string): void {
  if (ended.has(userId)) return;
  attempt(() => {
    const writer = localStorage.getItem(WRITER_KEY);
    if (writer === userId) return;
    if (writer !== null) forgetDrafts();
    localStorage.setItem(WRITER_KEY, userId);
  });
}

/** Returns the text stored under a name, or null. */
export function readDraft(name: string): string | null {
  return attempt(() => localStorage.getItem(draftKey(name))) ?? null;
}

/** Stores a text, or deletes it (null). A browser without storage loses drafts, but nothing that is sent. */
export function writeDraft(name: string, text: string | null): void {
  attempt(() => {
    if (text === null) localStorage.removeItem(draftKey(name));
    else localStorage.setItem(draftKey(name), text);
  });
}

/** Returns the storage key of a draft, as storage events report it. */
export function draftKey(name: string): string {
  return `${KEY_PREFIXES[0]}${name}`;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // Storage may be full or forbidden.
    return undefined;
  }
}
