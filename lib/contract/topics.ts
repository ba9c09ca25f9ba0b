import { z } from "zod";
import { ABILITIES } from "./abilities";
import { category } from "./categories";
import {
  countryCode,
  cursor,
  dateTime,
  emailDomain,
  nextCursor,
  pageLimit,
  pageOffset,
  proofHex,
  publicInputs,
  role,
  text,
  uuid,
  visibility,
} from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { proofErrors, proofRequirement, proofType } from "./proof-requirement";

export const topic = z.object({
  id: uuid,
  title: z.string(),
  description: z.string().nullable(),
  creatorId: z.string(),
  requiresCountryProof: z.boolean(),
  /** With a country proof, one of the two lists: who lives in these may enter, */
  allowedCountries: z.array(countryCode).nullable(),
  /** or who lives in none of these. */
  excludedCountries: z.array(countryCode).nullable(),
  proofType,
  requiredDomain: z.string().nullable(),
  /** Null for callers who are not members of a private or secret topic. */
  inviteCode: z.string().length(8).nullable(),
  visibility,
  image: z.string().nullable(),
  score: z.number(),
  lastActivityAt: dateTime,
  categoryId: uuid.nullable(),
  category: category.pick({ id: true, name: true, slug: true, icon: true }).nullable(),
  memberCount: z.int(),
  postCount: z.int(),
  createdAt: dateTime,
  updatedAt: dateTime,
  /** What the caller may do here. */
  abilities: z.array(z.enum(ABILITIES.topic)),
});
export type Topic = z.infer<typeof topic>;

export const topicListItem = topic.extend({ isMember: z.boolean(), currentUserRole: role.nullable() });
export type TopicListItem = z.infer<typeof topicListItem>;

/** A proof sent along with a join or a creation; without it a stored verification is used. */
export const proofFields = { proof: proofHex.optional(), publicInputs: publicInputs.optional() };
/** What a gate can answer to a join or a creation. */
export const gateErrors = [
  ...proofErrors,
  "proof_required",
  "domain_not_allowed",
  "country_not_allowed",
] as const;

const topicParams = z.object({ topicId: uuid });

/** Room for one image of 10 MB in base64. */
const imageBytes = 14_000_000;
/** An image: the address of an upload, or the image itself as a data URI, which is moved to storage. */
const imageInput = z.string().min(1).max(imageBytes);

export const createTopic = operation({
  id: "topics.create",
  method: "POST",
  path: "/api/topics",
  summary: "Create a topic; the creator becomes its owner",
  description:
    "The creator of a gated topic must satisfy its gate: by the proof sent along, or a stored verification. A country gate has either allowedCountries or excludedCountries, 1 to 10 codes.",
  tag: "topics",
  auth: "required",
  nickname: true,
  access: "signed-in",
  limit: { points: 10, seconds: 600 },
  maxBytes: imageBytes + 100_000,
  body: z
    .object({
      title: text(LIMITS.topic.title),
      categoryId: uuid,
      description: text(LIMITS.topic.description, 0).optional(),
      visibility: visibility.default("public"),
      image: imageInput.optional(),
      proofType: proofType.optional(),
      requiresCountryProof: z.boolean().optional(),
      /** A country gate has exactly one of the two lists. */
      allowedCountries: z.array(countryCode).min(1).max(LIMITS.topic.countries).optional(),
      excludedCountries: z.array(countryCode).min(1).max(LIMITS.topic.countries).optional(),
      requiredDomain: emailDomain.optional(),
      ...proofFields,
    })
    .refine((b) => !b.requiresCountryProof || !b.proofType || b.proofType === "country", {
      path: ["proofType"],
      error: "must be country when requiresCountryProof is true",
    }),
  responses: { 201: z.object({ topic }) },
  errors: [
    "category_not_found",
    "consumer_domain",
    "topic_gate_unsupported",
    "not_your_upload",
    "upload_type",
    "upload_too_large",
    "upload_damaged",
    ...gateErrors,
  ],
  errorStatus: { proof_required: 400 },
});

export const topicSorts = ["hot", "new", "active", "top"] as const;

export const listTopics = operation({
  id: "topics.list",
  method: "GET",
  path: "/api/topics",
  summary: "Topics the caller may see, or has joined",
  description:
    "Without view=all: joined topics only (a guest gets none), latest activity first. sort and q apply with view=all, category always.",
  tag: "topics",
  auth: "optional",
  nickname: false,
  access: "anyone",
  limit: { points: 300, seconds: 60 },
  query: z.object({
    view: z.enum(["all"]).optional(),
    sort: z.enum(topicSorts).default("hot"),
    category: z.string().max(100).optional(),
    q: z.string().max(LIMITS.search).optional(),
    limit: pageLimit(50, 100),
    offset: pageOffset,
    cursor,
  }),
  responses: { 200: z.object({ topics: z.array(topicListItem), nextCursor }) },
  errors: ["category_not_found"],
});

export const getTopic = operation({
  id: "topics.get",
  method: "GET",
  path: "/api/topics/{topicId}",
  summary: "One topic",
  description: "A secret topic is 404 for guests and 403 for a signed-in non-member.",
  tag: "topics",
  auth: "optional",
  nickname: false,
  access: "topic-visible",
  limit: { points: 300, seconds: 60 },
  params: topicParams,
  responses: {
    200: z.object({
      topic,
      currentUserRole: role.nullable(),
      /** A join request of the caller that is waiting. */
      joinPending: z.boolean(),
      /** While the caller is muted here: why and until when (null: until it is lifted). */
      muted: z.object({ reason: z.string(), until: dateTime.nullable() }).nullable(),
      /** Reports that wait for an answer; null for everybody but staff. */
      openReports: z.int().nullable(),
      /** Present when the topic is gated. */
      proofRequirement: proofRequirement.optional(),
    }),
  },
  errors: ["topic_not_found", "topic_secret"],
});

export const joinTopic = operation({
  id: "topics.join",
  method: "POST",
  path: "/api/topics/{topicId}/join",
  summary: "Join, or ask to join",
  description:
    "Checked in this order: 404, already a member 409, secret 403, request pending 409, banned or asked too soon 403, gate (402, 400, 403), then public 201 or private 202.",
  tag: "topics",
  auth: "required",
  nickname: true,
  access: "topic-outsider",
  limit: { points: 30, seconds: 60 },
  params: topicParams,
  body: z.object(proofFields),
  bodyOptional: true,
  responses: {
    201: z.object({ success: z.literal(true) }),
    202: z.object({ success: z.literal(true), status: z.literal("pending"), message: z.string() }),
  },
  errors: [
    "topic_not_found",
    "already_member",
    "topic_secret",
    "request_pending",
    "request_too_soon",
    "banned",
    ...gateErrors,
  ],
});

export const updateTopic = operation({
  id: "topics.update",
  method: "PATCH",
  path: "/api/topics/{topicId}",
  summary: "Change title, description or image",
  tag: "topics",
  auth: "required",
  nickname: true,
  access: "topic-owner",
  limit: { points: 30, seconds: 60 },
  params: topicParams,
  maxBytes: imageBytes + 100_000,
  body: z.object({
    title: text(LIMITS.topic.title).optional(),
    description: text(LIMITS.topic.description, 0).nullable().optional(),
    image: imageInput.nullable().optional(),
  }),
  responses: { 200: z.object({ topic }) },
  errors: [
    "topic_not_found",
    "not_a_member",
    "role_required",
    "nothing_to_change",
    "not_your_upload",
    "upload_type",
    "upload_too_large",
    "upload_damaged",
  ],
});

export const deleteTopic = operation({
  id: "topics.delete",
  method: "DELETE",
  path: "/api/topics/{topicId}",
  summary: "Delete a topic with everything in it",
  tag: "topics",
  auth: "required",
  nickname: true,
  access: "topic-owner-or-global-admin",
  limit: { points: 10, seconds: 60 },
  params: topicParams,
  responses: { 200: z.object({ deleted: z.boolean(), topicId: uuid, deletedPostCount: z.int() }) },
  errors: ["topic_not_found", "not_a_member", "role_required"],
});

export const leaveTopic = operation({
  id: "topics.leave",
  method: "POST",
  path: "/api/topics/{topicId}/leave",
  summary: "Leave a topic; an owner hands it over first",
  tag: "topics",
  auth: "required",
  nickname: false,
  access: "topic-insider",
  limit: { points: 30, seconds: 60 },
  params: topicParams,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["topic_not_found", "not_a_member", "owner_must_transfer"],
});
