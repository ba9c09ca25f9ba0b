import { type Shared, sharedHtml } from "@/lib/client/shared";

/** A post on its way, kept on this device only. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  readonly tags: string;
}

const key = (topicId: string) => `parley.draft.${topicId}`;

function textOf(value: object, name: string): string {
  const found = Object.entries(value).find(([k]) => k === name)?.[1];
  return typeof found === "string" ? found : "";
}

/** The draft of a topic, or null. */
export function loadDraft(topicId: string): Draft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key(topicId)) ?? "null");
    if (typeof value !== "object" || value === null) return null;
    return { title: textOf(value, "title"), content: textOf(value, "content"), tags: textOf(value, "tags") };
  } catch {
    return null;
  }
}

/** A draft with what another app shared behind it. The same thing shared twice stands there once. */
export function withShared(draft: Draft | null, shared: Shared | null): Draft | null {
  if (!shared) return draft;
  const { title = "", content = "", tags = "" } = draft ?? {};
  const html = sharedHtml(shared);
  return { title: title || shared.title, content: content.includes(html) ? content : content + html, tags };
}

/** Keeps a draft, or forgets it (null). A browser that refuses storage loses drafts, not posts. */
export function saveDraft(topicId: string, draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(key(topicId), JSON.stringify(draft));
    else localStorage.removeItem(key(topicId));
  } catch {
    // Storage may be full or forbidden; writing on must stay possible.
  }
}
