import { z } from "zod";
import { dateTime, person, text, userId, uuid } from "./common";
import { operate, operatorRoles, review } from "./desk";
import { LIMITS } from "./limits";
import { tagParam } from "./moderation";
import { operation } from "./operation";

/** What operators do to accounts, topics and tags. All of it is logged in public, with its reason. */

const accountParams = z.object({ userId: userId.regex(/^[\w-]+$/) });
const topicParams = z.object({ topicId: uuid });
const tagParams = z.object({ tag: tagParam });
const reason = text(LIMITS.moderation.reason);
const done = z.object({ success: z.literal(true) });

const accountSanctionKinds = ["silence", "suspend"] as const;
export type AccountSanctionKind = (typeof accountSanctionKinds)[number];

const accountSanction = z.object({
  kind: z.enum(accountSanctionKinds),
  reason: z.string(),
  createdAt: dateTime,
  /** Null: until it is lifted. */
  until: dateTime.nullable(),
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
      /** Reports to the operators about the account and what it wrote, and those that it sent. */
      reportsAbout: decided,
      reportsBy: decided,
    }),
  },
  errors: ["user_not_found"],
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
    kind: z.enum(accountSanctionKinds),
    reason,
    /** Absent or null: until it is lifted. */
    until: z.iso
      .datetime({ offset: true })
      .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" })
      .nullish(),
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
  body: z.object({ kind: z.enum(accountSanctionKinds), reason: reason.optional() }),
  responses: { 200: done },
  errors: ["user_not_found", "sanction_not_found"],
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
  errors: ["topic_not_found"],
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
