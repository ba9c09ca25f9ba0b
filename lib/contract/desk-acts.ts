import { z } from "zod";
import { cursor, dateTime, nextCursor, pageLimit, person, text, userId, uuid } from "./common";
import { operate, operatorRoles, review } from "./desk";
import { LIMITS } from "./limits";
import { tagParam } from "./moderation";
import { operation } from "./operation";

/** What operators do to accounts, topics, tags and images, and legal holds. All of it is logged in public, with its reason. */

const accountParams = z.object({ userId: userId.regex(/^[\w-]+$/) });
const topicParams = z.object({ topicId: uuid });
const tagParams = z.object({ tag: tagParam });
const reason = text(LIMITS.moderation.reason);
const done = z.object({ success: z.literal(true) });

const accountSanctionKinds = ["silence", "suspend"] as const;
export type AccountSanctionKind = (typeof accountSanctionKinds)[number];

const accountSanction = z.object({
  kind: z
    .enum(accountSanctionKinds)
    .describe("`silence`: reads but does not write; `suspend`: cannot sign in."),
  reason: z.string(),
  createdAt: dateTime,
  until: dateTime.nullable().describe("Null: until it is lifted."),
});

const decided = z.object({ open: z.int(), dismissed: z.int(), resolved: z.int() });

export const readAccount = operation({
  id: "desk.account",
  method: "GET",
  path: "/api/desk/accounts/{userId}",
  summary: "The history of an account: reports about it and by it, sanctions, role",
  ...review,
  params: accountParams,
  responses: {
    200: z.object({
      user: person,
      role: z.enum(operatorRoles).nullable(),
      sanctions: z.array(accountSanction),
      reportsAbout: decided.describe(
        "Reports to the operators about the account and what it wrote, and those that it sent.",
      ),
      reportsBy: decided,
    }),
  },
  errors: ["user_not_found"],
});

export const findAccounts = operation({
  id: "desk.accounts",
  method: "GET",
  path: "/api/desk/accounts",
  summary: "Accounts whose nickname starts with q, or whose user id is q; at most ten",
  ...review,
  query: z.object({ q: text(100) }),
  responses: {
    200: z.object({ accounts: z.array(person.extend({ role: z.enum(operatorRoles).nullable() })) }),
  },
});

export const sanctionAccount = operation({
  id: "desk.sanction",
  method: "POST",
  path: "/api/desk/accounts/{userId}/sanctions",
  summary: "Silence or suspend an account, with a reason and an end; a later one replaces an earlier one",
  description:
    "A silenced user reads, bookmarks and reports, but writes in no topic and creates none. Every request of a suspended user is refused with `suspended`; their sessions end. Both follow the identity, so that withdrawing does not end them.",
  ...operate,
  guestsSee: false,
  params: accountParams,
  body: z.object({
    kind: z
      .enum(accountSanctionKinds)
      .describe("`silence`: reads but does not write; `suspend`: cannot sign in."),
    reason,
    until: z.iso
      .datetime({ offset: true })
      .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" })
      .nullish()
      .describe("Absent or null: until it is lifted."),
  }),
  responses: { 201: z.object({ sanction: accountSanction }) },
  errors: ["user_not_found", "operator_protected"],
});

export const liftAccountSanction = operation({
  id: "desk.lift",
  method: "DELETE",
  path: "/api/desk/accounts/{userId}/sanctions",
  summary: "Lift a silence or a suspension",
  ...operate,
  guestsSee: false,
  params: accountParams,
  body: z.object({
    kind: z
      .enum(accountSanctionKinds)
      .describe("`silence`: reads but does not write; `suspend`: cannot sign in."),
    reason: reason.optional(),
  }),
  responses: { 200: done },
  errors: ["user_not_found", "sanction_not_found", "own_case"],
});

export const endAccountSessions = operation({
  id: "desk.endSessions",
  method: "DELETE",
  path: "/api/desk/accounts/{userId}/sessions",
  summary: "End all sessions of an account",
  ...operate,
  guestsSee: false,
  params: accountParams,
  body: z.object({ reason }),
  responses: { 200: z.object({ success: z.literal(true), ended: z.int() }) },
  errors: ["user_not_found"],
});

export const resetNickname = operation({
  id: "desk.resetNickname",
  method: "DELETE",
  path: "/api/desk/accounts/{userId}/nickname",
  summary: "Replace a nickname by a generated one; nobody can take the old one for 30 days",
  ...operate,
  params: accountParams,
  body: z.object({ reason }),
  responses: { 200: z.object({ nickname: z.string() }) },
  errors: ["user_not_found"],
});

export const removeAccountImage = operation({
  id: "desk.removeImage",
  method: "DELETE",
  path: "/api/desk/accounts/{userId}/image",
  summary: "Remove a profile image and its file",
  ...operate,
  params: accountParams,
  body: z.object({ reason }),
  responses: { 200: done },
  errors: ["user_not_found"],
});

export const freezeTopic = operation({
  id: "desk.freeze",
  method: "POST",
  path: "/api/desk/topics/{topicId}/freeze",
  summary: "Freeze a topic, so that nobody writes in it or joins it, or unfreeze it",
  ...operate,
  params: topicParams,
  body: z.object({ frozen: z.boolean(), reason }),
  responses: { 200: z.object({ isFrozen: z.boolean() }) },
  errors: ["topic_not_found", "own_case"],
});

export const handOverTopic = operation({
  id: "desk.handOver",
  method: "POST",
  path: "/api/desk/topics/{topicId}/owner",
  summary: "Make another member the owner of a topic; the owner until then becomes an admin",
  ...operate,
  params: topicParams,
  body: z.object({ userId, reason }),
  responses: { 200: done },
  errors: ["fresh_proof_required", "topic_not_found", "member_not_found"],
});

export const renameTag = operation({
  id: "desk.renameTag",
  method: "PATCH",
  path: "/api/desk/tags/{tag}",
  summary: "Give a tag another name on every post",
  ...operate,
  params: tagParams,
  body: z.object({ name: text(LIMITS.post.tag), reason }),
  responses: { 200: z.object({ slug: z.string(), posts: z.int() }) },
  errors: ["fresh_proof_required", "tag_not_found", "tag_exists"],
});

export const removeTag = operation({
  id: "desk.removeTag",
  method: "DELETE",
  path: "/api/desk/tags/{tag}",
  summary: "Remove a tag from every post",
  ...operate,
  params: tagParams,
  body: z.object({ reason }),
  responses: { 200: z.object({ success: z.literal(true), posts: z.int() }) },
  errors: ["fresh_proof_required", "tag_not_found"],
});

/** SHA-256 in hex. */
const digest = z.string().regex(/^[0-9a-f]{64}$/);

export const takeFilesDown = operation({
  id: "desk.takeFilesDown",
  method: "POST",
  path: "/api/desk/files",
  summary: "Take images down everywhere: those of a report, the one at an address, or one by its digest",
  description:
    "Names one of `reportId`, `url` and `sha256`. Every upload with the same bytes, whoever uploaded it, is deleted and no address serves it any more; posts, topics and profiles no longer show it; and nobody can upload it again. A legal hold keeps a copy, which is not served. `files` counts images, `uploads` their copies.",
  ...operate,
  body: z
    .object({
      reportId: uuid.optional(),
      url: z.string().max(2000).optional(),
      sha256: digest.optional(),
      reason,
    })
    .refine(({ reportId, url, sha256 }) => [reportId, url, sha256].filter(Boolean).length === 1, {
      path: ["reportId"],
      error: "name one of reportId, url and sha256",
    }),
  responses: { 200: z.object({ success: z.literal(true), files: z.int(), uploads: z.int() }) },
  errors: ["fresh_proof_required", "report_not_found", "upload_not_found"],
});

const blockedFile = z.object({
  id: uuid,
  sha256: digest,
  reason: z.string(),
  blockedAt: dateTime,
});

export const listBlockedFiles = operation({
  id: "desk.blockedFiles",
  method: "GET",
  path: "/api/desk/files",
  summary: "The images that nobody can upload, latest first, by their SHA-256",
  ...operate,
  query: z.object({ limit: pageLimit(50, 100), cursor }),
  responses: { 200: z.object({ files: z.array(blockedFile), nextCursor }) },
});

export const unblockFile = operation({
  id: "desk.unblockFile",
  method: "DELETE",
  path: "/api/desk/files/{fileId}",
  summary: "Let an image be uploaded again; what was deleted does not come back",
  ...operate,
  guestsSee: false,
  params: z.object({ fileId: uuid }),
  body: z.object({ reason }),
  responses: { 200: done },
  errors: ["upload_not_found"],
});

const heldKinds = ["post", "comment", "message", "topic", "profile"] as const;
export type HeldKind = (typeof heldKinds)[number];

const hold = z.object({
  id: uuid,
  kind: z.enum(heldKinds).describe("What is kept."),
  targetId: z
    .string()
    .describe("Id of the post, comment, message or topic, or user id, when the hold was placed."),
  reason: z.string(),
  placedBy: person,
  placedAt: dateTime,
  renewedAt: dateTime.describe("When it last took in what had come since."),
  texts: z.int().describe("Texts and files that it keeps."),
  files: z.int(),
  releasedAt: dateTime.nullable().describe("Null while it is in force. What it kept was erased then."),
});
export type Hold = z.infer<typeof hold>;
const holdParams = z.object({ holdId: uuid });

export const placeHold = operation({
  id: "desk.placeHold",
  method: "POST",
  path: "/api/desk/holds",
  summary: "Put a legal hold on something: a sealed copy stays, whoever deletes the original",
  description:
    "Keeps texts and files of a post, comment or chat message; of a topic with everything in it; or of an account with all it wrote. The original stays as it is, and can be hidden and deleted as ever. A hold keeps what is there when it is placed: placing it again adds what has come or changed since. The log names a hold by its own id, so that nobody is warned. Nobody is notified.",
  ...operate,
  guestsSee: false,
  body: z.object({
    kind: z.enum(heldKinds).describe("What is kept."),
    targetId: z.string().min(1).max(100),
    reason,
  }),
  responses: { 201: z.object({ hold }) },
  errors: ["topic_not_found", "post_not_found", "comment_not_found", "message_not_found", "user_not_found"],
});

export const listHolds = operation({
  id: "desk.holds",
  method: "GET",
  path: "/api/desk/holds",
  summary: "Legal holds in force, latest first; with status=all released ones too",
  ...operate,
  query: z.object({
    status: z.enum(["all"]).optional().describe("`all` has released ones too."),
    limit: pageLimit(50, 100),
    cursor,
  }),
  responses: { 200: z.object({ holds: z.array(hold), nextCursor }) },
});

export const releaseHold = operation({
  id: "desk.releaseHold",
  method: "DELETE",
  path: "/api/desk/holds/{holdId}",
  summary: "End a legal hold, and erase what it kept",
  ...operate,
  guestsSee: false,
  params: holdParams,
  body: z.object({ reason }),
  responses: { 200: done },
  errors: ["fresh_proof_required", "hold_not_found", "own_case"],
});

export const exportHold = operation({
  id: "desk.exportHold",
  method: "POST",
  path: "/api/desk/holds/{holdId}/export",
  summary: "Everything that a legal hold keeps, as lines of JSON; each export is logged",
  description:
    "Each line says in `line` what it is: first the `hold`, then each `text` (`kind`, `id`, `takenAt`, `content`) and each `file` (`key`, `contentType`, `sha256`, and its bytes in `base64`, or null where it is missing).",
  ...operate,
  guestsSee: false,
  limit: { points: 20, seconds: 600 },
  params: holdParams,
  body: z.object({ reason }),
  binary: "application/x-ndjson",
  responses: {},
  errors: ["fresh_proof_required", "hold_not_found"],
});
