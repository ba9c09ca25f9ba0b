import { z } from "zod";
import { ABILITIES } from "./abilities";
import {
  countryCode,
  dateTime,
  emailDomain,
  nextCursor,
  pageFields,
  proofHex,
  publicInputs,
  removalBody,
  role,
  text,
  uuid,
  visibility,
} from "./common";
import { imageErrors, LIMITS } from "./limits";
import { notificationLevels } from "./notification-kinds";
import { operation } from "./operation";
import { proofErrors, proofRequirement, proofType } from "./proof-requirement";

/** What operations that change topics have in common. */
export const write = {
  tag: "topics",
  auth: "required",
  nickname: true,
  limit: { points: 30, seconds: 60 },
} as const;
const read = {
  tag: "topics",
  auth: "optional",
  nickname: false,
  limit: { points: 300, seconds: 60 },
} as const;

const category = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  icon: z.string().nullable(),
  sortOrder: z.int(),
  createdAt: dateTime,
});
export type Category = z.infer<typeof category>;

export const listCategories = operation({
  id: "categories.list",
  method: "GET",
  path: "/api/categories",
  summary: "The twelve categories",
  ...read,
  access: "anyone",
  sameForGuests: true,
  responses: { 200: z.object({ categories: z.array(category) }) },
});

/** What members may say without a name: nothing, comments, or posts as well. */
const anonymousMode = z.enum(["off", "comments", "on"]);
export type AnonymousMode = z.infer<typeof anonymousMode>;

const reproveDays = z.union([z.literal(30), z.literal(90), z.literal(365)]).nullable();

export const topic = z
  .object({
    id: uuid,
    title: z.string(),
    description: z.string().nullable(),
    creatorId: z.string(),
    requiresCountryProof: z.boolean(),
    allowedCountries: z
      .array(countryCode)
      .nullable()
      .describe(
        "Of a country gate: residents of these countries may enter, by ISO 3166-1 alpha-2 code. Else null.",
      ),
    excludedCountries: z
      .array(countryCode)
      .nullable()
      .describe("Of a country gate: residents of these countries may not enter. Else null."),
    proofType,
    requiredDomain: z.string().nullable(),
    inviteCode: z
      .string()
      .length(8)
      .nullable()
      .describe("Null for non-members of a private or secret topic."),
    visibility,
    requiresApproval: z
      .boolean()
      .describe("Whether joining takes the staff's approval; only in private topics."),
    image: z.string().nullable(),
    banner: z.string().nullable().describe("A wide picture across the top of the topic's page."),
    score: z.number(),
    lastActivityAt: dateTime,
    categoryId: uuid.nullable(),
    category: category.pick({ id: true, name: true, slug: true, icon: true }).nullable(),
    memberCount: z.int(),
    postCount: z.int(),
    reproveDays: reproveDays.describe(
      "Days after which members of a gated topic prove again; null for never.",
    ),
    slowModeSeconds: z
      .int()
      .nullable()
      .describe("Seconds between two posts or comments of a member; null for none."),
    linksAfterPosts: z
      .int()
      .describe("Posts and comments here, accepted by staff, after which a member may post links."),
    rules: z.string().nullable().describe("The topic's own rules, plain text."),
    anonymous: anonymousMode.describe("What its members may say anonymously (docs/anonymous.md)."),
    createdAt: dateTime,
    updatedAt: dateTime,
    abilities: z.array(z.enum(ABILITIES.topic)).describe("What the caller may do here."),
  })
  .meta({ id: "Topic" });
export type Topic = z.infer<typeof topic>;

export const topicListItem = topic
  .extend({ isMember: z.boolean(), currentUserRole: role.nullable() })
  .meta({ id: "TopicListItem" });
export type TopicListItem = z.infer<typeof topicListItem>;

/** A proof sent with a join or creation; without it a stored verification counts. */
export const proofFields = { proof: proofHex.optional(), publicInputs: publicInputs.optional() };
/** Errors of a gate on a join or creation. */
export const gateErrors = [
  ...proofErrors,
  "proof_required",
  "domain_not_allowed",
  "country_not_allowed",
] as const;

export const topicParams = z.object({ topicId: uuid });

/** Room for one image of 10 MB in base64. */
const IMAGE_BYTES = 14_000_000;
/** An image: the URL of an upload, or a data URI, which the server moves to storage. */
const imageInput = z.string().min(1).max(IMAGE_BYTES);

export const createTopic = operation({
  id: "topics.create",
  method: "POST",
  path: "/api/topics",
  summary: "Create a topic; the creator becomes its owner",
  description:
    "The creator of a gated topic must satisfy its gate: by the proof sent along, or a stored verification. A country gate has either allowedCountries or excludedCountries, 1 to 10 codes.",
  ...write,
  access: "signed-in",
  limit: { points: 10, seconds: 600 },
  maxBytes: IMAGE_BYTES + 100_000,
  body: z
    .object({
      title: text(LIMITS.topic.title),
      categoryId: uuid,
      description: text(LIMITS.topic.description, 0).optional(),
      visibility: visibility.default("public"),
      requiresApproval: z
        .boolean()
        .optional()
        .describe(
          "Only for private topics, where it is true by default: false lets in whoever passes the gate.",
        ),
      image: imageInput.optional(),
      proofType: proofType.optional(),
      requiresCountryProof: z.boolean().optional(),
      allowedCountries: z
        .array(countryCode)
        .min(1)
        .max(LIMITS.topic.countries)
        .optional()
        .describe(
          "Residents of these countries may enter, by ISO 3166-1 alpha-2 code. A country gate has exactly one of the two lists.",
        ),
      excludedCountries: z
        .array(countryCode)
        .min(1)
        .max(LIMITS.topic.countries)
        .optional()
        .describe("Residents of these countries may not enter."),
      requiredDomain: emailDomain.optional(),
      anonymous: anonymousMode.optional().describe("What may be said anonymously; without it `on`."),
      ...proofFields,
    })
    .refine((b) => b.requiresApproval === undefined || b.visibility === "private", {
      path: ["requiresApproval"],
      error: "is for private topics only",
    })
    .refine((b) => !b.requiresCountryProof || !b.proofType || b.proofType === "country", {
      path: ["proofType"],
      error: "must be country when requiresCountryProof is true",
    }),
  responses: { 201: z.object({ topic }) },
  errors: [
    "silenced",
    "category_not_found",
    "consumer_domain",
    "topic_gate_unsupported",
    "new_account_limit",
    "not_your_upload",
    ...imageErrors,
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
    "Without view: joined topics only (a guest gets none), latest activity first. With view=opened: gated topics that the caller has not joined and whose gate one of their stored verifications opens, hottest first. sort and q apply with view=all, category always.",
  ...read,
  access: "anyone",
  sameForGuests: true,
  query: z.object({
    view: z
      .enum(["all", "opened"])
      .optional()
      .describe(
        "`all`: every topic the caller may see; `opened`: gated ones that the caller has not joined and can join with what they have proven. Without it those the caller joined, which are none for guests.",
      ),
    sort: z.enum(topicSorts).default("hot"),
    category: z.string().max(100).optional().describe("Slug of a category."),
    q: z.string().max(LIMITS.search).optional(),
    ...pageFields(50, 100),
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
  ...read,
  access: "topic-visible",
  sameForGuests: true,
  params: topicParams,
  responses: {
    200: z.object({
      topic,
      currentUserRole: role.nullable(),
      joinPending: z.boolean().describe("Whether the caller's join request is pending."),
      muted: z
        .object({ reason: z.string(), until: dateTime.nullable() })
        .nullable()
        .describe("While the caller is muted here: why, and until when (null: until it is lifted)."),
      userSettings: z
        .object({ isMuted: z.boolean(), notifications: z.enum(notificationLevels) })
        .nullable()
        .describe("What the caller set for this topic; null for a guest."),
      proof: z
        .object({
          provenAt: dateTime,
          reproveBy: dateTime.nullable(),
          state: z
            .enum(["current", "due", "lapsed"])
            .describe('"due": prove again by the date; "lapsed": reading and writing need a new proof.'),
        })
        .nullable()
        .describe(
          "Of a member of a gated topic: when they last proved, and until when that counts (null: for good).",
        ),
      reviewWords: z
        .array(z.string())
        .nullable()
        .describe("Words that make a text wait for review; null for everyone but staff."),
      openReports: z.int().nullable().describe("Number of open reports; null for everyone but staff."),
      proofRequirement: proofRequirement.optional().describe("Present when the topic is gated."),
    }),
  },
});

export const joinTopic = operation({
  id: "topics.join",
  method: "POST",
  path: "/api/topics/{topicId}/join",
  summary: "Join, or ask to join",
  description:
    "Members whose proof is due or too old prove again here; that answers 201 too. Checked in this order: 404, already a member 409, secret 403, request pending 409, banned or asked too soon 403, gate (402, 400, 403), then 201, or 202 where requiresApproval is true.",
  ...write,
  access: "topic-outsider",
  params: topicParams,
  body: z.object(proofFields),
  bodyOptional: true,
  responses: {
    201: z.object({ success: z.literal(true) }),
    202: z.object({
      success: z.literal(true),
      status: z.literal("pending"),
      message: z.string().describe("A sentence for people."),
    }),
  },
  errors: ["request_pending", "request_too_soon", "banned", ...gateErrors],
});

export const updateTopic = operation({
  id: "topics.update",
  method: "PATCH",
  path: "/api/topics/{topicId}",
  summary: "Change title, description, pictures, or what the topic asks of its members",
  description:
    "With reproveDays, members of a gated topic prove again that many days after their last proof, but not within seven days of this change. reviewWords replaces the list.",
  ...write,
  access: "topic-owner",
  params: topicParams,
  maxBytes: IMAGE_BYTES + 100_000,
  body: z.object({
    title: text(LIMITS.topic.title).optional(),
    description: text(LIMITS.topic.description, 0).nullable().optional(),
    image: imageInput.nullable().optional(),
    banner: imageInput.nullable().optional().describe("Shown about four times as wide as high."),
    reproveDays: reproveDays.optional(),
    slowModeSeconds: z.int().min(1).max(LIMITS.topic.slowModeSeconds).nullable().optional(),
    linksAfterPosts: z.int().min(0).max(LIMITS.topic.linksAfterPosts).optional(),
    rules: text(LIMITS.topic.rules, 0).nullable().optional(),
    anonymous: anonymousMode.optional(),
    reviewWords: z
      .array(text(LIMITS.topic.reviewWord))
      .max(LIMITS.topic.reviewWords)
      .optional()
      .describe("A text with one of these waits for review; staff see the list."),
  }),
  responses: { 200: z.object({ topic }) },
  errors: ["nothing_to_change", "not_your_upload", ...imageErrors],
});

export const deleteTopic = operation({
  id: "topics.delete",
  method: "DELETE",
  path: "/api/topics/{topicId}",
  summary: "Delete a topic with everything in it",
  ...write,
  access: "topic-owner-or-global-admin",
  limit: { points: 10, seconds: 60 },
  params: topicParams,
  body: removalBody,
  bodyOptional: true,
  responses: {
    200: z.object({
      deleted: z.boolean().describe("That the topic is gone."),
      topicId: uuid,
      deletedPostCount: z.int(),
    }),
  },
  errors: ["fresh_proof_required"],
});

export const leaveTopic = operation({
  id: "topics.leave",
  method: "POST",
  path: "/api/topics/{topicId}/leave",
  summary: "Leave a topic; an owner hands it over first",
  ...write,
  nickname: false,
  access: "topic-leaver",
  params: topicParams,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["owner_must_transfer"],
});

const mute = {
  ...write,
  nickname: false,
  guestsSee: false,
  params: topicParams,
  path: "/api/topics/{topicId}/mute",
} as const;

export const muteTopic = operation({
  id: "topics.mute",
  method: "PUT",
  summary: "Mute a topic: it notifies the caller of decisions about them only, and leaves their feed",
  description: "The topic's own page shows its posts as before. Nobody else learns of it.",
  ...mute,
  access: "topic-content",
  responses: { 200: z.object({ isMuted: z.literal(true) }) },
});

export const unmuteTopic = operation({
  id: "topics.unmute",
  method: "DELETE",
  summary: "Take the mute of a topic back, also of one that the caller may no longer read",
  ...mute,
  access: "signed-in",
  responses: { 200: z.object({ isMuted: z.literal(false) }) },
});
