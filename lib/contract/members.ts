import { z } from "zod";
import { ABILITIES } from "./abilities";
import { dateTime, nextCursor, pageFields, role, text, userId, uuid } from "./common";
import { LIMITS } from "./limits";
import { hideScope } from "./moderation";
import { operation } from "./operation";

const params = z.object({ topicId: uuid });

const member = z
  .object({
    userId: z.string(),
    nickname: z.string(),
    role,
    profileImage: z.string().nullable(),
    domains: z
      .array(z.string())
      .describe("Domains the member shows beside their name, proven within the last 30 days."),
    joinedAt: dateTime,
    provenAt: dateTime
      .nullable()
      .describe("When they last proved what the gate asks for; null in a topic without a gate."),
    noteCount: z
      .int()
      .nullable()
      .describe("Notes that the staff wrote about the member; null unless the caller is staff."),
    abilities: z.array(z.enum(ABILITIES.member)).describe("What the caller may do to the member."),
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;

const joinRequest = z
  .object({
    id: uuid,
    userId: z.string(),
    nickname: z.string(),
    profileImage: z.string().nullable(),
    status: z.enum(["pending", "approved", "rejected"]).describe("Whether it is answered, and how."),
    createdAt: dateTime,
  })
  .meta({ id: "JoinRequest" });
export type JoinRequest = z.infer<typeof joinRequest>;

const shared = { tag: "members", auth: "required" } as const;

const staffWrite = { ...shared, nickname: true, access: "topic-staff", params } as const;

export const listRequests = operation({
  id: "requests.list",
  method: "GET",
  path: "/api/topics/{topicId}/requests",
  summary: "Join requests, oldest first; those that wait, or with status=all every one",
  ...shared,
  nickname: false,
  access: "topic-staff",
  limit: { points: 120, seconds: 60 },
  params,
  query: z.object({
    status: z.enum(["all"]).optional().describe("`all` has answered ones too."),
    ...pageFields(50, 100),
  }),
  responses: { 200: z.object({ requests: z.array(joinRequest), nextCursor }) },
});

export const decideRequest = operation({
  id: "requests.decide",
  method: "PATCH",
  path: "/api/topics/{topicId}/requests",
  summary: "Approve or reject a join request",
  ...staffWrite,
  limit: { points: 120, seconds: 60 },
  body: z.object({ requestId: uuid, action: z.enum(["approve", "reject"]) }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["join_request_not_found", "join_request_decided", "banned", "topic_frozen"],
});

export const listMembers = operation({
  id: "members.list",
  method: "GET",
  path: "/api/topics/{topicId}/members",
  summary: "Members: owner, admins, then the others by joining; with q up to 10 by nickname prefix",
  ...shared,
  nickname: false,
  limit: { points: 300, seconds: 60 },
  params,
  access: "topic-insider",
  query: z.object({
    q: z.string().max(LIMITS.nickname.max).optional(),
    ...pageFields(50, 100),
  }),
  responses: { 200: z.object({ members: z.array(member), currentUserRole: role, nextCursor }) },
});

export const setRole = operation({
  id: "members.setRole",
  method: "PATCH",
  path: "/api/topics/{topicId}/members",
  summary: "Give a member a role; `owner` hands the topic over and makes the caller an admin",
  ...shared,
  nickname: true,
  params,
  access: "topic-owner",
  limit: { points: 60, seconds: 60 },
  body: z.object({ userId, role }),
  responses: { 200: z.object({ success: z.literal(true), role, transferred: z.boolean() }) },
  errors: ["member_not_found", "fresh_proof_required"],
});

export const removeMember = operation({
  id: "members.remove",
  method: "DELETE",
  path: "/api/topics/{topicId}/members",
  summary: "Remove a member: admins plain members, the owner anybody but themselves",
  ...staffWrite,
  limit: { points: 60, seconds: 60 },
  body: z.object({
    userId,
    reason: text(LIMITS.moderation.reason).optional(),
    hide: hideScope.optional().describe("Also hides what the member wrote here, and resolves its reports."),
  }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["member_not_found"],
});
