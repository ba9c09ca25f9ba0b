/** What members do. Each function is one operation of the API: it takes a context and the operation's input. */
export { listCategories } from "./categories/list";
export { createComment } from "./comments/create";
export { listFeed } from "./feed/list";
export { createPost } from "./posts/create";
export { getPost } from "./posts/get";
export { listPosts } from "./posts/list";
export { flushViews } from "./posts/views";
export { createTopic } from "./topics/create";
export { getTopic } from "./topics/get";
export { getInvite, joinByInvite } from "./topics/invite";
export { joinTopic } from "./topics/join";
export { listTopics } from "./topics/list";
export { refreshMovedTopicScores } from "./topics/score";
export { castVote } from "./votes/cast";
