import * as z from "zod/mini";
import { readDraft, writeDraft } from "@/lib/client/drafts";
import { type Shared, sharedHtml } from "@/lib/client/shared";

const pollDraftSchema = z.object({
  question: z.string(),
  options: z.array(z.string()),
  multipleChoice: z.boolean(),
  /** As a field for date and time has it, in the reader's zone; empty for no end. */
  closesAt: z.string(),
});
/** A poll as it is being written. */
export type PollDraft = z.infer<typeof pollDraftSchema>;

const draftSchema = z.object({
  title: z.string(),
  /** HTML; pictures in it are uploaded, and carry their text alternative and size. */
  content: z.string(),
  tags: z.array(z.string()),
  /** Pages of the videos. */
  videos: z.array(z.string()),
  /** Pictures attached below the text, as agents attach them; the composer puts its own into the text. */
  images: z.array(z.string()),
  poll: z.nullable(pollDraftSchema),
});
/** A post on its way, kept on this device only. */
export type Draft = z.infer<typeof draftSchema>;

const keptSchema = z.object({
  draft: draftSchema,
  /** Addresses of what was uploaded for it; what the post does not show in the end is deleted. */
  uploads: z.array(z.string()),
  /** Its writer threw it away: it is not restored, and its uploads are deleted. */
  isDiscarded: z.boolean(),
});
/** A draft as this device keeps it. */
export type Kept = z.infer<typeof keptSchema>;

export const emptyDraft: Draft = { title: "", content: "", tags: [], videos: [], images: [], poll: null };

/** Nothing that anybody would miss. */
export function isEmptyDraft({ title, content, tags, videos, images, poll }: Draft): boolean {
  return !title.trim() && !content && !poll && tags.length + videos.length + images.length === 0;
}

/** Whether two drafts would make the same post. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function inOrder({ title, content, tags, videos, images, poll }: Draft) {
  const { question, options, multipleChoice, closesAt } = poll ?? {};
  return [title, content, tags, videos, images, poll && [question, options, multipleChoice, closesAt]];
}

/** Name under which a draft of a new post is kept. */
export const newPostDraft = (topicId: string) => `new.${topicId}`;
/** Name under which the changes of a post are kept until they are saved. */
export const editDraft = (postId: string) => `edit.${postId}`;

/** What is kept under a name; null when nothing is, or nothing that can be read. */
export function loadKept(name: string): Kept | null {
  return parseKept(readDraft(name));
}

/** Reads a kept draft as the browser's storage has it. */
export function parseKept(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Keeps a draft, or forgets it (null). @returns what the storage has now */
export function saveKept(name: string, kept: Kept | null): string | null {
  const text = kept && JSON.stringify(kept);
  writeDraft(name, text);
  return text;
}

/** A draft with what another app shared behind it. The same thing shared twice stands there once. */
export function withShared(draft: Draft | null, shared: Shared | null): Draft | null {
  if (!shared) return draft;
  const base = draft ?? emptyDraft;
  const html = sharedHtml(shared);
  const content = base.content.includes(html) ? base.content : base.content + html;
  return { ...base, title: base.title || shared.title, content };
}
