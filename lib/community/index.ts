/** What members do: one function per operation of the API, which takes a context and the operation's input. */

export { castBallot, listBallots } from "./anonymous/ballots";
export { banAuthor, liftBan, listBans } from "./anonymous/bans";
export { deleteOwnText } from "./anonymous/delete-own";
export { readEvidence } from "./anonymous/evidence";
export { addPicture } from "./anonymous/pictures";
export { readTerms } from "./anonymous/terms";
export { writeAnonymousComment } from "./anonymous/write-comment";
export { writeAnonymousPost } from "./anonymous/write-post";
export { createApp, deleteApp, listApps, renewAppSecret } from "./apps/manage";
export { answerAppRequest, appOfRequest, readAppRequest, requestKey } from "./apps/requests";
export { listCategories } from "./categories/list";
export { deleteMessage, hideMessage, reactToMessage, updateMessage } from "./chat/change";
export { listMessages } from "./chat/list";
export { readPresence } from "./chat/presence";
export { sendMessage } from "./chat/send";
export { subscribeToChat } from "./chat/subscribe";
export { deleteComment, updateComment } from "./comments/change";
export { createComment } from "./comments/create";
export { followThread } from "./comments/follow";
export { listCommentsUnder } from "./comments/list";
export { enrolLeaf, withdrawFromCrowd } from "./crowd/enrol";
export { leaveSealed, takeSealed } from "./crowd/sealed";
export { getCrowd, getLeaves, listRoots } from "./crowd/view";
export {
  endAccountSessions,
  liftAccountSanction,
  readAccount,
  removeAccountImage,
  resetNickname,
  sanctionAccount,
} from "./desk/accounts";
export { decideDeskReport } from "./desk/decide";
export { listBlockedFiles, takeFilesDown, unblockFile } from "./desk/files";
export { findAccounts } from "./desk/find-accounts";
export { exportHold, listHolds, placeHold, releaseHold } from "./desk/holds";
export { readInstallationLog } from "./desk/log";
export { readOpenWork } from "./desk/open-work";
export { grantOperator, listOperators, takeOperator } from "./desk/operators";
export { claimReport, listDeskReports, releaseReport } from "./desk/reports";
export { removeTag, renameTag } from "./desk/tags";
export { freezeTopic, handOverTopic } from "./desk/topics";
export { deleteDraft, getDraft, saveDraft } from "./drafts/drafts";
export { cancelScheduled, listScheduled, schedulePost } from "./drafts/scheduled";
export { listFeed } from "./feed/list";
export { listMembers } from "./members/list";
export { addNote, deleteNote, listNotes } from "./members/notes";
export { answerOffer, cancelOffer, getOffer, offerOwnership } from "./members/ownership";
export { removeMember } from "./members/remove";
export { decideRequest, listRequests } from "./members/requests";
export { setRole } from "./members/roles";
export { decideCases } from "./moderation/decide";
export { hideComment, hidePost } from "./moderation/hide";
export { readLog } from "./moderation/log";
export { listCases } from "./moderation/queue";
export {
  reportComment,
  reportMessage,
  reportPost,
  reportProfile,
  reportTag,
  reportTopic,
} from "./moderation/report";
export { decideReport, listReports } from "./moderation/reports";
export { imposeSanction, liftSanction, listSanctions } from "./moderation/sanctions";
export {
  listBookmarks,
  listMyPosts,
  listMyRecorded,
  listMyUpvotes,
  listRecorded,
  listRecordedOnMine,
} from "./my/lists";
export { setDigest } from "./notifications/digest";
export { followNotifications } from "./notifications/events";
export { listNotifications, unreadCountOf } from "./notifications/list";
export {
  endPrivateFeed,
  getPrivateFeed,
  makePrivateFeed,
  readPrivateFeed,
} from "./notifications/private-feed";
export { readNotifications } from "./notifications/read";
export {
  getNotificationSettings,
  setNotificationKinds,
  setTopicNotifications,
} from "./notifications/settings";
export { addPush, getPush, removePush } from "./notifications/subscriptions";
export { setThreadNotifications } from "./notifications/threads";
export { getPerson, listCommentsOf, listPostsOf } from "./people/people";
export { clearPollVote, votePoll } from "./polls/vote";
export { getBookmark, toggleBookmark } from "./posts/bookmarks";
export { createPost } from "./posts/create";
export { deletePost } from "./posts/delete";
export { getPost } from "./posts/get";
export { listPosts } from "./posts/list";
export { pinPost } from "./posts/pin";
export { listReactions, toggleReaction } from "./posts/reactions";
export { updatePost } from "./posts/update";
export { noteView } from "./posts/view-counts";
export { deleteAccount } from "./profile/account";
export {
  addDomainBadge,
  getBadges,
  getDomainBadges,
  previewDomainBadge,
  removeDomainBadge,
  shownDomains,
} from "./profile/badges";
export { blockUser, listBlocks, unblockUser } from "./profile/blocks";
export { exportAccount } from "./profile/download";
export { followUser, listFollows, unfollowUser } from "./profile/follows";
export { forcedTopics } from "./profile/forced-topics";
export { deleteProfileImage, getProfileImage, setProfileImage } from "./profile/image";
export { countUnread } from "./reading/counts";
export { readThread, readTopic, unreadThread, unreadTopic } from "./reading/mark";
export { getThreadReading, getTopicReading } from "./reading/state";
export { listRecords } from "./records/list";
export { getRecordStatus, recordPost } from "./records/record";
export { search } from "./search/search";
export { getStats } from "./stats/get";
export { listTags } from "./tags/list";
export { createTopic } from "./topics/create";
export { deleteTopic } from "./topics/delete";
export { getTopic } from "./topics/get";
export { createInvite, getInvite, joinByInvite, renewInviteCode } from "./topics/invite";
export { joinTopic, leaveTopic } from "./topics/join";
export { listTopics } from "./topics/list";
export { muteTopic, unmuteTopic } from "./topics/mute";
export { updateTopic } from "./topics/update";
export { getLimits } from "./trust/accounts";
export { createUpload } from "./uploads/create";
export { deleteUploads } from "./uploads/delete";
export { listRemoved } from "./uploads/removed";
export { castCommentVote, castVote } from "./votes/cast";
export { createWebhook, deleteWebhook, listWebhooks, replayWebhook } from "./webhooks/manage";
