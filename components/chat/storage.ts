/** What a browser stores about a chat: the draft, and how far it was read. */

const draftKey = (topicId: string) => `parley.chat.draft.${topicId}`;
const seenKey = (topicId: string) => `parley.chat.seen.${topicId}`;

/** Returns the draft, or an empty string. */
export function loadDraft(topicId: string): string {
  return read(draftKey(topicId)) ?? "";
}

/** Stores the draft; deletes it when empty. */
export function saveDraft(topicId: string, text: string): void {
  write(draftKey(topicId), text || null);
}

/** Returns createdAt of the last entry seen, or null. */
export function loadSeen(topicId: string): string | null {
  const value = read(seenKey(topicId));
  return value && !Number.isNaN(Date.parse(value)) ? value : null;
}

export function saveSeen(topicId: string, createdAt: string): void {
  write(seenKey(topicId), createdAt);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage may be full or blocked; chat works without it.
  }
}
