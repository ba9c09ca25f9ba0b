import { z } from "zod";
import { cursor, dateTime, nextCursor, pageLimit, person, text, userId, uuid } from "./common";
import { installationActions } from "./desk-actions";
import { LIMITS } from "./limits";
import { reportedKinds, reportReasons, snapshot } from "./moderation";
import { operation } from "./operation";

export const operatorRoles = ["operator", "reviewer"] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What an entry of the log is about: what can be reported, an image by the id of its block, or a legal hold. */
const loggedKinds = [...reportedKinds, "file", "hold"] as const;
export type LoggedKind = (typeof loggedKinds)[number];

const installationLogEntry = z
  .object({
    seq: z.int().describe("Counts from 1, without gaps."),
    at: dateTime,
    action: z.enum(installationActions).describe("What was done."),
    role: z.enum(operatorRoles),
    actor: z.string().describe("Hash of the operator's id and a nonce that only operators can read."),
    targetKind: z.enum(loggedKinds),
    targetId: z
      .string()
      .describe("Id of the post, comment, message, topic, block or hold, user id, or id of the tag."),
    topicId: uuid.nullable().describe("The topic of a post, comment or message."),
    reason: z.string().nullable(),
    details: z
      .record(z.string(), z.string())
      .describe("More facts as text, such as the end of a suspension."),
    previousHash: z.string().describe("Hash of the entry before; 64 zeros for the first."),
    hash: z.string().describe("SHA-256 in hex over the entry and previousHash, as docs/moderation.md says."),
  })
  .meta({ id: "InstallationLogEntry" });
export type InstallationLogEntry = z.infer<typeof installationLogEntry>;

/** A head of the log that is on a chain (docs/records.md). */
const recordedHead = z.object({
  seq: z.int(),
  hash: z.string(),
  chainId: z.int(),
  board: z.string().describe("The contract that has the record."),
  txHash: z.string(),
});
export type RecordedHead = z.infer<typeof recordedHead>;

const tag = "operators";
const reason = text(LIMITS.moderation.reason);
const done = z.object({ success: z.literal(true) });

export const readInstallationLog = operation({
  id: "desk.log",
  method: "GET",
  path: "/api/log",
  summary: "What this installation's operators did, latest first; each entry is chained to the one before",
  description:
    "Never what was hidden or deleted, nor who reported it. `npm run verify-log` checks an export.",
  tag,
  auth: "none",
  nickname: false,
  access: "anyone",
  limit: { points: 120, seconds: 60 },
  query: z.object({ limit: pageLimit(50, 100), cursor }),
  responses: {
    200: z.object({
      entries: z.array(installationLogEntry),
      recorded: recordedHead.nullable().describe("The newest head that is on the chain; null for none."),
      nextCursor,
    }),
  },
});

/** For operators and reviewers. */
export const review = {
  tag,
  auth: "required",
  nickname: false,
  access: "desk",
  limit: { points: 300, seconds: 60 },
} as const;
const reviewWrite = { ...review, guestsSee: false } as const;
/** For operators. */
export const operate = {
  ...review,
  access: "operator",
  limit: { points: 60, seconds: 60 },
} as const;

const operator = z
  .object({
    user: person,
    role: z.enum(operatorRoles),
    isConfigured: z.boolean().describe("From ADMIN_USER_IDS, so that nobody can take the role."),
    grantedAt: dateTime.nullable(),
  })
  .meta({ id: "Operator" });

export const listOperators = operation({
  id: "desk.operators",
  method: "GET",
  path: "/api/desk/operators",
  summary: "The operators and reviewers of this installation",
  ...review,
  responses: { 200: z.object({ operators: z.array(operator) }) },
});

export const grantOperator = operation({
  id: "desk.grant",
  method: "PUT",
  path: "/api/desk/operators",
  summary: "Make a user an operator or a reviewer",
  ...operate,
  guestsSee: false,
  body: z.object({ userId, role: z.enum(operatorRoles), reason: reason.optional() }),
  responses: { 200: z.object({ success: z.literal(true), role: z.enum(operatorRoles) }) },
  errors: ["fresh_proof_required", "user_not_found", "operator_configured"],
});

export const takeOperator = operation({
  id: "desk.take",
  method: "DELETE",
  path: "/api/desk/operators",
  summary: "Take the role of an operator or reviewer",
  ...operate,
  guestsSee: false,
  body: z.object({ userId, reason: reason.optional() }),
  responses: { 200: done },
  errors: ["fresh_proof_required", "user_not_found", "operator_configured"],
});

/** What a decision can do to what is reported, in the same step. */
export const deskActs = [
  /** A post, comment or message. */
  "hide",
  /** A post, comment or message; cannot be undone. */
  "delete",
  /** Every copy of its pictures on this site; they cannot be uploaded again. Cannot be undone. */
  "take_files_down",
  /** A profile. */
  "reset_nickname",
  "remove_image",
  /** A topic. */
  "freeze",
  /** A tag; cannot be undone. */
  "remove_tag",
] as const;
export type DeskAct = (typeof deskActs)[number];

const deskReport = z
  .object({
    id: uuid,
    kind: z.enum(reportedKinds).describe("What was reported."),
    targetId: z.string().describe("Id of the post, comment, message or topic, user id, or id of the tag."),
    topicId: uuid.nullable().describe("The topic of what is reported, also when it is gone."),
    topicTitle: z.string().nullable().describe("Null when the topic is gone."),
    postId: uuid.nullable().describe("The post, also of a comment."),
    reason: z.enum(reportReasons),
    details: z.string().nullable(),
    snapshot: snapshot.nullable().describe("Null once it was erased, 90 days after the decision."),
    status: z.enum(["open", "dismissed", "resolved"]).describe("Whether it is decided, and how."),
    createdAt: dateTime,
    reporter: person,
    reporterRecord: z
      .object({ resolved: z.int(), dismissed: z.int() })
      .describe("How the operators answered what this person reported before."),
    state: z
      .enum(["shown", "hidden", "gone"])
      .describe("How it is now. Posts, comments and messages can be hidden."),
    acts: z
      .array(z.enum(deskActs))
      .describe("What the caller can do to it with the decision; empty for reviewers."),
    isHeld: z.boolean().describe("Whether a legal hold on exactly this is in force."),
    subject: person.nullable().describe("Who wrote or owns it; null for a tag."),
    claimedBy: person
      .nullable()
      .describe("Who is working on it; null for nobody, also when the claim lapsed."),
    decidedAt: dateTime.nullable(),
    decision: z.string().nullable().describe("The reason of the decision."),
  })
  .meta({ id: "DeskReport" });
export type DeskReport = z.infer<typeof deskReport>;

export const listDeskReports = operation({
  id: "desk.reports",
  method: "GET",
  path: "/api/desk/reports",
  summary: "The operators' queue: open reports, oldest first; with status=all every one",
  ...review,
  query: z.object({
    status: z.enum(["all"]).optional().describe("`all` has decided ones too."),
    reason: z.enum(reportReasons).optional().describe("Only reports with this reason."),
    kind: z.enum(reportedKinds).optional().describe("Only reports of this kind of thing."),
    topicId: uuid.optional(),
    limit: pageLimit(50, 100),
    cursor,
  }),
  responses: { 200: z.object({ reports: z.array(deskReport), nextCursor }) },
});

const reportParams = z.object({ reportId: uuid });

export const claimReport = operation({
  id: "desk.claim",
  method: "POST",
  path: "/api/desk/reports/{reportId}/claim",
  summary: "Claim a report, with the other open ones of the same content, for two hours",
  description:
    "While the claim lasts, nobody else can claim or answer them. Claiming again begins the time anew.",
  ...reviewWrite,
  params: reportParams,
  responses: { 200: z.object({ success: z.literal(true), claimed: z.int() }) },
  errors: ["report_not_found", "report_claimed"],
});

export const releaseReport = operation({
  id: "desk.release",
  method: "DELETE",
  path: "/api/desk/reports/{reportId}/claim",
  summary: "Give up a claim; operators release those of others too",
  ...reviewWrite,
  params: reportParams,
  responses: { 200: done },
  errors: ["report_not_found", "report_claimed"],
});

export const decideDeskReport = operation({
  id: "desk.decide",
  method: "PATCH",
  path: "/api/desk/reports/{reportId}",
  summary:
    "Dismiss or resolve a report, and every other open one of the same content; operators may act on it too",
  description:
    "With `act`, which only operators may send and only with `resolve`, the reported content is hidden, deleted and so on in the same transaction, for the same reason. `acted` is false where that was done before, or what was reported is gone; the reports are closed all the same. Acts that cannot be undone need a fresh proof.",
  ...review,
  params: reportParams,
  body: z
    .object({ action: z.enum(["dismiss", "resolve"]), reason, act: z.enum(deskActs).optional() })
    .refine(({ action, act }) => act === undefined || action === "resolve", {
      path: ["act"],
      error: "goes with resolve only",
    }),
  responses: { 200: z.object({ success: z.literal(true), decided: z.int(), acted: z.boolean() }) },
  errors: ["report_not_found", "report_claimed", "fresh_proof_required", "act_not_possible"],
});
