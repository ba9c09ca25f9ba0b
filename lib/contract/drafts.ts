import { z } from "zod";
import { dateTime, rawText, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { postInput } from "./posts";

const shared = { tag: "drafts", auth: "required", nickname: true, guestsSee: false } as const;
const topicParams = z.object({ topicId: uuid });
const video = z.string().max(2000);
const moment = z.string().max(64);

/** A post that is being written: nothing of it need be valid yet, but its size. */
const draftContent = z.object({
  title: z.string().max(LIMITS.post.title),
  content: z
    .string()
    .max(LIMITS.post.html)
    .describe("HTML, as the composer has it; sanitized when it is posted."),
  tags: z.array(z.string().max(LIMITS.post.tag)).max(LIMITS.post.tags),
  videos: z.array(video).max(LIMITS.post.videos),
  images: z.array(video).max(LIMITS.post.images),
  poll: z
    .object({
      question: z.string().max(LIMITS.poll.question),
      options: z.array(z.string().max(LIMITS.poll.option)).max(LIMITS.poll.maxOptions),
      multipleChoice: z.boolean(),
      isSecret: z.boolean().optional(),
      closesAt: moment.describe("As a `datetime-local` input has it, in the time zone of the device."),
    })
    .nullable(),
});
export type DraftContent = z.infer<typeof draftContent>;

const draft = z
  .object({
    topicId: uuid,
    content: draftContent,
    version: z.int().describe("Counts what was saved, from 1."),
    updatedAt: dateTime,
  })
  .meta({ id: "Draft" });

const saves = { points: 120, seconds: 60 } as const;
const path = "/api/topics/{topicId}/draft";

export const getDraft = operation({
  id: "drafts.get",
  method: "GET",
  path,
  summary: "The caller's draft of a post for a topic; null for none",
  description: `A draft that was not saved for ${LIMITS.days.draft} days is deleted.`,
  ...shared,
  access: "topic-content",
  limit: saves,
  params: topicParams,
  responses: { 200: z.object({ draft: draft.nullable() }) },
});

export const saveDraft = operation({
  id: "drafts.save",
  method: "PUT",
  path,
  summary: "Keep a draft of a post for the caller's other devices",
  description:
    "`version` is the one that the caller changed, null for a first one. Another than the present one is refused, so that two devices do not overwrite each other.",
  ...shared,
  access: "topic-content",
  limit: saves,
  params: topicParams,
  maxBytes: 4 * LIMITS.post.html,
  body: z.object({ content: draftContent, version: z.int().min(1).nullable() }),
  responses: { 200: z.object({ draft: draft.omit({ content: true }) }) },
  errors: ["draft_changed", "too_many_drafts"],
});

export const deleteDraft = operation({
  id: "drafts.delete",
  method: "DELETE",
  path,
  summary: "Delete the caller's draft for a topic; none is no error",
  ...shared,
  access: "signed-in",
  limit: saves,
  params: topicParams,
  responses: { 200: z.object({ success: z.literal(true) }) },
});

/** A post as it waits for its time. */
const waitingPost = z.object({
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  media: z.object({ images: z.array(z.string()), videos: z.array(z.string()) }),
  poll: z
    .object({
      question: z.string().nullable(),
      options: z.array(z.string()),
      multipleChoice: z.boolean(),
      isSecret: z.boolean().optional(),
      closesAt: dateTime.nullable(),
    })
    .nullable(),
});
export type WaitingPost = z.infer<typeof waitingPost>;

const scheduled = z
  .object({
    id: uuid,
    topicId: uuid,
    topicTitle: z.string(),
    publishAt: dateTime,
    problem: z
      .string()
      .nullable()
      .describe("Why it was not published, as the code of an error; null while it waits."),
    post: waitingPost,
  })
  .meta({ id: "ScheduledPost" });
export type ScheduledPost = z.infer<typeof scheduled>;

const writes = { points: 20, seconds: 60 } as const;

export const schedulePost = operation({
  id: "scheduled.create",
  method: "POST",
  path: "/api/topics/{topicId}/scheduled",
  summary: "Write a post now that is published later",
  description: `Everything is checked again when it is published, by the rules of then; a refusal is a notification. At most ${LIMITS.scheduled.most} wait at once, for at most ${LIMITS.scheduled.days} days.`,
  ...shared,
  access: "topic-member",
  limit: writes,
  params: topicParams,
  maxBytes: 4 * LIMITS.post.html,
  body: postInput.extend({
    content: rawText(LIMITS.post.html).describe(
      "The text, in HTML or as `format` says, without embedded pictures, which would wait in the row: they are uploaded first.",
    ),
    publishAt: moment.pipe(z.iso.datetime({ offset: true })),
  }),
  responses: { 201: z.object({ scheduled }) },
  errors: ["too_many_scheduled"],
});

export const listScheduled = operation({
  id: "scheduled.list",
  method: "GET",
  path: "/api/me/scheduled",
  summary: "Posts of the caller that wait for their time, the next first",
  ...shared,
  access: "signed-in",
  limit: saves,
  responses: { 200: z.object({ scheduled: z.array(scheduled).max(LIMITS.scheduled.most) }) },
});

export const cancelScheduled = operation({
  id: "scheduled.cancel",
  method: "DELETE",
  path: "/api/me/scheduled/{scheduledId}",
  summary: "Take a post back that waits for its time; the answer has its text",
  ...shared,
  access: "signed-in",
  limit: writes,
  params: z.object({ scheduledId: uuid }),
  responses: { 200: z.object({ scheduled }) },
  errors: ["scheduled_not_found"],
});
