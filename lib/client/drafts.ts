/**
 * What somebody writes here before it is sent, on this device only: posts, changes of posts, comments, chat messages. Whoever
 * signs in next must not read it, so it goes when its writer signs out, and when somebody else signs in.
 */

/** How the names of such entries in the browser's storage begin. */
const beginnings = ["parley.draft.", "parley.chat."] as const;
const writerKey = "parley.writer";

/** Forgets everything that was being written here. A browser that refuses storage keeps nothing of it. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      const isOne = key === writerKey || beginnings.some((beginning) => key.startsWith(beginning));
      if (isOne) localStorage.removeItem(key);
    }
  });
}

/** Forgets what anybody but this person was writing here. To be called before a draft is read. */
export function claimDrafts(userId: string): void {
  attempt(() => {
    const writer = localStorage.getItem(writerKey);
    if (writer === userId) return;
    if (writer !== null) forgetDrafts();
    localStorage.setItem(writerKey, userId);
  });
}

/** Text kept under a name, or null. */
export function readDraft(name: string): string | null {
  return attempt(() => localStorage.getItem(draftKey(name))) ?? null;
}

/** Keeps a text, or forgets it (null). A browser that refuses storage loses drafts, not what is sent. */
export function writeDraft(name: string, text: string | null): void {
  attempt(() => {
    if (text === null) localStorage.removeItem(draftKey(name));
    else localStorage.setItem(draftKey(name), text);
  });
}

/** Name of an entry in the browser's storage, as its events tell it. */
export function draftKey(name: string): string {
  return `${beginnings[0]}${name}`;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // Storage may be full, or forbidden.
    return undefined;
  }
}
