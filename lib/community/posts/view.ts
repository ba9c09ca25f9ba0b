import type { Caller } from "@/lib/context";
import type { Poll, Post } from "@/lib/contract";
import { ABILITIES } from "@/lib/contract/abilities";
import { reactionEmojis } from "@/lib/contract/posts";
import { isFolded } from "@/lib/policy/block";
import { allowedOf } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { anonymousAuthorOf } from "../anonymous/view";
import { viewerOf } from "../viewer";
import type { PollRow, PostRow } from "./load";

/**
 * Returns a post as its reader sees it. Only for posts that the policy lets them read.
 * @param now decides whether the poll is closed
 */
export function postView(row: PostRow, caller: Caller | null, now: Date): Post {
  const access = postAccess(row, viewerOf(caller, row));
  const { readBody } = access;
  return {
    id: row.id,
    topicId: row.topic_id,
    topicTitle: row.topic_title,
    authorId: row.author_id,
    title: readBody ? row.title : "",
    content: readBody ? row.content : "",
    summary: readBody ? row.summary : "",
    upvoteCount: row.upvote_count,
    viewCount: row.view_count,
    commentCount: row.comment_count,
    score: row.score,
    isPinned: row.is_pinned,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    authorNickname: row.author_nickname,
    authorProfileImage: row.author_image,
    anonymous: anonymousAuthorOf(row.anonymous),
    automated: row.automated,
    authorDomains: [...row.author_domains],
    userVoted: row.user_vote,
    tags: readBody ? row.tags.map(({ name, slug }) => ({ name, slug })) : [],
    mentions: readBody ? row.mentions.map(({ userId, nickname }) => ({ userId, nickname })) : [],
    media: readBody ? row.media : { images: [], videos: [] },
    poll: readBody && row.poll ? pollView(row.poll, row.id, now) : null,
    reactions: reactionsOf(row),
    recordCount: row.record_count,
    isDeleted: row.deleted,
    isHidden: row.hidden,
    isFolded: isFolded(row, row.role),
    deletedAt: row.deleted_at?.toISOString() ?? null,
    userBookmarked: row.bookmarked,
    userRecorded: row.recorded,
    abilities: allowedOf(ABILITIES.post, access),
  };
}

/** Returns the reactions of a post, in the fixed order of the six. */
export function reactionsOf(row: Pick<PostRow, "reactions">): Post["reactions"] {
  const given = new Map(row.reactions.map((reaction) => [reaction.emoji, reaction]));
  return reactionEmojis.flatMap((emoji) => {
    const reaction = given.get(emoji);
    return reaction ? { emoji, count: reaction.count, userReacted: reaction.mine } : [];
  });
}

/** Returns a poll as its reader sees it. @param now decides whether it is closed */
export function pollView(poll: PollRow, postId: string, now: Date): Poll {
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
    secret: poll.secret && { ...poll.secret },
  };
}
