import type { Post } from "@/lib/contract";
import type { Draft } from "./draft";
import { pollDraftOf, pollPatchBody } from "./poll";

/** A post that stands already, as the form begins with it. */
export function draftOf({ title, content, tags, media, poll }: Post): Draft {
  return {
    title,
    content,
    tags: tags.map(({ name }) => name),
    videos: media.videos,
    images: media.images,
    poll: poll && pollDraftOf(poll),
  };
}

/**
 * What PATCH /api/posts/{postId} is sent: only what was changed, so that the rest keeps its bytes; an image or video that is
 * changed brings all of them, since media replace.
 */
export function changesOf(before: Draft, after: Draft) {
  const isSame = (name: keyof Draft) => JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const poll = pollPatchBody(before.poll, after.poll);
  const isSameMedia = isSame("videos") && isSame("images");
  return {
    ...(isSame("title") ? {} : { title: after.title }),
    ...(isSame("content") ? {} : { content: after.content }),
    ...(isSame("tags") ? {} : { tags: after.tags }),
    ...(isSameMedia ? {} : { media: { images: after.images, videos: after.videos } }),
    ...(poll === undefined ? {} : { poll }),
  };
}
