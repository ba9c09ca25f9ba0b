import { z } from "zod";
import { ABILITIES } from "./abilities";
import { cursor, dateTime, nextCursor, pageLimit, person, text, userId, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

const topicParams = z.object({ topicId: uuid });
const postParams = z.object({ postId: uuid });
const commentParams = z.object({ commentId: uuid });

/** `owner`: the topic's owner is the problem. `illegal` and `owner` also reach the operators. */
export const reportReasons = [
  "spam",
  "abuse",
  "off_topic",
  "private_data",
  "illegal",
  "owner",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];
/** What can be reported. */
export const reportedKinds = ["post", "comment", "message", "topic", "profile", "tag"] as const;
export type ReportedKind = (typeof reportedKinds)[number];
const sanctionKinds = ["mute", "ban"] as const;
/**
 * What a sanction or removal hides of what its user wrote in the topic: what is reported and not decided, or everything
 * of the last 24 hours.
 */
const hideScopes = ["reported", "day"] as const;
export type HideScope = (typeof hideScopes)[number];
export const hideScope = z.enum(hideScopes);
/** Every staff action that a topic's log records. */
export const logActions = [
  "topic_edited",
  "invite_code_changed",
  "request_approved",
  "request_rejected",
  "role_changed",
  "ownership_transferred",
  "member_removed",
  "member_muted",
  "member_unmuted",
  "member_banned",
  "member_unbanned",
  "post_pinned",
  "post_unpinned",
  "post_hidden",
  "post_shown",
  "post_edited",
  "post_deleted",
  "comment_hidden",
  "comment_shown",
  "comment_deleted",
  "message_hidden",
  "message_shown",
  "message_deleted",
  "report_dismissed",
  "report_resolved",
  // A review word hid a text: nobody acted.
  "post_held",
  "comment_held",
  "message_held",
  // Staff hid what someone wrote together with a sanction.
  "content_hidden",
  // The topic passed to another member because the owner's account was suspended.
  "ownership_inherited",
  // Of whoever wrote an anonymous text.
  "anonymous_banned",
  "anonymous_unbanned",
  // Of what happens in the topic, to an address elsewhere.
  "webhook_added",
  "webhook_deleted",
] as const;
export type LogAction = (typeof logActions)[number];

/** What was reported, as it was then. */
export const snapshot = z
  .object({
    title: z
      .string()
      .describe(
        "Title of a topic or post, also for a comment; nickname of a profile; slug of a tag; empty for a message.",
      ),
    text: z.string().describe("Plain text."),
    files: z.array(z.string()).describe("Keys of the uploads that it showed."),
  })
  .meta({ id: "Snapshot" });
export type Snapshot = z.infer<typeof snapshot>;

const report = z.object({
  id: uuid,
  topicId: uuid,
  postId: uuid.nullable().describe("Null when a chat message was reported."),
  commentId: uuid.nullable().describe("Null when the post itself was reported, or a chat message."),
  messageId: uuid.nullable().describe("The reported chat message."),
  reason: z.enum(reportReasons),
  details: z.string().nullable(),
  status: z.enum(["open", "dismissed", "resolved"]).describe("Whether it is decided, and how."),
  createdAt: dateTime,
  reporter: person,
  author: person
    .extend({ abilities: z.array(z.enum(ABILITIES.author)) })
    .describe("The author, and what the caller may do to them."),
  title: z.string(),
  excerpt: z.string().describe("Plain text of the reported content as it is now, at most 280 characters."),
  isHidden: z.boolean(),
  isDeleted: z.boolean(),
  snapshot: snapshot
    .nullable()
    .describe("Null for reports of earlier releases, and once it was erased, 90 days after the decision."),
});
export type Report = z.infer<typeof report>;

const sanction = z.object({
  user: person,
  kind: z
    .enum(sanctionKinds)
    .describe("`mute`: reads but does not write; `ban`: is out and cannot join again."),
  reason: z.string(),
  createdAt: dateTime,
  createdBy: person,
  until: dateTime.nullable().describe("Null: until it is lifted."),
  abilities: z.array(z.enum(ABILITIES.sanction)).describe("What the caller may do about it."),
});
export type Sanction = z.infer<typeof sanction>;

const logEntry = z.object({
  seq: z.int().describe("Counts from 1 within the topic, without gaps."),
  at: dateTime,
  action: z.enum(logActions).describe("What was done."),
  actorId: z
    .string()
    .nullable()
    .describe(
      "Null for what happened by itself, such as a review word hiding a text; the nickname then too.",
    ),
  actorNickname: z.string().nullable(),
  subjectId: z.string().nullable(),
  subjectNickname: z.string().nullable(),
  postId: uuid.nullable(),
  commentId: uuid.nullable(),
  reason: z.string().nullable(),
  details: z
    .record(z.string(), z.string())
    .describe("More facts as text, such as the new role or the end of a mute."),
  previousHash: z.string().describe("Hash of the entry before; 64 zeros for the first."),
  hash: z.string().describe("SHA-256 in hex over the entry and previousHash, as docs/moderation.md says."),
});
export type LogEntry = z.infer<typeof logEntry>;

/** The slug of a tag in a path. PostgreSQL refuses NUL in any text. */
export const tagParam = z
  .string()
  .min(1)
  .max(100)
  .refine((slug) => !slug.includes("\0"));

const done = z.object({ success: z.literal(true) });
const reportBody = z.object({
  reason: z.enum(reportReasons),
  details: text(LIMITS.moderation.reportDetails).optional(),
});
const hideBody = z.object({ hidden: z.boolean(), reason: text(LIMITS.moderation.reason).optional() });
const shared = { tag: "moderation", auth: "required" } as const;

const list = {
  ...shared,
  nickname: false,
  access: "topic-staff",
  limit: { points: 120, seconds: 60 },
  params: topicParams,
} as const;
const staffWrite = { ...shared, nickname: true, access: "topic-staff", params: topicParams } as const;
/** Without a nickname: everyone who may read something may report it. */
const reporting = {
  ...shared,
  nickname: false,
  guestsSee: false,
  limit: { points: 20, seconds: 600 },
  body: reportBody,
  responses: { 201: done },
} as const;
const hide = { ...shared, nickname: true, limit: { points: 120, seconds: 60 }, body: hideBody } as const;

export const reportPost = operation({
  id: "moderation.reportPost",
  method: "POST",
  path: "/api/posts/{postId}/report",
  summary: "Report a post to the topic's staff; a second report of the same person changes nothing",
  description:
    "The reasons `illegal` and `owner` also reach the operators. A report with `owner` about something the topic's owner wrote reaches only them.",
  ...reporting,
  access: "post-content",
  params: postParams,
});

export const reportComment = operation({
  id: "moderation.reportComment",
  method: "POST",
  path: "/api/comments/{commentId}/report",
  summary: "Report a comment to the topic's staff, as for posts",
  ...reporting,
  access: "comment-content",
  params: commentParams,
});

export const reportMessage = operation({
  id: "moderation.reportMessage",
  method: "POST",
  path: "/api/topics/{topicId}/chat/{messageId}/report",
  summary: "Report a chat message to the topic's staff, as for posts",
  ...reporting,
  access: "topic-chat",
  params: z.object({ topicId: uuid, messageId: uuid }),
  errors: ["message_not_found"],
});

export const reportTopic = operation({
  id: "moderation.reportTopic",
  method: "POST",
  path: "/api/topics/{topicId}/report",
  summary: "Report a topic to the operators",
  ...reporting,
  access: "topic-visible",
  params: topicParams,
});

export const reportProfile = operation({
  id: "moderation.reportProfile",
  method: "POST",
  path: "/api/users/{userId}/report",
  summary: "Report a user's nickname or profile image to the operators",
  ...reporting,
  access: "signed-in",
  params: z.object({ userId: userId.regex(/^[\w-]+$/) }),
  errors: ["user_not_found"],
});

export const reportTag = operation({
  id: "moderation.reportTag",
  method: "POST",
  path: "/api/tags/{tag}/report",
  summary: "Report a tag, by its slug, to the operators",
  ...reporting,
  access: "signed-in",
  params: z.object({ tag: tagParam }),
  errors: ["tag_not_found"],
});

export const listReports = operation({
  id: "moderation.reports",
  method: "GET",
  path: "/api/topics/{topicId}/reports",
  summary: "The staff's queue: open reports, oldest first; with status=all every one",
  ...list,
  query: z.object({
    status: z.enum(["all"]).optional().describe("`all` has decided ones too."),
    limit: pageLimit(50, 100),
    cursor,
  }),
  responses: { 200: z.object({ reports: z.array(report), openCount: z.int(), nextCursor }) },
});

export const decideReport = operation({
  id: "moderation.decideReport",
  method: "PATCH",
  path: "/api/topics/{topicId}/reports",
  summary: "Dismiss or resolve a report, and every other open one of the same post or comment",
  ...staffWrite,
  limit: { points: 120, seconds: 60 },
  body: z.object({
    reportId: uuid,
    action: z.enum(["dismiss", "resolve"]).describe("Whether nothing is wrong, or it was dealt with."),
    reason: text(LIMITS.moderation.reason).optional(),
  }),
  responses: { 200: z.object({ success: z.literal(true), decided: z.int() }) },
  errors: ["report_not_found"],
});

export const hidePost = operation({
  id: "moderation.hidePost",
  method: "POST",
  path: "/api/posts/{postId}/hide",
  summary: "Hide a post from everybody but staff and author, or show it again",
  ...hide,
  access: "post-moderator",
  params: postParams,
  responses: { 200: z.object({ isHidden: z.boolean() }) },
  errors: ["hidden_by_operators", "own_case"],
});

export const hideComment = operation({
  id: "moderation.hideComment",
  method: "POST",
  path: "/api/comments/{commentId}/hide",
  summary: "Hide a comment from everybody but staff and author, or show it again",
  ...hide,
  access: "comment-moderator",
  params: commentParams,
  responses: { 200: z.object({ isHidden: z.boolean() }) },
  errors: ["hidden_by_operators", "own_case"],
});

export const hideMessage = operation({
  id: "moderation.hideMessage",
  method: "POST",
  path: "/api/chat/{messageId}/hide",
  summary: "Hide a chat message from everybody but staff and author, or show it again",
  ...hide,
  access: "message-moderator",
  params: z.object({ messageId: uuid }),
  guestsSee: false,
  responses: { 200: z.object({ isHidden: z.boolean() }) },
  errors: ["hidden_by_operators", "own_case"],
});

export const listSanctions = operation({
  id: "moderation.sanctions",
  method: "GET",
  path: "/api/topics/{topicId}/sanctions",
  summary: "Who is muted or banned now, and why",
  ...list,
  query: z.object({ limit: pageLimit(50, 100), cursor }),
  responses: { 200: z.object({ sanctions: z.array(sanction), nextCursor }) },
});

export const imposeSanction = operation({
  id: "moderation.sanction",
  method: "POST",
  path: "/api/topics/{topicId}/sanctions",
  summary: "Mute or ban somebody, with a reason and an end; a later one replaces an earlier one",
  description:
    "A muted member reads and keeps bookmarks but writes nothing. A ban removes the member and closes every way back until it ends. Admins sanction plain members, the owner anybody but themselves.",
  ...staffWrite,
  limit: { points: 60, seconds: 60 },
  body: z.object({
    userId,
    kind: z
      .enum(sanctionKinds)
      .describe("`mute`: reads but does not write; `ban`: is out and cannot join again."),
    reason: text(LIMITS.moderation.reason),
    until: z.iso
      .datetime({ offset: true })
      .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" })
      .nullish()
      .describe("Absent or null: until it is lifted."),
    hide: hideScope.optional().describe("Also hides what the user wrote here, and resolves its reports."),
  }),
  responses: { 201: z.object({ sanction, hiddenTexts: z.int() }) },
  errors: ["member_not_found"],
});

export const liftSanction = operation({
  id: "moderation.lift",
  method: "DELETE",
  path: "/api/topics/{topicId}/sanctions",
  summary: "Lift a mute or a ban",
  ...staffWrite,
  limit: { points: 60, seconds: 60 },
  body: z.object({
    userId,
    kind: z
      .enum(sanctionKinds)
      .describe("`mute`: reads but does not write; `ban`: is out and cannot join again."),
    reason: text(LIMITS.moderation.reason).optional(),
  }),
  responses: { 200: done },
  errors: ["sanction_not_found"],
});

export const readLog = operation({
  id: "moderation.log",
  method: "GET",
  path: "/api/topics/{topicId}/log",
  summary: "What the topic's staff did, latest first; each entry is chained to the one before by its hash",
  ...list,
  access: "topic-insider",
  query: z.object({ limit: pageLimit(50, 100), cursor }),
  responses: { 200: z.object({ entries: z.array(logEntry), nextCursor }) },
});
