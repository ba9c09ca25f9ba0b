import { z } from "zod";

/** The resources as the specification writes them down; not taken from lib/contract, which they check. */
const id = z.uuid();
const time = z.iso.datetime();
const role = z.enum(["owner", "admin", "member"]);
const visibility = z.enum(["public", "private", "secret"]);

export const topic = z.looseObject({
  id,
  title: z.string(),
  description: z.string().nullable(),
  creatorId: z.string(),
  requiresCountryProof: z.boolean(),
  allowedCountries: z.array(z.string().regex(/^[A-Z]{2}$/)).nullable(),
  // Null for callers who are not members of a private topic (design/api.md).
  inviteCode: z.string().length(8).nullable(),
  visibility,
  image: z.string().nullable(),
  score: z.number(),
  lastActivityAt: time,
  categoryId: id.nullable(),
  category: z.looseObject({ id, name: z.string(), slug: z.string(), icon: z.string().nullable() }).nullable(),
  memberCount: z.int(),
  createdAt: time,
  updatedAt: time,
});
export const topicListItem = topic.extend({ isMember: z.boolean(), currentUserRole: role.nullable() });

export const poll = z.looseObject({
  id,
  postId: id,
  question: z.string().nullable(),
  multipleChoice: z.boolean(),
  closesAt: time.nullable(),
  options: z.array(z.looseObject({ id, text: z.string(), position: z.int(), voteCount: z.int() })),
  totalVotes: z.int(),
  userVotedOptionIds: z.array(id),
  isClosed: z.boolean(),
});
export const reactionSummary = z.looseObject({
  emoji: z.string(),
  count: z.int(),
  userReacted: z.boolean(),
});
export const post = z.looseObject({
  id,
  topicId: id,
  authorId: z.string(),
  title: z.string(),
  content: z.string(),
  upvoteCount: z.int(),
  viewCount: z.int(),
  commentCount: z.int(),
  score: z.number(),
  isPinned: z.boolean(),
  createdAt: time,
  updatedAt: time,
  authorNickname: z.string(),
  authorProfileImage: z.string().nullable(),
  userVoted: z.union([z.literal(1), z.literal(-1)]).nullable(),
  tags: z.array(z.looseObject({ name: z.string(), slug: z.string() })),
  // design/api.md
  media: z.looseObject({ images: z.array(z.string()), videos: z.array(z.string()) }),
  poll: poll.nullable(),
  reactions: z.array(reactionSummary),
  recordCount: z.int(),
  isDeleted: z.boolean(),
  deletedAt: time.nullable(),
  userBookmarked: z.boolean(),
  userRecorded: z.boolean(),
  topicTitle: z.string(),
});
export const comment = z.looseObject({
  id,
  postId: id,
  parentId: id.nullable(),
  authorId: z.string().nullable(),
  content: z.string(),
  createdAt: time,
  authorNickname: z.string().nullable(),
  authorProfileImage: z.string().nullable(),
  isDeleted: z.boolean(),
  deletedBy: z.enum(["author", "admin"]).nullable(),
});
export const member = z.looseObject({
  userId: z.string(),
  nickname: z.string(),
  role,
  profileImage: z.string().nullable(),
  joinedAt: time,
});
export const joinRequest = z.looseObject({
  id,
  userId: z.string(),
  nickname: z.string(),
  profileImage: z.string().nullable(),
  status: z.enum(["pending", "approved", "rejected"]),
  createdAt: time,
});
export const tag = z.looseObject({
  id,
  name: z.string(),
  slug: z.string(),
  postCount: z.int(),
  createdAt: time,
});
export const chatMessage = z.looseObject({
  // The specification names none of its fields; design/api.md does.
  id,
  topicId: id,
  userId: z.string(),
  nickname: z.string(),
  profileImage: z.string().nullable(),
  message: z.string(),
  type: z.enum(["message", "join", "leave"]),
  createdAt: time,
});
export const presence = z.looseObject({
  users: z.array(
    z.looseObject({
      userId: z.string(),
      nickname: z.string(),
      profileImage: z.string().nullable(),
      connectedAt: time,
    }),
  ),
  count: z.int(),
});
export const record = z.looseObject({
  id,
  recorderNickname: z.string().nullable(),
  recorderProfileImage: z.string().nullable(),
  txHash: z.string().nullable(),
  contentHash: z.string().regex(/^0x[0-9a-f]{64}$/),
  contentHashMatch: z.boolean(),
  createdAt: time,
});
const step = z.looseObject({ step: z.int(), title: z.string(), description: z.string() });
export const proofRequirement = z.looseObject({
  type: z.enum(["kyc", "country", "workspace_a", "workspace_b", "workspace"]),
  circuit: z.string(),
  domain: z.string().nullable(),
  allowedCountries: z.array(z.string()).nullable(),
  guide: z.looseObject({
    title: z.string(),
    description: z.string(),
    steps: z.looseObject({ mobile: z.array(step), agent: z.array(step) }),
    notes: z.array(z.string()),
  }),
  guideUrl: z.string().startsWith("/api/docs/proof-guide/"),
  proofEndpoint: z.looseObject({
    mobile: z.looseObject({ method: z.string(), url: z.string(), description: z.string() }),
    agent: z.looseObject({
      challengeEndpoint: z.looseObject({ method: z.string(), url: z.string(), description: z.string() }),
      proveCommand: z.string(),
      joinEndpoint: z.looseObject({ method: z.string(), url: z.string(), description: z.string() }),
    }),
  }),
});
export const error = z.looseObject({ error: z.string().min(1), code: z.string(), requestId: z.string() });
