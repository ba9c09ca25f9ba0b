import { z } from "zod";
import { anonymousAuthor } from "./anonymous-author";
import { dateTime, fieldElement, hexString, nextCursor, pageFields, rawText, text, uuid } from "./common";
import { root } from "./crowd";
import { imageErrors, LIMITS } from "./limits";
import { operation } from "./operation";
import { poll } from "./posts";
import { topic } from "./topics";
import { proofHex, termsAt, unlinked } from "./unlinked";

const topicParams = z.object({ topicId: uuid });
const postParams = z.object({ postId: uuid });

const ban = z.object({ week: z.int(), tag: fieldElement });

const terms = z.object({
  at: dateTime.describe("When these terms were read; an act names it. They can be used for two minutes."),
  anonymous: topic.shape.anonymous.describe("What members may say anonymously."),
  topic: fieldElement.describe("The topic as a field element: the number that its id is."),
  root: root.nullable().describe("The latest root; null before the first."),
  minimum: z.int().describe("Members that a crowd needs."),
  epoch: z.int().describe("The UTC day, as days since 1970, in which a member has `limit` slots."),
  limit: z.int(),
  week: z.int().describe("The UTC week, seven epochs long, in which an author keeps a tag."),
  bans: z.array(ban).describe("In the order of the proof's public inputs."),
});

const rootNumber = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .describe("Number of the root of the crowd that the proof is about.");

/** A proof of membership with what its author says about themselves. All else in it the server knows from itself. */
const membership = z.object({
  root: rootNumber,
  at: termsAt,
  slotNullifier: fieldElement,
  scopeNullifier: fieldElement,
  tag: fieldElement.describe("The author's tag of the week, to which the proof commits with the blinding."),
  blinding: fieldElement,
  proof: proofHex,
});
export type Membership = z.infer<typeof membership>;

/** Of a topic that not everyone may read: `termsKey` of its crowd, which all its members have. */
const query = z.object({
  key: z
    .string()
    .max(64)
    .optional()
    .describe("`termsKey` of the topic's crowd, where not everyone may read the topic."),
});

const act = {
  tag: "anonymous",
  method: "POST",
  auth: "refused",
  nickname: false,
  access: "anyone",
  limit: { points: 30, seconds: 60 },
} as const;
const actErrors = [
  "anonymous_off",
  "topic_frozen",
  "crowd_too_small",
  "terms_expired",
  "membership_invalid",
  "slot_used",
] as const;

export const readTerms = operation({
  id: "anonymous.terms",
  ...act,
  method: "GET",
  path: "/api/topics/{topicId}/anonymous",
  summary: "What a proof for an anonymous act in a topic is about",
  description:
    "Asking with a session would say who is about to write. A topic that not everyone may read wants its `key` instead, and does not exist for whoever has none.",
  limit: { points: 120, seconds: 60 },
  params: topicParams,
  query,
  responses: { 200: z.object({ terms }) },
  errors: ["topic_not_found"],
});

export const writePost = operation({
  id: "anonymous.post",
  ...act,
  path: "/api/topics/{topicId}/anonymous/posts",
  summary: "Post as one of a topic's crowd",
  description:
    "Refused with a cookie or an authorization header. The proof's signal and scope are those of docs/anonymous.md, over exactly this text. The same act sent again is answered again, and posted once.",
  params: topicParams,
  query,
  body: z.object({
    id: z.uuidv4().describe("Chosen by the author: a random version 4 UUID."),
    title: text(LIMITS.post.title),
    content: rawText(LIMITS.post.html).describe(
      "HTML that sanitizing leaves as it is; its images are pictures uploaded for it.",
    ),
    tags: z.array(text(LIMITS.post.tag)).max(LIMITS.post.tags).default([]),
    membership,
  }),
  responses: { 201: z.object({ postId: uuid, anonymous: anonymousAuthor }) },
  errors: ["topic_not_found", "id_taken", "links_too_early", "not_your_upload", ...actErrors],
});

export const addPicture = operation({
  id: "anonymous.picture",
  ...act,
  path: "/api/topics/{topicId}/anonymous/pictures",
  summary: "Upload a picture for an anonymous post",
  description: `Refused with a cookie or an authorization header. The proof is about exactly these bytes, in an epoch of its own with ${LIMITS.anonymous.picturesPerDay} pictures a day (docs/anonymous.md). What no post shows within a week is deleted. Leave metadata out before you send it: the server keeps none, but sees what it gets.`,
  maxBytes: 1.4 * LIMITS.anonymous.pictureBytes,
  params: topicParams,
  query,
  body: z.object({
    image: rawText(1.35 * LIMITS.anonymous.pictureBytes).describe(
      "A data URI in base64: PNG, JPEG, GIF or WebP.",
    ),
    membership: unlinked.extend({
      root: rootNumber,
      at: termsAt,
    }),
  }),
  responses: {
    201: z.object({
      src: z
        .string()
        .describe(
          "For an `<img src>` of the post. The name of the file is the SHA-256 of what is stored, in base64url.",
        ),
    }),
  },
  errors: ["topic_not_found", ...actErrors, ...imageErrors],
});

export const writeComment = operation({
  id: "anonymous.comment",
  ...act,
  path: "/api/posts/{postId}/anonymous/comments",
  summary: "Comment on a post, or reply to a comment, as one of its topic's crowd",
  description: "As anonymous.post.",
  params: postParams,
  query,
  body: z.object({ content: text(LIMITS.comment), parentId: uuid.nullish(), membership }),
  responses: { 201: z.object({ commentId: uuid, anonymous: anonymousAuthor }) },
  errors: ["post_not_found", "post_hidden", "comment_not_found", "links_too_early", ...actErrors],
});

const evidence = z.object({
  publicInputs: z
    .array(fieldElement)
    .describe("The public inputs of the proof, 74 words in their order: docs/anonymous.md."),
  proof: hexString,
  root: z.int().describe("Number of the root in the topic's list."),
  act: z
    .object({
      kind: z.enum(["post", "comment"]).describe("What was written."),
      topicId: uuid,
      postId: uuid,
      parentId: uuid.nullable(),
      title: z.string().nullable(),
      content: z.string(),
      tags: z.array(z.string()).nullable(),
    })
    .nullable()
    .describe(
      "The act that the signal stands for, as the server stores it; null once it is deleted or hidden.",
    ),
});

export const readEvidence = operation({
  id: "anonymous.evidence",
  tag: "anonymous",
  method: "GET",
  path: "/api/posts/{postId}/anonymous",
  summary: "The proof of an anonymous post, or of a comment under a post",
  auth: "optional",
  nickname: false,
  access: "post-content",
  limit: { points: 300, seconds: 60 },
  params: postParams,
  query: z.object({ comment: uuid.optional() }),
  responses: { 200: z.object({ evidence }) },
  errors: ["comment_not_found", "not_anonymous"],
});

export const deleteOwn = operation({
  id: "anonymous.delete",
  ...act,
  path: "/api/posts/{postId}/anonymous/deletions",
  summary: "Delete what one wrote anonymously: a post, or a comment under it",
  description:
    "Refused with a cookie or an authorization header. The proof shows the scope nullifier with which the text was written, by any root of the topic that has the author's leaf (docs/anonymous.md): whoever is banned or left may delete, too. Sent again, it is answered again.",
  params: postParams,
  query,
  body: z.object({
    commentId: uuid.nullish(),
    membership: unlinked.extend({
      root: z.int().min(1).max(2_147_483_647).describe("Number of a root in the topic's list."),
    }),
  }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["post_not_found", "comment_not_found", "not_anonymous", "root_not_found", "membership_invalid"],
});

export const castBallot = operation({
  id: "anonymous.ballot",
  ...act,
  path: "/api/posts/{postId}/poll/ballots",
  summary: "Cast a secret ballot in a poll, or replace one's own by a higher counter",
  description:
    "Refused with a cookie or an authorization header. The proof is about the poll's root, its own epoch and scope, and a signal over exactly this choice (docs/anonymous.md). The same ballot sent again is answered again, and counts once.",
  params: postParams,
  query,
  body: z.object({
    optionIds: z
      .array(uuid)
      .min(1)
      .max(LIMITS.poll.maxOptions)
      .describe("Options voted for, in any order; the proof's signal has them in the poll's order."),
    counter: z.int().min(0).max(1_000_000),
    membership: unlinked.extend({
      at: termsAt,
    }),
  }),
  responses: { 201: z.object({ options: poll.shape.options }) },
  errors: [
    ...(["post_not_found", "post_hidden", "poll_not_found", "poll_named", "poll_closed"] as const),
    ...(["poll_option_unknown", "topic_frozen", "terms_expired", "membership_invalid"] as const),
    "ballot_replaced",
  ],
});

export const listBallots = operation({
  id: "anonymous.ballots",
  tag: "anonymous",
  method: "GET",
  path: "/api/posts/{postId}/poll/ballots",
  summary: "The ballot box of a poll with secret ballots, each ballot with its proof",
  description: "In the order of the members' numbers in this poll, which say nothing elsewhere.",
  auth: "optional",
  nickname: false,
  access: "post-content",
  limit: { points: 300, seconds: 60 },
  params: postParams,
  query: z.object(pageFields(50, 100)),
  responses: {
    200: z.object({
      ballots: z.array(
        z.object({
          optionIds: z.array(uuid),
          counter: z.int(),
          publicInputs: z.array(fieldElement).describe("74 words in their order: docs/anonymous.md."),
          proof: hexString,
        }),
      ),
      nextCursor,
    }),
  },
  errors: ["poll_not_found", "poll_named"],
});

const listedBan = z.object({
  id: uuid,
  createdAt: dateTime,
  until: dateTime,
  postId: uuid.nullable().describe("What its author said; null once that is gone."),
  commentId: uuid.nullable(),
});
export type AnonymousBan = z.infer<typeof listedBan>;
const staff = {
  tag: "anonymous",
  auth: "required",
  nickname: true,
  guestsSee: false,
  limit: { points: 60, seconds: 60 },
} as const;

export const banAuthor = operation({
  id: "anonymous.ban",
  ...staff,
  method: "POST",
  path: "/api/posts/{postId}/anonymous/ban",
  summary: "Ban whoever wrote an anonymous post, or a comment under it, from the crowd for some weeks",
  description:
    "Nobody learns who it is. A topic has at most 32 such bans at a time. Another ban of the same author and week replaces the first.",
  access: "post-staff",
  params: postParams,
  body: z.object({
    commentId: uuid.optional(),
    weeks: z.int().min(1).max(LIMITS.anonymous.banWeeks),
    reason: text(LIMITS.moderation.reason),
  }),
  responses: { 201: z.object({ ban: listedBan }) },
  errors: ["comment_not_found", "not_anonymous", "ban_list_full"],
});

export const listBans = operation({
  id: "anonymous.bans",
  ...staff,
  method: "GET",
  path: "/api/topics/{topicId}/anonymous/bans",
  summary: "The bans of anonymous authors that are running",
  access: "topic-staff",
  params: topicParams,
  responses: { 200: z.object({ bans: z.array(listedBan) }) },
});

export const liftBan = operation({
  id: "anonymous.lift",
  ...staff,
  method: "DELETE",
  path: "/api/topics/{topicId}/anonymous/bans/{banId}",
  summary: "End a ban of an anonymous author",
  access: "topic-staff",
  params: topicParams.extend({ banId: uuid }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["ban_not_found"],
});
