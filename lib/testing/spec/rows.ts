/**
 * Every row of the tables of the community API's specification: endpoints, states and transitions, errors, limits. The
 * tests beside this file are keyed by these names, so a row without a test does not type-check, and what the runner
 * lists is this list.
 */

export const topicEndpoints = [
  "GET /api/topics",
  "POST /api/topics",
  "GET /api/topics/join/{inviteCode}",
  "POST /api/topics/join/{inviteCode}",
  "GET /api/topics/{topicId}",
  "PATCH /api/topics/{topicId}",
  "DELETE /api/topics/{topicId}",
  "POST /api/topics/{topicId}/join",
  "POST /api/topics/{topicId}/invite",
  "GET /api/topics/{topicId}/requests",
  "PATCH /api/topics/{topicId}/requests",
  "GET /api/topics/{topicId}/members",
  "PATCH /api/topics/{topicId}/members",
  "DELETE /api/topics/{topicId}/members",
] as const;

export const postEndpoints = [
  "GET /api/topics/{topicId}/posts",
  "POST /api/topics/{topicId}/posts",
  "GET /api/posts/{postId}",
  "PATCH /api/posts/{postId}",
  "DELETE /api/posts/{postId}",
  "POST /api/posts/{postId}/comments",
  "POST /api/posts/{postId}/pin",
  "POST /api/posts/{postId}/vote",
  "GET /api/posts/{postId}/reactions",
  "POST /api/posts/{postId}/reactions",
  "GET /api/posts/{postId}/bookmark",
  "POST /api/posts/{postId}/bookmark",
  "POST /api/posts/{postId}/poll/vote",
  "DELETE /api/posts/{postId}/poll/vote",
] as const;

export const chatEndpoints = [
  "GET /api/topics/{topicId}/chat",
  "POST /api/topics/{topicId}/chat",
  "GET /api/topics/{topicId}/chat/subscribe",
  "GET /api/topics/{topicId}/chat/presence",
] as const;

/** The table of events; they belong to the chat stream. */
export const chatEvents = [
  "connect: added to presence, a join is recorded, the presence list comes first",
  "new message: broadcast to subscribers",
  "disconnect: removed from presence, a leave is published",
] as const;

export const recordEndpoints = [
  "GET /api/posts/{postId}/records",
  "GET /api/posts/{postId}/record-status",
  "POST /api/posts/{postId}/record",
  "GET /api/recorded",
  "GET /api/my/recorded-on-mine",
] as const;

/** The rows of states and limits that need a chain. */
export const recordStates = ["Post: editable -> locked by POST record"] as const;
export const recordLimits = [
  "recording: one hour old, 3 a day, once per user and post, not one's own",
] as const;

export const otherEndpoints = [
  "GET /api/tags",
  "GET /api/stats",
  "PUT /api/profile/nickname",
  "GET /api/profile/image",
  "PUT /api/profile/image",
  "DELETE /api/profile/image",
  "GET /api/profile/domain-badge",
  "POST /api/profile/domain-badge",
  "DELETE /api/profile/domain-badge",
  "GET /api/profile/badges",
  "DELETE /api/upload",
  "GET /api/og",
  "GET /api/og/image",
  // Named by the specification, with paths and bodies decided by design/api.md.
  "service health check",
  "upload creation",
  "account deletion",
  "the user's own posts",
  "the user's liked posts",
  "the user's bookmarks",
  "POST /api/auth/challenge",
  "POST /api/auth/verify/ai",
  "POST /api/auth/proof-request",
  "GET /api/auth/proof-request/{requestId}",
  "POST /api/auth/proof-request/{requestId}",
  "GET /api/auth/poll/{requestId}",
  "GET /api/auth/session",
  "POST /api/auth/logout",
  "POST /api/auth/refresh",
  "POST /api/auth/dev-login",
] as const;

export const transitions = [
  "JoinRequest: none -> pending by POST join on a private topic",
  "JoinRequest: pending -> approved by PATCH requests; the requester becomes a member",
  "JoinRequest: pending -> rejected by PATCH requests",
  "Membership: none -> member by POST join on a public topic",
  "Membership: none -> member by POST join with an invite code, visibility ignored",
  "Membership: any role -> removed by DELETE members",
  "Member role: member or admin -> the given role by PATCH members",
  "Member role: member or admin -> owner by PATCH members; the previous owner becomes admin",
  "Topic: exists -> deleted, with everything in it",
  "Post: active -> soft-deleted; title, content and media cleared, row kept",
  "Post: unpinned -> pinned",
  "Post: pinned -> unpinned",
  "Post vote: none -> v",
  "Post vote: v -> none by the same value",
  "Post vote: v -> the opposite",
  "Reaction: absent -> present",
  "Reaction: present -> absent",
  "Bookmark: off -> on",
  "Bookmark: on -> off",
  "Poll votes: voted -> none by DELETE poll/vote",
  "Invite token: none -> issued; 7 days, single use",
] as const;

export const errorRows = [
  "400 invalid parameters or body",
  "401 missing or invalid session or token",
  "402 proof required, on POST join only",
  "403 authenticated but not allowed",
  "404 resource missing, or hidden",
  "409 duplicate or invalid state",
  "415 proxied resource is not an image",
  "502 upstream fetch failed",
] as const;

export const limitRows = [
  "posts page size: default 20, max 100, offset default 0",
  "chat page size: default 50, max 500",
  "chat message length: max 1000 characters",
  "tags per post: max 5",
  "tag search: up to 10 with q, up to 20 most used without",
  "member search: up to 10 matches",
  "nickname: 2-20 letters, digits, underscore",
  "invite code: 8 characters",
  "invite token: 16 hex characters, 7 days, single use",
  "link preview cache: 1 hour",
  "chat heartbeat: every 30 seconds",
  "verification cache: 30 days",
  "reactions: 6 allowed emojis",
] as const;
