import type { Post } from "@/lib/contract";
import { PostRows, type RowPost } from "./post-row";

/** Tags that have room in a row. */
const SHOWN_TAGS = 3;

/** A list of posts. Its rows are a client component, which gets only what they show: the posts' texts stay here. */
export function PostList({
  posts,
  showTopic = true,
}: {
  readonly posts: readonly Post[];
  /** False on the topic's own page. */
  readonly showTopic?: boolean;
}) {
  return <PostRows posts={posts.map(rowOf)} showTopic={showTopic} />;
}

function rowOf(post: Post): RowPost {
  return {
    id: post.id,
    topicId: post.topicId,
    topicTitle: post.topicTitle,
    title: post.title,
    summary: post.summary,
    authorId: post.authorId,
    authorNickname: post.authorNickname,
    authorProfileImage: post.authorProfileImage,
    authorDomains: post.authorDomains,
    createdAt: post.createdAt,
    isPinned: post.isPinned,
    isHidden: post.isHidden,
    image: post.media.images[0] ?? null,
    tags: post.tags.slice(0, SHOWN_TAGS),
    upvoteCount: post.upvoteCount,
    commentCount: post.commentCount,
    recordCount: post.recordCount,
    userVoted: post.userVoted,
    userBookmarked: post.userBookmarked,
  };
}
