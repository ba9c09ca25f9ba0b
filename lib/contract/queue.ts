import { z } from "zod";
import { ABILITIES } from "./abilities";
import { cursor, dateTime, nextCursor, pageLimit, person, text, uuid } from "./common";
import { errorCodes } from "./errors";
import { LIMITS } from "./limits";
import { reportReasons, snapshot } from "./moderation";
import { operation } from "./operation";

/** What a case can be about. */
export const caseKinds = ["post", "comment", "message"] as const;
export type CaseKind = (typeof caseKinds)[number];

/** Why something is in the queue: a reason of its reports, or a review word of its topic. */
export const caseReasons = [...reportReasons, "review_words"] as const;
export type CaseReason = (typeof caseReasons)[number];

/**
 * What staff can do with a case. `approve` shows the text and dismisses its reports. `hide` and `delete` also resolve
 * its reports. `dismiss` and `resolve` close its reports and do not change the content.
 */
export const caseActions = ["approve", "dismiss", "resolve", "hide", "delete"] as const;
export type CaseAction = (typeof caseActions)[number];

const caseReport = z.object({
  id: uuid,
  reason: z.enum(reportReasons),
  details: z.string().nullable(),
  createdAt: dateTime,
  reporter: person,
  snapshot: snapshot.nullable().describe("Null for reports of earlier releases."),
});

/** A post, comment or chat message with open reports, or that waits for review, or both. */
const queueCase = z
  .object({
    kind: z.enum(caseKinds).describe("What was reported, or waits for review."),
    targetId: uuid.describe("Id of the post, comment or message."),
    topicId: uuid,
    topicTitle: z.string(),
    postId: uuid.nullable().describe("The post, or the comment's post; null for a message."),
    openedAt: dateTime.describe("When its first open report was sent, or when it began to wait for review."),
    reasons: z.array(z.enum(caseReasons)).describe("Every reason, without duplicates."),
    reportCount: z.int().describe("Open reports."),
    reports: z.array(caseReport).describe("The first of them, at most five."),
    author: person
      .extend({
        abilities: z.array(z.enum(ABILITIES.author)),
        noteCount: z.int().describe("Notes that the topic's staff wrote about them."),
      })
      .describe("The author, and what the caller may do to them."),
    title: z.string().describe("Of the post, also for a comment; empty for a message."),
    excerpt: z.string().describe("Plain text as it is now, at most 280 characters."),
    isHidden: z.boolean(),
    isWaiting: z.boolean().describe("Whether a review word hid it and staff have not decided yet."),
    isDeleted: z.boolean(),
    actions: z.array(z.enum(caseActions)).describe("The actions that apply now."),
  })
  .meta({ id: "QueueCase" });
export type QueueCase = z.infer<typeof queueCase>;

const caseCounts = z.object({
  open: z.int().describe("Open cases."),
  reported: z.int().describe("Those with reports."),
  waiting: z.int().describe("Those that wait for review."),
  topics: z
    .array(
      z.object({
        topicId: uuid,
        title: z.string(),
        open: z.int().describe("Open cases."),
        requests: z.int().describe("Requests to join that nobody has answered."),
      }),
    )
    .describe("Every topic whose staff the caller is, by title."),
});
export type CaseCounts = z.infer<typeof caseCounts>;

const caseId = z.object({
  kind: z.enum(caseKinds).describe("What was reported, or waits for review."),
  targetId: uuid,
});

const caseResult = caseId.extend({
  done: z.boolean(),
  closedReports: z.int().describe("Reports that this closed."),
  error: z
    .object({ code: z.enum(errorCodes), message: z.string() })
    .nullable()
    .describe("Why it failed; null if it is done."),
});
export type CaseResult = z.infer<typeof caseResult>;

const shared = { tag: "moderation", auth: "required", access: "signed-in" } as const;

export const listCases = operation({
  id: "moderation.queue",
  method: "GET",
  path: "/api/moderation/queue",
  summary:
    "One queue over all topics whose staff the caller is: reported content and texts that wait for review",
  description:
    "Oldest first, one case per post, comment or message. Empty for a caller who is on no topic's staff. `counts` covers all of the caller's topics, whatever the filters. A topic of which the caller is not staff has no cases.",
  ...shared,
  nickname: false,
  limit: { points: 120, seconds: 60 },
  query: z.object({
    topicId: uuid.optional(),
    kind: z
      .enum(caseKinds)
      .describe("What was reported, or waits for review.")
      .optional()
      .describe("Only cases of this kind of text."),
    reason: z.enum(caseReasons).optional().describe("Only cases with this reason."),
    limit: pageLimit(50, 100),
    cursor,
  }),
  responses: { 200: z.object({ cases: z.array(queueCase), counts: caseCounts, nextCursor }) },
});

export const decideCases = operation({
  id: "moderation.decideCases",
  method: "POST",
  path: "/api/moderation/queue",
  summary: "Decide up to 50 cases at once",
  description:
    "Each case is decided on its own: some can fail while others succeed, and `results` lists all in the order of the request. A case that someone else decided first fails with `case_decided` and does not change. The reason is logged, and the author learns it.",
  ...shared,
  nickname: true,
  limit: { points: 60, seconds: 60 },
  body: z.object({
    cases: z.array(caseId).min(1).max(LIMITS.moderation.cases),
    action: z.enum(caseActions).describe("What is done to all of them."),
    reason: text(LIMITS.moderation.reason).optional(),
  }),
  responses: { 200: z.object({ results: z.array(caseResult) }) },
});
