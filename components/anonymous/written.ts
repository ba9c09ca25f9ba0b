import { cleanTag, isSameTag } from "@/components/compose/parse";
import type { WaitingAct, WaitingPicture } from "@/lib/client/anonymous/store";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { htmlOfText } from "@/lib/html/markdown";
import { sanitizePostHtml } from "@/lib/html/sanitize";

/** What somebody writes without a name becomes exactly what the server will store: the proof is about that. */

/** Returns the tags of a text, separated by commas. */
export function tagsIn(text: string): string[] {
  const tags: string[] = [];
  for (const part of text.split(",")) {
    const tag = cleanTag(part);
    if (tag && !tags.some((one) => isSameTag(one, tag))) tags.push(tag);
  }
  return tags.slice(0, LIMITS.post.tags);
}

interface WrittenPost {
  readonly title: string;
  readonly text: string;
  readonly tags: string;
  readonly pictures: readonly WaitingPicture[];
}

/** Returns a post as it is proven, but for its pictures' addresses; null without a title or a text. */
export function writtenPost(
  topicId: string,
  { title, text, tags, pictures }: WrittenPost,
): WaitingAct | null {
  const { shape } = contract.anonymous.post.body;
  const said = shape.title.safeParse(title);
  const { html } = sanitizePostHtml(htmlOfText(text));
  const content = shape.content.safeParse(html);
  if (!said.success || !content.success || text.trim() === "") return null;
  const postId = crypto.randomUUID();
  return {
    ...{ kind: "post", topicId, postId, title: said.data, content: content.data },
    ...{ tags: tagsIn(tags), pictures: [...pictures] },
  };
}

/** Returns a comment as it is proven; null without a text. */
export function writtenComment(
  place: { readonly topicId: string; readonly postId: string; readonly parentId: string | null },
  text: string,
): WaitingAct | null {
  const content = contract.anonymous.comment.body.shape.content.safeParse(text);
  return content.success ? { kind: "comment", ...place, content: content.data } : null;
}
