import { z } from "zod";
import { ABILITIES } from "./abilities";
import { dateTime, mentions, text, uuid } from "./common";
import { LIMITS } from "./limits";

/** The six reactions, exactly (design/api.md). The bare heart is accepted and stored with its selector. */
export const reactionEmojis = [
  "\u{1F44D}",
  "\u{2764}\u{FE0F}",
  "\u{1F525}",
  "\u{1F602}",
  "\u{1F389}",
  "\u{1F62E}",
] as const;

const httpsUrl = z.url({ protocol: /^https$/ }).max(2000);
/** Images elsewhere must be https; http is for uploads of a development installation without a certificate. */
const imageUrl = z.url({ protocol: /^https?$/ }).max(2000);
const videoUrl = httpsUrl.regex(
  /^https:\/\/((www\.|m\.)?youtube\.com\/watch\?|youtu\.be\/|(www\.|player\.)?vimeo\.com\/)/,
  "must be a YouTube or Vimeo address",
);
export const mediaInput = z.object({
  images: z.array(imageUrl).max(LIMITS.post.images).optional(),
  videos: z.array(videoUrl).max(LIMITS.post.videos).optional(),
});
export const pollInput = z.object({
  question: text(LIMITS.poll.question).optional(),
  options: z.array(text(LIMITS.poll.option)).min(LIMITS.poll.minOptions).max(LIMITS.poll.maxOptions),
  multipleChoice: z.boolean().default(false),
  closesAt: z
    .string()
    // Checked before the format: the rest of the body may be fourteen megabytes long.
    .max(64)
    .meta({ openapi: { type: "string", format: "date-time" } })
    .pipe(
      z.iso
        .datetime({ offset: true })
        .refine((s) => Date.parse(s) > Date.now(), { error: "must be in the future" }),
    )
    .optional(),
});

/** Changes to a poll; without `options` it keeps the ones it has. */
export const pollPatch = z.object({
  question: text(LIMITS.poll.question).nullable().optional(),
  options: pollInput.shape.options.optional(),
  multipleChoice: z.boolean().optional(),
  closesAt: pollInput.shape.closesAt.unwrap().nullable().optional(),
});

export const poll = z.object({
  id: uuid,
  postId: uuid,
  question: z.string().nullable(),
  multipleChoice: z.boolean(),
  closesAt: dateTime.nullable(),
  options: z.array(z.object({ id: uuid, text: z.string(), position: z.int(), voteCount: z.int() })),
  totalVotes: z.int(),
  userVotedOptionIds: z.array(uuid),
  isClosed: z.boolean(),
});
export type Poll = z.infer<typeof poll>;

export const reactionSummary = z.object({
  emoji: z.enum(reactionEmojis),
  count: z.int(),
  userReacted: z.boolean(),
});
const tagRef = z.object({ name: z.string(), slug: z.string() });

export const post = z.object({
  id: uuid,
  topicId: uuid,
  topicTitle: z.string(),
  authorId: z.string(),
  title: z.string(),
  /** Sanitized HTML. */
  content: z.string(),
  /** Plain text of at most 280 characters, for lists. */
  summary: z.string(),
  /** Net upvotes. */
  upvoteCount: z.int(),
  viewCount: z.int(),
  commentCount: z.int(),
  score: z.number(),
  isPinned: z.boolean(),
  createdAt: dateTime,
  updatedAt: dateTime,
  authorNickname: z.string(),
  authorProfileImage: z.string().nullable(),
  /** Domains the author shows beside their name, proven within the last 30 days. */
  authorDomains: z.array(z.string()),
  userVoted: z.union([z.literal(1), z.literal(-1)]).nullable(),
  tags: z.array(tagRef),
  mentions,
  media: z.object({ images: z.array(z.string()), videos: z.array(z.string()) }),
  poll: poll.nullable(),
  reactions: z.array(reactionSummary),
  recordCount: z.int(),
  isDeleted: z.boolean(),
  /** Hidden by the topic's staff: in no list, and empty for everyone but staff and the author. */
  isHidden: z.boolean(),
  deletedAt: dateTime.nullable(),
  userBookmarked: z.boolean(),
  userRecorded: z.boolean(),
  /** What the caller may do with it. */
  abilities: z.array(z.enum(ABILITIES.post)),
});
export type Post = z.infer<typeof post>;
