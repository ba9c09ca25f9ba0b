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

/** Leaves out what most posts do not have. */
function rowOf(post: Post): RowPost {
  const [image] = post.media.images;
  return {
    id: post.id,
    topicId: post.topicId,
    topicTitle: post.topicTitle,
    title: post.title,
    summary: post.summary,
    authorId: post.authorId,
    authorNickname: post.authorNickname,
    createdAt: post.createdAt,
    tags: post.tags.slice(0, SHOWN_TAGS),
    upvoteCount: post.upvoteCount,
    commentCount: post.commentCount,
    ...(post.authorProfileImage && { authorProfileImage: post.authorProfileImage }),
    ...(post.authorDomains.length > 0 && { authorDomains: post.authorDomains }),
    ...(post.anonymous && { anonymous: post.anonymous }),
    ...(post.automated && { automated: true }),
    ...(post.isPinned && { isPinned: true }),
    ...(post.isHidden && { isHidden: true }),
    ...(post.isFolded && { isFolded: true }),
    ...(image && { image }),
    ...(post.recordCount > 0 && { recordCount: post.recordCount }),
    ...(post.userVoted && { userVoted: post.userVoted }),
    ...(post.userBookmarked && { userBookmarked: true }),
  };
}
