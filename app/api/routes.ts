import type { RouteModule } from "@/lib/http/endpoint";
import * as accountExport from "./account/export/route";
import * as account from "./account/route";
import * as appsClientId from "./apps/[clientId]/route";
import * as appsClientIdSecret from "./apps/[clientId]/secret/route";
import * as appsRequestsAppRequestId from "./apps/requests/[appRequestId]/route";
import * as apps from "./apps/route";
import * as authChallenge from "./auth/challenge/route";
import * as authDevLogin from "./auth/dev-login/route";
import * as authLogout from "./auth/logout/route";
import * as authPollRequestId from "./auth/poll/[requestId]/route";
import * as authProofRequestRequestId from "./auth/proof-request/[requestId]/route";
import * as authProofRequest from "./auth/proof-request/route";
import * as authRefresh from "./auth/refresh/route";
import * as authSession from "./auth/session/route";
import * as authSessionsSessionId from "./auth/sessions/[sessionId]/route";
import * as authSessions from "./auth/sessions/route";
import * as authSpending from "./auth/spending/route";
import * as authTokensTokenId from "./auth/tokens/[tokenId]/route";
import * as authTokens from "./auth/tokens/route";
import * as authVerifyAi from "./auth/verify/ai/route";
import * as bookmarks from "./bookmarks/route";
import * as categories from "./categories/route";
import * as chatMessageIdHide from "./chat/[messageId]/hide/route";
import * as chatMessageIdReactions from "./chat/[messageId]/reactions/route";
import * as chatMessageId from "./chat/[messageId]/route";
import * as commentsCommentIdHide from "./comments/[commentId]/hide/route";
import * as commentsCommentIdReport from "./comments/[commentId]/report/route";
import * as commentsCommentId from "./comments/[commentId]/route";
import * as commentsCommentIdVote from "./comments/[commentId]/vote/route";
import * as deskAccountsUserIdImage from "./desk/accounts/[userId]/image/route";
import * as deskAccountsUserIdNickname from "./desk/accounts/[userId]/nickname/route";
import * as deskAccountsUserId from "./desk/accounts/[userId]/route";
import * as deskAccountsUserIdSanctions from "./desk/accounts/[userId]/sanctions/route";
import * as deskAccountsUserIdSessions from "./desk/accounts/[userId]/sessions/route";
import * as deskAccounts from "./desk/accounts/route";
import * as deskFilesFileId from "./desk/files/[fileId]/route";
import * as deskFiles from "./desk/files/route";
import * as deskHoldsHoldIdExport from "./desk/holds/[holdId]/export/route";
import * as deskHoldsHoldId from "./desk/holds/[holdId]/route";
import * as deskHolds from "./desk/holds/route";
import * as deskOperators from "./desk/operators/route";
import * as deskReportsReportIdClaim from "./desk/reports/[reportId]/claim/route";
import * as deskReportsReportId from "./desk/reports/[reportId]/route";
import * as deskReports from "./desk/reports/route";
import * as deskTagsTag from "./desk/tags/[tag]/route";
import * as deskTopicsTopicIdFreeze from "./desk/topics/[topicId]/freeze/route";
import * as deskTopicsTopicIdOwner from "./desk/topics/[topicId]/owner/route";
import * as docsOpenapiJson from "./docs/openapi.json/route";
import * as docsProofGuideType from "./docs/proof-guide/[type]/route";
import * as feed from "./feed/route";
import * as healthReady from "./health/ready/route";
import * as health from "./health/route";
import * as log from "./log/route";
import * as meDigest from "./me/digest/route";
import * as meEvents from "./me/events/route";
import * as meFeed from "./me/feed/route";
import * as meNotificationSettings from "./me/notification-settings/route";
import * as mePush from "./me/push/route";
import * as meScheduledScheduledId from "./me/scheduled/[scheduledId]/route";
import * as meScheduled from "./me/scheduled/route";
import * as meSealed from "./me/sealed/route";
import * as moderationQueue from "./moderation/queue/route";
import * as myBlocks from "./my/blocks/route";
import * as myFollows from "./my/follows/route";
import * as myLikes from "./my/likes/route";
import * as myPosts from "./my/posts/route";
import * as myRecorded from "./my/recorded/route";
import * as myRecordedOnMine from "./my/recorded-on-mine/route";
import * as myUnread from "./my/unread/route";
import * as notificationsRead from "./notifications/read/route";
import * as notifications from "./notifications/route";
import * as ogImage from "./og/image/route";
import * as og from "./og/route";
import * as peopleNicknameComments from "./people/[nickname]/comments/route";
import * as peopleNicknamePosts from "./people/[nickname]/posts/route";
import * as peopleNickname from "./people/[nickname]/route";
import * as postsPostIdAnonymousBan from "./posts/[postId]/anonymous/ban/route";
import * as postsPostIdAnonymousComments from "./posts/[postId]/anonymous/comments/route";
import * as postsPostIdAnonymousDeletions from "./posts/[postId]/anonymous/deletions/route";
import * as postsPostIdAnonymous from "./posts/[postId]/anonymous/route";
import * as postsPostIdBookmark from "./posts/[postId]/bookmark/route";
import * as postsPostIdComments from "./posts/[postId]/comments/route";
import * as postsPostIdEvents from "./posts/[postId]/events/route";
import * as postsPostIdHide from "./posts/[postId]/hide/route";
import * as postsPostIdNotifications from "./posts/[postId]/notifications/route";
import * as postsPostIdPin from "./posts/[postId]/pin/route";
import * as postsPostIdPollBallots from "./posts/[postId]/poll/ballots/route";
import * as postsPostIdPollVote from "./posts/[postId]/poll/vote/route";
import * as postsPostIdReactions from "./posts/[postId]/reactions/route";
import * as postsPostIdRead from "./posts/[postId]/read/route";
import * as postsPostIdRecord from "./posts/[postId]/record/route";
import * as postsPostIdRecordStatus from "./posts/[postId]/record-status/route";
import * as postsPostIdRecords from "./posts/[postId]/records/route";
import * as postsPostIdReport from "./posts/[postId]/report/route";
import * as postsPostId from "./posts/[postId]/route";
import * as postsPostIdUnread from "./posts/[postId]/unread/route";
import * as postsPostIdVote from "./posts/[postId]/vote/route";
import * as profileBadges from "./profile/badges/route";
import * as profileDomainBadgePreview from "./profile/domain-badge/preview/route";
import * as profileDomainBadge from "./profile/domain-badge/route";
import * as profileImage from "./profile/image/route";
import * as profileLimits from "./profile/limits/route";
import * as profileNickname from "./profile/nickname/route";
import * as recorded from "./recorded/route";
import * as entrance from "./route";
import * as search from "./search/route";
import * as stats from "./stats/route";
import * as tagsTagReport from "./tags/[tag]/report/route";
import * as tags from "./tags/route";
import * as topicsTopicIdAnonymousBansBanId from "./topics/[topicId]/anonymous/bans/[banId]/route";
import * as topicsTopicIdAnonymousBans from "./topics/[topicId]/anonymous/bans/route";
import * as topicsTopicIdAnonymousPictures from "./topics/[topicId]/anonymous/pictures/route";
import * as topicsTopicIdAnonymousPosts from "./topics/[topicId]/anonymous/posts/route";
import * as topicsTopicIdAnonymous from "./topics/[topicId]/anonymous/route";
import * as topicsTopicIdChatMessageIdReport from "./topics/[topicId]/chat/[messageId]/report/route";
import * as topicsTopicIdChatPresence from "./topics/[topicId]/chat/presence/route";
import * as topicsTopicIdChat from "./topics/[topicId]/chat/route";
import * as topicsTopicIdChatSubscribe from "./topics/[topicId]/chat/subscribe/route";
import * as topicsTopicIdCrowdRootsNumberLeaves from "./topics/[topicId]/crowd/roots/[number]/leaves/route";
import * as topicsTopicIdCrowdRoots from "./topics/[topicId]/crowd/roots/route";
import * as topicsTopicIdCrowd from "./topics/[topicId]/crowd/route";
import * as topicsTopicIdDraft from "./topics/[topicId]/draft/route";
import * as topicsTopicIdInvite from "./topics/[topicId]/invite/route";
import * as topicsTopicIdInviteCode from "./topics/[topicId]/invite-code/route";
import * as topicsTopicIdJoin from "./topics/[topicId]/join/route";
import * as topicsTopicIdLeave from "./topics/[topicId]/leave/route";
import * as topicsTopicIdLog from "./topics/[topicId]/log/route";
import * as topicsTopicIdMembersUserIdNotes from "./topics/[topicId]/members/[userId]/notes/route";
import * as topicsTopicIdMembers from "./topics/[topicId]/members/route";
import * as topicsTopicIdMute from "./topics/[topicId]/mute/route";
import * as topicsTopicIdNotesNoteId from "./topics/[topicId]/notes/[noteId]/route";
import * as topicsTopicIdNotifications from "./topics/[topicId]/notifications/route";
import * as topicsTopicIdOwnershipOffer from "./topics/[topicId]/ownership-offer/route";
import * as topicsTopicIdPosts from "./topics/[topicId]/posts/route";
import * as topicsTopicIdRead from "./topics/[topicId]/read/route";
import * as topicsTopicIdReport from "./topics/[topicId]/report/route";
import * as topicsTopicIdReports from "./topics/[topicId]/reports/route";
import * as topicsTopicIdRequests from "./topics/[topicId]/requests/route";
import * as topicsTopicId from "./topics/[topicId]/route";
import * as topicsTopicIdSanctions from "./topics/[topicId]/sanctions/route";
import * as topicsTopicIdScheduled from "./topics/[topicId]/scheduled/route";
import * as topicsTopicIdUnread from "./topics/[topicId]/unread/route";
import * as topicsTopicIdWebhooksWebhookIdReplay from "./topics/[topicId]/webhooks/[webhookId]/replay/route";
import * as topicsTopicIdWebhooksWebhookId from "./topics/[topicId]/webhooks/[webhookId]/route";
import * as topicsTopicIdWebhooks from "./topics/[topicId]/webhooks/route";
import * as topicsJoinInviteCode from "./topics/join/[inviteCode]/route";
import * as topics from "./topics/route";
import * as uploadRemoved from "./upload/removed/route";
import * as upload from "./upload/route";
import * as usersUserIdBlock from "./users/[userId]/block/route";
import * as usersUserIdFollow from "./users/[userId]/follow/route";
import * as usersUserIdReport from "./users/[userId]/report/route";

/** Every route file with operations, for the entry server; lib/http/openapi.api.test.ts finds a missing one. */
export const apiRoutes: readonly RouteModule[] = [
  entrance,
  account,
  accountExport,
  authChallenge,
  authDevLogin,
  authLogout,
  authPollRequestId,
  authProofRequest,
  authProofRequestRequestId,
  authRefresh,
  authSession,
  authSessions,
  authSessionsSessionId,
  authSpending,
  authTokens,
  authTokensTokenId,
  authVerifyAi,
  apps,
  appsClientId,
  appsClientIdSecret,
  appsRequestsAppRequestId,
  bookmarks,
  categories,
  chatMessageId,
  chatMessageIdHide,
  chatMessageIdReactions,
  commentsCommentId,
  commentsCommentIdHide,
  commentsCommentIdReport,
  commentsCommentIdVote,
  deskAccounts,
  deskAccountsUserId,
  deskAccountsUserIdSanctions,
  deskAccountsUserIdSessions,
  deskAccountsUserIdNickname,
  deskAccountsUserIdImage,
  deskTagsTag,
  deskTopicsTopicIdFreeze,
  deskTopicsTopicIdOwner,
  deskFiles,
  deskFilesFileId,
  deskHolds,
  deskHoldsHoldId,
  deskHoldsHoldIdExport,
  deskOperators,
  deskReports,
  deskReportsReportId,
  deskReportsReportIdClaim,
  docsOpenapiJson,
  docsProofGuideType,
  feed,
  health,
  healthReady,
  log,
  meDigest,
  meEvents,
  meFeed,
  meNotificationSettings,
  mePush,
  meScheduled,
  meScheduledScheduledId,
  meSealed,
  moderationQueue,
  myBlocks,
  myFollows,
  myLikes,
  myPosts,
  myRecorded,
  myRecordedOnMine,
  myUnread,
  notifications,
  notificationsRead,
  og,
  ogImage,
  peopleNickname,
  peopleNicknameComments,
  peopleNicknamePosts,
  postsPostId,
  postsPostIdAnonymous,
  postsPostIdAnonymousBan,
  postsPostIdAnonymousComments,
  postsPostIdAnonymousDeletions,
  postsPostIdBookmark,
  postsPostIdComments,
  postsPostIdEvents,
  postsPostIdHide,
  postsPostIdNotifications,
  postsPostIdPin,
  postsPostIdPollBallots,
  postsPostIdPollVote,
  postsPostIdReactions,
  postsPostIdRead,
  postsPostIdRecord,
  postsPostIdRecordStatus,
  postsPostIdRecords,
  postsPostIdReport,
  postsPostIdUnread,
  postsPostIdVote,
  profileBadges,
  profileDomainBadgePreview,
  profileDomainBadge,
  profileImage,
  profileLimits,
  profileNickname,
  recorded,
  search,
  stats,
  tags,
  tagsTagReport,
  topics,
  topicsTopicId,
  topicsTopicIdAnonymous,
  topicsTopicIdAnonymousBans,
  topicsTopicIdAnonymousBansBanId,
  topicsTopicIdAnonymousPictures,
  topicsTopicIdAnonymousPosts,
  topicsTopicIdChat,
  topicsTopicIdChatMessageIdReport,
  topicsTopicIdChatPresence,
  topicsTopicIdChatSubscribe,
  topicsTopicIdCrowd,
  topicsTopicIdCrowdRoots,
  topicsTopicIdCrowdRootsNumberLeaves,
  topicsTopicIdDraft,
  topicsTopicIdInvite,
  topicsTopicIdInviteCode,
  topicsTopicIdJoin,
  topicsTopicIdLeave,
  topicsTopicIdLog,
  topicsTopicIdMembers,
  topicsTopicIdMembersUserIdNotes,
  topicsTopicIdNotesNoteId,
  topicsTopicIdWebhooks,
  topicsTopicIdWebhooksWebhookId,
  topicsTopicIdWebhooksWebhookIdReplay,
  topicsTopicIdOwnershipOffer,
  topicsTopicIdMute,
  topicsTopicIdNotifications,
  topicsTopicIdPosts,
  topicsTopicIdRead,
  topicsTopicIdReport,
  topicsTopicIdReports,
  topicsTopicIdRequests,
  topicsTopicIdSanctions,
  topicsTopicIdScheduled,
  topicsTopicIdUnread,
  topicsJoinInviteCode,
  upload,
  uploadRemoved,
  usersUserIdReport,
  usersUserIdBlock,
  usersUserIdFollow,
];
