/** What members do. Each function is one operation of the API: it takes a context and the operation's input. */

export { getBookmark } from "./bookmarks/get";
export { toggleBookmark } from "./bookmarks/toggle";
export { listCategories } from "./categories/list";
export { listMessages } from "./chat/list";
export { readPresence } from "./chat/presence";
export { sendMessage } from "./chat/send";
export { subscribeToChat } from "./chat/subscribe";
export { deleteComment, updateComment } from "./comments/change";
export { createComment } from "./comments/create";
export { listFeed } from "./feed/list";
export { listMembers } from "./members/list";
export { removeMember } from "./members/remove";
export { decideRequest, listRequests } from "./members/requests";
export { setRole } from "./members/roles";
export { hideComment, hidePost } from "./moderation/hide";
export { decideReport, listReports } from "./moderation/queue";
export { readLog } from "./moderation/read-log";
export { reportComment, reportPost } from "./moderation/report";
export { imposeSanction, liftSanction, listSanctions } from "./moderation/sanctions";
export {
  listBookmarks,
  listMyLikes,
  listMyPosts,
  listMyRecorded,
  listRecorded,
  listRecordedOnMine,
} from "./my/lists";
export { followInbox } from "./notifications/events";
export { listNotifications, unreadCountOf } from "./notifications/list";
export { readNotifications } from "./notifications/read";
export { addPush, getPush, removePush } from "./notifications/subscriptions";
export { clearPollVote, votePoll } from "./polls/vote";
export { createPost } from "./posts/create";
export { deletePost } from "./posts/delete";
export { getPost } from "./posts/get";
export { listPosts } from "./posts/list";
export { pinPost } from "./posts/pin";
export { updatePost } from "./posts/update";

export { deleteAccount } from "./profile/account";
export { addDomainBadge, getBadges, getDomainBadges, removeDomainBadge } from "./profile/badges";
export { forcedTopics } from "./profile/forced-topics";
export { deleteProfileImage, getProfileImage, setProfileImage } from "./profile/image";
export { listReactions } from "./reactions/list";
export { toggleReaction } from "./reactions/toggle";
export { listRecords } from "./records/list";
export { recordPost } from "./records/record";
export { getRecordStatus } from "./records/status";
export { search } from "./search/search";
export { getStats } from "./stats/get";
export { listTags } from "./tags/list";
export { createTopic } from "./topics/create";
export { createInvite } from "./topics/create-invite";
export { deleteTopic } from "./topics/delete";
export { getTopic } from "./topics/get";
export { getInvite, joinByInvite } from "./topics/invite";
export { joinTopic } from "./topics/join";
export { leaveTopic } from "./topics/leave";
export { listTopics } from "./topics/list";
export { renewInviteCode } from "./topics/renew-code";

export { updateTopic } from "./topics/update";
export { createUpload } from "./uploads/create";
export { deleteUploads } from "./uploads/delete";
export { castVote } from "./votes/cast";
