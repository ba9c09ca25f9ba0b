import type { Poll, Post } from "@/lib/contract";
import { reactionEmojis } from "@/lib/contract/posts";
import type { PollRow, PostRow } from "./load";

/**
 * A post as its reader sees it. Only for posts the policy lets them read.
 * @param now decides whether the poll is closed
 */
export function postView(row: PostRow, now: Date): Post {
  const isDeleted = row.deleted_at !== null;
  return {
    id: row.id,
    topicId: row.topic_id,
    topicTitle: row.topic_title,
    authorId: row.author_id,
    title: isDeleted ? "" : row.title,
    content: isDeleted ? "" : row.content,
    summary: isDeleted ? "" : row.summary,
    upvoteCount: row.upvote_count,
    viewCount: row.view_count,
    commentCount: row.comment_count,
    score: row.score,
    isPinned: row.is_pinned,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    authorNickname: row.author_nickname,
    authorProfileImage: row.author_image,
    userVoted: row.user_vote,
    tags: isDeleted ? [] : row.tags.map(({ name, slug }) => ({ name, slug })),
    media: isDeleted ? { images: [], videos: [] } : row.media,
    poll: isDeleted || !row.poll ? null : pollView(row.poll, row.id, now),
    reactions: reactionsOf(row),
    recordCount: row.record_count,
    isDeleted,
    deletedAt: row.deleted_at?.toISOString() ?? null,
    userBookmarked: row.bookmarked,
    // Records come with the record board; until then nobody has recorded anything.
    userRecorded: false,
  };
}

/** Reactions somebody gave, in the fixed order of the six. */
function reactionsOf(row: PostRow): Post["reactions"] {
  const given = new Map(row.reactions.map((reaction) => [reaction.emoji, reaction]));
  return reactionEmojis.flatMap((emoji) => {
    const reaction = given.get(emoji);
    return reaction ? { emoji, count: reaction.count, userReacted: reaction.mine } : [];
  });
}

function pollView(poll: PollRow, postId: string, now: Date): Poll {
  return {
    id: poll.id,
    postId,
    question: poll.question,
    multipleChoice: poll.multipleChoice,
    closesAt: poll.closesAt === null ? null : new Date(poll.closesAt).toISOString(),
    options: poll.options.map(({ id, text, position, voteCount }) => ({ id, text, position, voteCount })),
    totalVotes: poll.options.reduce((sum, option) => sum + option.voteCount, 0),
    userVotedOptionIds: [...poll.votedOptionIds],
    isClosed: poll.closesAt !== null && poll.closesAt <= now.getTime(),
  };
}
