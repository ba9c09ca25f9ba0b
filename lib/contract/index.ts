import * as anonymous from "./anonymous";
import * as apps from "./apps";
import * as auth from "./auth";
import * as automation from "./automation";
import * as blocks from "./blocks";
import * as chat from "./chat";
import {
  createComment,
  deleteComment,
  followComments,
  listComments,
  updateComment,
  voteOnComment,
} from "./comments";
import * as crowd from "./crowd";
import * as desk from "./desk";
import * as deskActs from "./desk-acts";
import * as drafts from "./drafts";
import * as engagement from "./engagement";
import * as invites from "./invites";
import * as members from "./members";
import * as moderation from "./moderation";
import * as notes from "./notes";
import * as notificationSettings from "./notification-settings";
import * as notifications from "./notifications";
import type { OperationSpec } from "./operation";
import * as ownership from "./ownership";
import * as people from "./people";
import * as posts from "./posts";
import * as profile from "./profile";
import * as queue from "./queue";
import * as reading from "./reading";
import * as records from "./records";
import * as relay from "./relay";
import * as sealed from "./sealed";
import { listTags, search } from "./search";
import { entrance, guide, health, openapi, ready, stats } from "./service";
import * as topics from "./topics";
import * as uploads from "./uploads";
import * as webhooks from "./webhooks";

/** Every operation of the REST API, by resource. */
export const contract = {
  auth: {
    challenge: auth.challenge,
    verify: auth.verify,
    session: auth.getSession,
    logout: auth.logout,
    refresh: auth.refresh,
    devLogin: auth.devLogin,
    sessions: auth.listSessions,
    endSession: auth.endSession,
    endOtherSessions: auth.endOtherSessions,
    createToken: automation.createToken,
    tokens: automation.listTokens,
    revokeToken: automation.revokeToken,
    spend: automation.spend,
    createProofRequest: relay.createProofRequest,
    getProofRequest: relay.getProofRequest,
    answerProofRequest: relay.answerProofRequest,
    pollProofRequest: relay.pollProofRequest,
  },
  profile: {
    setNickname: profile.setNickname,
    getImage: profile.getImage,
    setImage: profile.setImage,
    deleteImage: profile.deleteImage,
    getDomainBadges: profile.getDomainBadges,
    addDomainBadge: profile.addDomainBadge,
    previewDomainBadge: profile.previewDomainBadge,
    removeDomainBadge: profile.removeDomainBadge,
    getBadges: profile.getBadges,
    getLimits: profile.getLimits,
    deleteAccount: profile.deleteAccount,
    export: profile.exportAccount,
  },
  users: {
    block: blocks.blockUser,
    unblock: blocks.unblockUser,
    follow: blocks.followUser,
    unfollow: blocks.unfollowUser,
  },
  people: { get: people.getPerson, posts: people.listPostsOf, comments: people.listCommentsOf },
  categories: { list: topics.listCategories },
  topics: {
    create: topics.createTopic,
    list: topics.listTopics,
    get: topics.getTopic,
    update: topics.updateTopic,
    delete: topics.deleteTopic,
    join: topics.joinTopic,
    leave: topics.leaveTopic,
    mute: topics.muteTopic,
    unmute: topics.unmuteTopic,
    setNotifications: notificationSettings.setTopicNotifications,
    createInvite: invites.createInvite,
    renewInviteCode: invites.renewInviteCode,
    getInvite: invites.getInvite,
    joinByInvite: invites.joinByInvite,
  },
  crowd: {
    get: crowd.getCrowd,
    enrol: crowd.enrol,
    withdraw: crowd.withdraw,
    roots: crowd.listRoots,
    leaves: crowd.getLeaves,
  },
  sealed: {
    leave: sealed.leaveSealed,
    take: sealed.takeSealed,
  },
  anonymous: {
    terms: anonymous.readTerms,
    post: anonymous.writePost,
    picture: anonymous.addPicture,
    comment: anonymous.writeComment,
    delete: anonymous.deleteOwn,
    evidence: anonymous.readEvidence,
    ballot: anonymous.castBallot,
    ballots: anonymous.listBallots,
    ban: anonymous.banAuthor,
    bans: anonymous.listBans,
    lift: anonymous.liftBan,
  },
  requests: { list: members.listRequests, decide: members.decideRequest },
  members: {
    list: members.listMembers,
    setRole: members.setRole,
    remove: members.removeMember,
    notes: notes.listNotes,
    addNote: notes.addNote,
    deleteNote: notes.deleteNote,
  },
  ownership: {
    get: ownership.getOffer,
    offer: ownership.offerOwnership,
    cancel: ownership.cancelOffer,
    answer: ownership.answerOffer,
  },
  moderation: {
    reportPost: moderation.reportPost,
    reportComment: moderation.reportComment,
    reportMessage: moderation.reportMessage,
    reportTopic: moderation.reportTopic,
    reportProfile: moderation.reportProfile,
    reportTag: moderation.reportTag,
    reports: moderation.listReports,
    decideReport: moderation.decideReport,
    hidePost: moderation.hidePost,
    hideComment: moderation.hideComment,
    hideMessage: moderation.hideMessage,
    sanctions: moderation.listSanctions,
    sanction: moderation.imposeSanction,
    lift: moderation.liftSanction,
    log: moderation.readLog,
    queue: queue.listCases,
    decideCases: queue.decideCases,
  },
  desk: {
    log: desk.readInstallationLog,
    operators: desk.listOperators,
    grant: desk.grantOperator,
    take: desk.takeOperator,
    reports: desk.listDeskReports,
    claim: desk.claimReport,
    release: desk.releaseReport,
    decide: desk.decideDeskReport,
    account: deskActs.readAccount,
    accounts: deskActs.findAccounts,
    sanction: deskActs.sanctionAccount,
    lift: deskActs.liftAccountSanction,
    endSessions: deskActs.endAccountSessions,
    resetNickname: deskActs.resetNickname,
    removeImage: deskActs.removeAccountImage,
    freeze: deskActs.freezeTopic,
    handOver: deskActs.handOverTopic,
    renameTag: deskActs.renameTag,
    removeTag: deskActs.removeTag,
    takeFilesDown: deskActs.takeFilesDown,
    blockedFiles: deskActs.listBlockedFiles,
    unblockFile: deskActs.unblockFile,
    placeHold: deskActs.placeHold,
    holds: deskActs.listHolds,
    releaseHold: deskActs.releaseHold,
    exportHold: deskActs.exportHold,
  },
  posts: {
    list: posts.listPosts,
    create: posts.createPost,
    get: posts.getPost,
    update: posts.updatePost,
    delete: posts.deletePost,
    pin: posts.pinPost,
    vote: engagement.vote,
    reactions: engagement.listReactions,
    react: engagement.react,
    getBookmark: engagement.getBookmark,
    bookmark: engagement.bookmark,
    votePoll: engagement.votePoll,
    clearPollVote: engagement.clearPollVote,
    setNotifications: notificationSettings.setThreadNotifications,
  },
  drafts: { get: drafts.getDraft, save: drafts.saveDraft, delete: drafts.deleteDraft },
  scheduled: {
    create: drafts.schedulePost,
    list: drafts.listScheduled,
    cancel: drafts.cancelScheduled,
  },
  comments: {
    list: listComments,
    follow: followComments,
    create: createComment,
    update: updateComment,
    delete: deleteComment,
    vote: voteOnComment,
  },
  tags: { list: listTags },
  feed: { list: posts.feed },
  my: {
    posts: posts.myPosts,
    likes: posts.myLikes,
    bookmarks: posts.myBookmarks,
    recorded: posts.myRecorded,
    recordedOnMine: posts.recordedOnMine,
    feed: notificationSettings.privateFeed,
    makeFeed: notificationSettings.makePrivateFeed,
    endFeed: notificationSettings.endPrivateFeed,
    blocks: blocks.myBlocks,
    follows: blocks.myFollows,
    events: notifications.myEvents,
  },
  chat: {
    list: chat.listMessages,
    send: chat.sendMessage,
    update: chat.updateMessage,
    delete: chat.deleteMessage,
    react: chat.reactToMessage,
    presence: chat.readPresence,
    subscribe: chat.subscribe,
  },
  apps: {
    create: apps.createApp,
    list: apps.listApps,
    renewSecret: apps.renewAppSecret,
    delete: apps.deleteApp,
    answer: apps.answerApp,
  },
  webhooks: {
    list: webhooks.listWebhooks,
    create: webhooks.createWebhook,
    replay: webhooks.replayWebhook,
    delete: webhooks.deleteWebhook,
  },
  records: { list: records.listRecords, status: records.recordStatus, record: records.recordPost },
  recorded: { list: posts.recorded },
  notifications: {
    list: notifications.listNotifications,
    read: notifications.readNotifications,
    settings: notificationSettings.notificationSettings,
    setKinds: notificationSettings.setNotificationKinds,
    setDigest: notificationSettings.setDigest,
  },
  reading: {
    counts: reading.unreadCounts,
    topic: reading.topicReading,
    readTopic: reading.readTopic,
    unreadTopic: reading.unreadTopic,
    thread: reading.threadReading,
    readThread: reading.readThread,
    unreadThread: reading.unreadThread,
  },
  push: { get: notifications.getPush, add: notifications.addPush, remove: notifications.removePush },
  search: { all: search },
  uploads: {
    create: uploads.createUpload,
    delete: uploads.deleteUploads,
    removed: uploads.listRemoved,
  },
  previews: { get: uploads.preview, image: uploads.previewImage },
  service: { entrance, health, ready, openapi, guide, stats },
} as const;

/** The same operations as a flat list, for OpenAPI and tests. */
export const operations: readonly OperationSpec[] = Object.values(contract).flatMap((group) =>
  Object.values<OperationSpec>(group),
);

export type { ChatMessage, Presence } from "./chat";
export type { Comment } from "./comments";
export type { Role } from "./common";
export type { ErrorBody } from "./error-body";
export type { ErrorCode } from "./errors";
export type { NotificationKind } from "./notification-kinds";
export type { Notification } from "./notifications";
export * from "./operation";
export type { Poll, Post } from "./posts";
export type { ProofGuide, ProofRequirement, ProofType } from "./proof-requirement";
export type { PostRecord } from "./records";
export type { Category, Topic, TopicListItem } from "./topics";
