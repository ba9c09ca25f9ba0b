/** What a browser keeps of a chat, on this device only: what is being written, and up to where it was read. */

const draftKey = (topicId: string) => `parley.chat.draft.${topicId}`;
const seenKey = (topicId: string) => `parley.chat.seen.${topicId}`;

/** The message that was being written, or nothing. */
export function loadDraft(topicId: string): string {
  return read(draftKey(topicId)) ?? "";
}

/** Keeps it; an empty one is forgotten. */
export function saveDraft(topicId: string, text: string): void {
  write(draftKey(topicId), text || null);
}

/** createdAt of the last entry seen, or null. */
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
    // Storage may be full or forbidden; talking must stay possible.
  }
}
