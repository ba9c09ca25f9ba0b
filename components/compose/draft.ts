import * as z from "zod/mini";
import { readDraft, writeDraft } from "@/lib/client/drafts";
import { type Shared, sharedHtml } from "@/lib/client/shared";
import { LIMITS } from "@/lib/contract/limits";

const pollDraftSchema = z.object({
  question: z.string(),
  options: z.array(z.string()),
  multipleChoice: z.boolean(),
  isSecret: z.optional(z.boolean()),
  /** As a `datetime-local` input has it, in this device's time zone; empty for a poll that stays open. */
  closesAt: z.string(),
});
export type PollDraft = z.infer<typeof pollDraftSchema>;

const draftSchema = z.object({
  title: z.string(),
  /** HTML; its pictures are uploaded and have their size and, where written, their text alternative. */
  content: z.string(),
  tags: z.array(z.string()),
  /** Addresses of the videos' pages. */
  videos: z.array(z.string()),
  /** Pictures attached below the text by API clients; the composer puts its own into the text. */
  images: z.array(z.string()),
  poll: z.nullable(pollDraftSchema),
});
export type Draft = z.infer<typeof draftSchema>;

const keptSchema = z.object({
  draft: draftSchema,
  /** Addresses of its uploads; those that the sent post does not show are deleted. */
  uploads: z.array(z.string()),
  /** Its author discarded it: it is not restored, and its uploads are deleted. */
  isDiscarded: z.boolean(),
});
export type Kept = z.infer<typeof keptSchema>;

export const emptyDraft: Draft = { title: "", content: "", tags: [], videos: [], images: [], poll: null };

/** Whether a draft has no content. */
export function isEmptyDraft({ title, content, tags, videos, images, poll }: Draft): boolean {
  return !title.trim() && !content && !poll && tags.length + videos.length + images.length === 0;
}

/** Whether two drafts make the same post. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

function inOrder({ title, content, tags, videos, images, poll }: Draft) {
  const { question, options, multipleChoice, isSecret, closesAt } = poll ?? {};
  const asked = poll && [question, options, multipleChoice, isSecret ?? false, closesAt];
  return [title, content, tags, videos, images, asked];
}

/** Returns the storage name for the draft of a new post. */
export const newPostDraft = (topicId: string) => `new.${topicId}`;
/** Returns the storage name for unsaved changes to a post. */
export const editDraft = (postId: string) => `edit.${postId}`;

/** Returns the draft stored under a name; null when there is none or it cannot be read. */
export function loadKept(name: string): Kept | null {
  return parseKept(readDraft(name));
}

/** Parses a draft from the browser's storage; null when it is invalid. */
export function parseKept(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Stores a draft; null deletes it. */
export function saveKept(name: string, kept: Kept | null): void {
  writeDraft(name, kept && JSON.stringify(kept));
}

/** Returns a draft with what another app shared at its end; the same thing shared twice appears once. */
export function withShared(draft: Draft | null, shared: Shared | null): Draft | null {
  if (!shared) return draft;
  const base = draft ?? emptyDraft;
  const html = sharedHtml(shared);
  const content = base.content.includes(html) ? base.content : base.content + html;
  return { ...base, title: base.title || shared.title, content };
}

/** Returns videos with one more and no duplicates; null when the post has its maximum already. */
export function withVideo(videos: readonly string[], page: string): string[] | null {
  if (videos.includes(page)) return [...videos];
  return videos.length < LIMITS.post.videos ? [...videos, page] : null;
}
