import type { ResultRow } from "./program";

/** Answers of the database for one request, in the order of the statements. */
type Answers = readonly (readonly ResultRow[])[];

/** What a post of the API has; the values of a row are its own. */
function postOf(row: ResultRow) {
  return {
    id: row.id,
    topicId: row.topic_id,
    topicTitle: row.topic_title,
    authorId: row.author_id,
    title: row.title,
    content: row.content,
    summary: row.summary,
    upvoteCount: row.upvote_count,
    viewCount: row.view_count,
    commentCount: row.comment_count,
    score: row.score,
    isPinned: row.is_pinned,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    authorNickname: row.author_nickname,
    authorProfileImage: row.author_image,
    authorDomains: row.author_domains,
    userVoted: row.user_vote,
    tags: row.tags,
    mentions: row.mentions,
    media: row.media,
    poll: row.poll,
    reactions: row.reactions,
    recordCount: row.record_count,
    isDeleted: row.deleted,
    isHidden: row.hidden,
    isFolded: false,
    deletedAt: row.deleted_at,
    userBookmarked: row.bookmarked,
    userRecorded: row.recorded,
    abilities: ["write", "record", "bookmark", "report"],
  };
}

function commentOf(row: ResultRow) {
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id,
    authorId: row.author_id,
    authorNickname: row.author_nickname,
    authorProfileImage: row.author_image,
    authorDomains: row.author_domains,
    content: row.content,
    mentions: row.mentions,
    upvoteCount: row.upvote_count,
    userVoted: row.voted,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    isDeleted: row.deleted_at !== null,
    isHidden: row.hidden_at !== null,
    isFolded: false,
    deletedBy: row.deleted_by,
    abilities: ["report"],
  };
}

function topicOf(row: ResultRow) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creatorId: row.creator_id,
    requiresCountryProof: row.proof_type === "country",
    allowedCountries: row.allowed_countries,
    excludedCountries: row.excluded_countries,
    proofType: row.proof_type,
    requiredDomain: row.required_domain,
    inviteCode: row.invite_code,
    visibility: row.visibility,
    requiresApproval: row.visibility === "private" && row.requires_approval,
    image: row.image,
    score: row.score,
    lastActivityAt: row.last_activity_at,
    categoryId: row.category_id,
    category: {
      id: row.category_id,
      name: row.category_name,
      slug: row.category_slug,
      icon: row.category_icon,
    },
    memberCount: row.member_count,
    postCount: row.post_count,
    reproveDays: row.reprove_days,
    slowModeSeconds: row.slow_mode_seconds,
    linksAfterPosts: row.links_after_posts,
    rules: row.rules,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    abilities: ["join"],
    isMember: row.role !== null,
    currentUserRole: row.role,
  };
}

function messageOf(row: ResultRow) {
  return {
    id: row.id,
    topicId: row.topic_id,
    userId: row.user_id,
    nickname: row.nickname,
    profileImage: row.profile_image,
    authorDomains: row.author_domains,
    message: row.message,
    type: row.type,
    createdAt: row.created_at,
    ...unchanged,
    revision: row.position,
  };
}

/** What a message has that nobody answered, changed or reacted to. */
const unchanged = {
  replyTo: null,
  editedAt: null,
  isDeleted: false,
  deletedBy: null,
  isHidden: false,
  reactions: [],
};

/** Returns the rows of the statements whose rows have this column. */
function rowsWith(answers: Answers, column: string): readonly ResultRow[] {
  return answers.filter(([row]) => row && column in row).flat();
}

const posts = (answers: Answers) => rowsWith(answers, "topic_title").map(postOf);
const comments = (answers: Answers) => rowsWith(answers, "parent_id").map(commentOf);
/** About as long as a cursor. */
const nextCursor = "WyJob3QiLDEyMzQ1LjY3ODkwMTIzLCIwYjlmNmI4ZS02YTZmLTRkMGItOWQ1NS0wYzJiOWQzYjhhMDEiXQ";

/** Bodies like those of the API, made of nothing but rows, by the name of a measure. */
export const bodies = {
  list: (answers) => ({ posts: posts(answers), nextCursor }),
  detail: (answers) => ({
    post: posts(answers)[0],
    comments: comments(answers),
    nextCursor: null,
    pageCursor: null,
  }),
  feed: (answers) => ({ posts: posts(answers), nextCursor }),
  search: (answers) => {
    const every = posts(answers);
    const titles = new Map(every.map(({ id, title }) => [id, title]));
    const found = comments(answers).map((one) => ({ ...one, postTitle: titles.get(one.postId) }));
    // The posts of the comments follow the posts.
    return { topics: [], posts: every.slice(0, 5), comments: found, nextCursor: null };
  },
  topics: (answers) => ({ topics: rowsWith(answers, "category_slug").map(topicOf), nextCursor }),
  chat: (answers) => ({
    messages: rowsWith(answers, "message").map(messageOf),
    total: rowsWith(answers, "message_count")[0]?.message_count,
    abilities: { own: ["reply", "react", "edit", "delete"], others: ["reply", "react"] },
  }),
  vote: (answers) => ({ vote: { value: 1 }, upvoteCount: rowsWith(answers, "count")[0]?.count }),
  comment: (answers) => ({ comment: comments(answers)[0] }),
  post: (answers) => ({ post: posts(answers)[0] }),
  message: (answers, { userId }) => ({
    message: {
      id: rowsWith(answers, "position").at(-1)?.id,
      topicId: rowsWith(answers, "invite_code")[0]?.id,
      userId,
      nickname: rowsWith(answers, "nickname")[0]?.nickname,
      profileImage: null,
      authorDomains: [],
      message: "A message of the chat, as long as most are.",
      type: "message",
      createdAt: rowsWith(answers, "position").at(-1)?.createdAt,
      ...unchanged,
      revision: rowsWith(answers, "position").at(-1)?.position,
    },
  }),
} satisfies Record<string, (answers: Answers, sender: { readonly userId: string }) => unknown>;

export type MeasureName = keyof typeof bodies;
