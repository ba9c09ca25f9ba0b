import type { Poll, Post } from "@/lib/contract";
import type { WaitingPost } from "@/lib/contract/drafts";
import { LIMITS } from "@/lib/contract/limits";
import type { Draft, PollDraft } from "./draft";

/** Field lengths from which the form shows how many characters are left. */
export const near = { title: 160, content: 45_000 } as const;

/** Parts of the form that can show an error. */
export type Part = "title" | "content" | "tags" | "media" | "poll";

/** Returns the part of the form that shows an API error about a field; null when there is none. */
export function partOf(field: string | undefined): Part | null {
  const [first = ""] = (field ?? "").split(".");
  return (["title", "content", "tags", "media", "poll"] as const).find((part) => part === first) ?? null;
}

/** What keeps a draft from being sent; the values are keys of `composer` in the interface texts. */
export interface Problems {
  readonly title?: "emptyTitle";
  readonly content?: "emptyBody" | "longBody";
  readonly poll?: PollProblems;
}

/** Returns what keeps a draft from being sent. @param now Unix time in milliseconds */
export function problemsOf(draft: Draft, { now, keptPoll }: { now: number; keptPoll: boolean }): Problems {
  // An unchanged poll may be closed already.
  const poll = draft.poll && !keptPoll ? pollProblems(draft.poll, now) : {};
  return {
    ...(draft.title.trim() ? {} : { title: "emptyTitle" as const }),
    ...(!draft.content
      ? { content: "emptyBody" as const }
      : draft.content.length > LIMITS.post.html
        ? { content: "longBody" as const }
        : {}),
    ...(Object.keys(poll).length > 0 ? { poll } : {}),
  };
}

/** Returns a published post as a draft. */
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

/** Returns the body of PATCH /api/posts/{postId}: the changed fields. The API replaces media as a whole. */
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

export const newPoll: PollDraft = {
  question: "",
  options: ["", ""],
  multipleChoice: false,
  closesAt: "",
};

/** What is wrong with a poll; the values are keys of `composer.pollProblems` in the interface texts. */
export interface PollProblems {
  readonly options?: "few" | "long" | "twice";
  readonly question?: "longQuestion";
  readonly closesAt?: "past";
}

/** Returns what the server would refuse in a poll. @param now Unix time in milliseconds */
export function pollProblems(poll: PollDraft, now: number): PollProblems {
  const options = filledOptions(poll);
  const closes = closingTime(poll);
  return {
    ...(options.length < LIMITS.poll.minOptions
      ? { options: "few" as const }
      : options.some((option) => option.length > LIMITS.poll.option)
        ? { options: "long" as const }
        : new Set(options).size < options.length
          ? { options: "twice" as const }
          : {}),
    ...(poll.question.trim().length > LIMITS.poll.question ? { question: "longQuestion" as const } : {}),
    ...(closes !== null && !(Date.parse(closes) > now) ? { closesAt: "past" as const } : {}),
  };
}

function filledOptions({ options }: PollDraft): string[] {
  return options.map((option) => option.trim()).filter(Boolean);
}

/** Returns the closing time in ISO 8601, null for a poll without one, and the epoch for an invalid date. */
function closingTime({ closesAt }: PollDraft): string | null {
  if (!closesAt) return null;
  const date = new Date(closesAt);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** Returns a poll for the body of POST /api/topics/{topicId}/posts. */
export function pollBody(poll: PollDraft) {
  const question = poll.question.trim();
  const closesAt = closingTime(poll);
  return {
    options: filledOptions(poll),
    multipleChoice: poll.multipleChoice,
    ...(poll.isSecret ? { isSecret: true } : {}),
    ...(question ? { question } : {}),
    ...(closesAt ? { closesAt } : {}),
  };
}

/** Returns the changed fields of a poll for PATCH, so that frozen options are not sent; undefined without changes. */
export function pollPatchBody(before: PollDraft | null, after: PollDraft | null) {
  if (!after) return before ? null : undefined;
  if (!before) return pollBody(after);
  const options = filledOptions(after);
  const question = after.question.trim();
  const isSame = options.join("\n") === filledOptions(before).join("\n");
  const patch = {
    ...(question === before.question.trim() ? {} : { question: question || null }),
    ...(isSame ? {} : { options }),
    ...(after.multipleChoice === before.multipleChoice ? {} : { multipleChoice: after.multipleChoice }),
    ...(after.closesAt === before.closesAt ? {} : { closesAt: closingTime(after) }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Returns a published poll as a draft. */
export function pollDraftOf({ question, options, multipleChoice, secret, closesAt }: Poll): PollDraft {
  return {
    question: question ?? "",
    options: options.map(({ text }) => text),
    multipleChoice,
    ...(secret ? { isSecret: true } : {}),
    closesAt: closesAt ? fieldTime(new Date(closesAt)) : "",
  };
}

/** Returns a post that waited for its time as a draft. */
export function draftOfWaiting({ title, content, tags, media, poll }: WaitingPost): Draft {
  return {
    title,
    content,
    tags: [...tags],
    videos: [...media.videos],
    images: [...media.images],
    poll: poll && {
      question: poll.question ?? "",
      options: [...poll.options],
      multipleChoice: poll.multipleChoice,
      ...(poll.isSecret ? { isSecret: true } : {}),
      closesAt: poll.closesAt ? fieldTime(new Date(poll.closesAt)) : "",
    },
  };
}

/** Returns a moment as a `datetime-local` input has it: in this device's time zone, to the minute. */
export function fieldTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
