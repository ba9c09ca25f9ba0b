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
  /** Null for reports of earlier releases. */
  snapshot: snapshot.nullable(),
});

/** A post, comment or chat message with open reports, or that waits for review, or both. */
const queueCase = z
  .object({
    kind: z.enum(caseKinds),
    /** Id of the post, comment or message. */
    targetId: uuid,
    topicId: uuid,
    topicTitle: z.string(),
    /** The post, or the comment's post; null for a message. */
    postId: uuid.nullable(),
    /** When its first open report was sent, or when it began to wait for review. */
    openedAt: dateTime,
    /** Every reason, without duplicates. */
    reasons: z.array(z.enum(caseReasons)),
    /** Open reports. */
    reportCount: z.int(),
    /** The first of them, at most five. */
    reports: z.array(caseReport),
    /** The author, and what the caller may do to them. */
    author: person.extend({
      abilities: z.array(z.enum(ABILITIES.author)),
      /** Notes that the topic's staff wrote about them. */
      noteCount: z.int(),
    }),
    /** Of the post, also for a comment; empty for a message. */
    title: z.string(),
    /** Plain text as it is now, at most 280 characters. */
    excerpt: z.string(),
    isHidden: z.boolean(),
    /** Whether a review word hid it and staff have not decided yet. */
    isWaiting: z.boolean(),
    isDeleted: z.boolean(),
    /** The actions that apply now. */
    actions: z.array(z.enum(caseActions)),
  })
  .meta({ id: "QueueCase" });
export type QueueCase = z.infer<typeof queueCase>;

const caseCounts = z.object({
  /** Open cases. */
  open: z.int(),
  /** Those with reports. */
  reported: z.int(),
  /** Those that wait for review. */
  waiting: z.int(),
  /** Every topic whose staff the caller is, by title. */
  topics: z.array(
    z.object({
      topicId: uuid,
      title: z.string(),
      /** Open cases. */
      open: z.int(),
      /** Requests to join that nobody has answered. */
      requests: z.int(),
    }),
  ),
});
export type CaseCounts = z.infer<typeof caseCounts>;

const caseId = z.object({ kind: z.enum(caseKinds), targetId: uuid });

const caseResult = caseId.extend({
  done: z.boolean(),
  /** Reports that this closed. */
  closedReports: z.int(),
  /** Why it failed; null if it is done. */
  error: z.object({ code: z.enum(errorCodes), message: z.string() }).nullable(),
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
    kind: z.enum(caseKinds).optional(),
    reason: z.enum(caseReasons).optional(),
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
    action: z.enum(caseActions),
    reason: text(LIMITS.moderation.reason).optional(),
  }),
  responses: { 200: z.object({ results: z.array(caseResult) }) },
});
