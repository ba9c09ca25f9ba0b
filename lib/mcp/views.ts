import type { Comment, contract, Post, ResponseBody } from "@/lib/contract";
import type { AnonymousAuthor } from "@/lib/contract/anonymous-author";
import type { FoundComment } from "@/lib/contract/comments";
import type { Topic, TopicListItem } from "@/lib/contract/topics";

/**
 * What a model reads of the API's answers: without pictures, counters of the interface and empty fields, which cost it more than
 * they tell. Nothing is added but addresses for people.
 */

/** Leaves out what says nothing: null, false, and empty lists and texts. */
export function told(view: object): Record<string, unknown> {
  const says = (value: unknown) =>
    !(value === null || value === undefined || value === false || value === "") &&
    !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(view).filter(([, value]) => says(value)));
}

export function topicView(topic: Topic & Partial<TopicListItem>, appUrl: string) {
  const { id, title, description, visibility, requiresApproval, memberCount, postCount, rules, anonymous } =
    topic;
  const gate = told({
    proof: topic.proofType === "none" ? null : topic.proofType,
    domain: topic.requiredDomain,
    allowedCountries: topic.allowedCountries,
    excludedCountries: topic.excludedCountries,
    provenAgainAfterDays: topic.reproveDays,
  });
  return told({
    ...{ id, title, description, rules, visibility, requiresApproval },
    gate: Object.keys(gate).length > 0 ? gate : null,
    members: memberCount,
    posts: postCount,
    anonymous,
    joined: topic.isMember,
    role: topic.currentUserRole,
    url: `${appUrl}/topics/${id}`,
  });
}

export function postView(post: Post, appUrl: string, { isWhole }: { readonly isWhole: boolean }) {
  const { id, topicId, topicTitle, title, createdAt, updatedAt, poll } = post;
  return told({
    ...{ id, topicId, topic: topicTitle, title },
    author: authorOf(post),
    domains: post.authorDomains,
    automated: post.automated,
    ...(isWhole ? { html: post.content } : { summary: post.summary }),
    poll: poll && {
      question: poll.question,
      options: poll.options.map(({ text, voteCount }) => ({ text, votes: voteCount })),
      closed: poll.isClosed,
    },
    tags: post.tags.map(({ name }) => name),
    votes: post.upvoteCount,
    yourVote: post.userVoted,
    comments: post.commentCount,
    createdAt,
    updatedAt: updatedAt === createdAt ? null : updatedAt,
    url: `${appUrl}/posts/${id}`,
  });
}

export function commentView(comment: Comment | FoundComment) {
  const { id, postId, parentId, content, createdAt } = comment;
  return told({
    ...{ id, postId, parentId },
    author: authorOf(comment),
    domains: comment.authorDomains,
    automated: comment.automated,
    text: content,
    deleted: comment.isDeleted,
    hidden: comment.isHidden,
    votes: comment.upvoteCount,
    yourVote: comment.userVoted,
    createdAt,
  });
}

type Message = ResponseBody<typeof contract.chat.list>["messages"][number];

export function messageView({
  id,
  nickname,
  authorDomains,
  automated,
  message,
  type,
  createdAt,
  replyTo,
  ...of
}: Message) {
  return told({
    ...{ id, author: nickname, domains: authorDomains, automated, text: message },
    event: type === "message" ? null : type,
    replyTo: replyTo?.id,
    ...{ deleted: of.isDeleted, hidden: of.isHidden, createdAt },
  });
}

type Alert = ResponseBody<typeof contract.notifications.list>["notifications"][number];

export function alertView({ isRead, actor, details, ...alert }: Alert) {
  const { id, kind, createdAt, topicId, topicTitle, postId, postTitle, commentId, excerpt, reason } = alert;
  return told({
    ...{ id, kind, createdAt, unread: !isRead, by: actor?.nickname, topicId, topic: topicTitle },
    ...{ postId, post: postTitle, commentId, excerpt, reason },
    details: Object.keys(details).length > 0 ? details : null,
  });
}

function authorOf(of: {
  readonly anonymous: AnonymousAuthor | null;
  readonly authorNickname: string | null;
}): string {
  if (!of.anonymous) return of.authorNickname ?? "";
  return `${of.anonymous.pseudonym} (anonymous, one of ${of.anonymous.crowd})`;
}
