import type { Page } from "@playwright/test";
import { personPath } from "@/lib/client/places";
import {
  askToDelete,
  askToDeleteCase,
  askToDeleteTopic,
  askToHide,
  askToRecord,
  askToReport,
  askToShowDomain,
  breakTheClock,
  checkRecord,
  cropPicture,
  enterChat,
  fillCountryTopic,
  fillTopic,
  makeInvite,
  openMemberMenu,
  openMessageMenu,
  openSeal,
  openTopicAlerts,
  selectCase,
  waitForError,
  waitForPush,
  writePost,
} from "./prepare";

/** IDs in the addresses of the screens. */
export interface Places {
  readonly openTopic: string;
  readonly gatedTopic: string;
  readonly emptyTopic: string;
  readonly post: string;
  /** A post by the member, who can still edit it. */
  readonly ownPost: string;
  /** A post that is old enough to be recorded; null in a stack younger than an hour. */
  readonly oldPost: string | null;
  /** A post of one of a crowd; null in a stack whose crowds are too young. */
  readonly letter: string | null;
  readonly invite: string;
  /** A private topic of the member with work for its staff. */
  readonly desk: string;
  /** Nickname of a member who wrote something that everyone may read. */
  readonly person: string;
  /** User id of someone with a history at the operators' desk. */
  readonly account: string;
  /** A topic for residents of some countries. */
  readonly countryTopic: string;
  /** A topic for verified people. */
  readonly kycTopic: string;
}

/**
 * Who views a screen: a guest, a member of the topics, a user with a seal who has joined only the open topic, or an
 * operator of the site.
 */
export type Looker = "guest" | "member" | "newcomer" | "operator";

export interface Screen {
  readonly name: string;
  readonly as: Looker;
  readonly path: (places: Places) => string;
  /** Brings the page into the state to show. */
  readonly prepare?: (page: Page) => Promise<void>;
  readonly before?: (page: Page) => Promise<void>;
  /** Shows the whole page, not only the first window. */
  readonly whole?: true;
  /** Takes no screenshot: it looks like another screen. */
  readonly unpictured?: true;
  /** Long and repetitive: its colors are checked at one width. */
  readonly repeats?: true;
  /** Expected errors on the browser's console. */
  readonly complaint?: RegExp;
}

/**
 * Every screen except the run of a proof. `npm run screens` takes screenshots of them, and e2e/screens.spec.ts checks
 * them. The two use different content, so nothing here may depend on it.
 */
export const SCREENS: readonly Screen[] = [
  { name: "home", as: "guest", path: () => "/" },
  { name: "home-member", as: "member", path: () => "/" },
  { name: "explore", as: "guest", path: () => "/topics" },
  { name: "topic", as: "member", path: (p) => `/topics/${p.openTopic}` },
  {
    name: "topic-alerts",
    as: "member",
    path: (p) => `/topics/${p.openTopic}`,
    prepare: openTopicAlerts,
  },
  { name: "gate", as: "guest", path: (p) => `/topics/${p.gatedTopic}` },
  { name: "topic-empty", as: "member", path: (p) => `/topics/${p.emptyTopic}` },
  { name: "gate-country", as: "guest", path: (p) => `/topics/${p.countryTopic}` },
  { name: "gate-kyc", as: "guest", path: (p) => `/topics/${p.kycTopic}` },
  {
    name: "join-country",
    as: "newcomer",
    path: (p) => `/topics/${p.countryTopic}/join`,
    whole: true,
  },
  { name: "join", as: "newcomer", path: (p) => `/topics/${p.gatedTopic}/join` },
  { name: "invite", as: "newcomer", path: (p) => `/invite/${p.invite}` },
  { name: "invite-guest", as: "guest", path: (p) => `/invite/${p.invite}` },
  { name: "post", as: "member", path: (p) => `/posts/${p.post}`, whole: true },
  { name: "chat", as: "member", path: (p) => `/topics/${p.openTopic}/chat`, prepare: enterChat },
  {
    name: "chat-message",
    as: "member",
    path: (p) => `/topics/${p.openTopic}/chat`,
    prepare: openMessageMenu,
  },
  { name: "chat-guest", as: "guest", path: (p) => `/topics/${p.openTopic}/chat` },
  { name: "members", as: "member", path: (p) => `/topics/${p.openTopic}/members` },
  { name: "about", as: "member", path: (p) => `/topics/${p.openTopic}?tab=about`, whole: true },
  { name: "staff-members", as: "member", path: (p) => `/topics/${p.desk}/members`, prepare: openMemberMenu },
  { name: "sanctions", as: "member", path: (p) => `/topics/${p.desk}/members?show=sanctioned` },
  { name: "requests", as: "member", path: (p) => `/topics/${p.desk}/requests` },
  { name: "reports", as: "member", path: (p) => `/topics/${p.desk}/reports`, whole: true },
  { name: "hide", as: "member", path: (p) => `/topics/${p.desk}/reports`, prepare: askToHide },
  { name: "log", as: "member", path: (p) => `/topics/${p.desk}/log`, whole: true },
  { name: "webhooks", as: "member", path: (p) => `/topics/${p.desk}/webhooks` },
  { name: "moderation", as: "member", path: () => "/moderation" },
  { name: "moderation-selected", as: "member", path: () => "/moderation", prepare: selectCase },
  { name: "moderation-guest", as: "guest", path: () => "/moderation", unpictured: true },
  { name: "desk", as: "operator", path: () => "/desk" },
  { name: "desk-delete", as: "operator", path: (p) => `/desk?topicId=${p.desk}`, prepare: askToDeleteCase },
  { name: "desk-answered", as: "operator", path: () => "/desk?status=all", unpictured: true },
  { name: "desk-member", as: "member", path: () => "/desk", unpictured: true },
  { name: "desk-accounts", as: "operator", path: () => "/desk/accounts?q=d" },
  { name: "desk-account", as: "operator", path: (p) => `/desk/accounts/${p.account}` },
  { name: "desk-operators", as: "operator", path: () => "/desk/operators" },
  { name: "desk-holds", as: "operator", path: () => "/desk/holds" },
  { name: "site-log", as: "guest", path: () => "/log", whole: true },
  {
    name: "invites",
    as: "member",
    path: (p) => `/topics/${p.desk}/invites`,
    prepare: makeInvite,
    whole: true,
  },
  { name: "edit-topic", as: "member", path: (p) => `/topics/${p.desk}/edit`, whole: true },
  { name: "delete-topic", as: "member", path: (p) => `/topics/${p.desk}/edit`, prepare: askToDeleteTopic },
  { name: "report", as: "newcomer", path: (p) => `/posts/${p.post}`, prepare: askToReport },
  { name: "search", as: "member", path: () => "/search?q=circuit" },
  { name: "search-start", as: "guest", path: () => "/search" },
  { name: "search-nothing", as: "guest", path: () => "/search?q=quincunx" },
  { name: "alerts", as: "member", path: () => "/alerts", prepare: waitForPush },
  { name: "records", as: "member", path: () => "/profile/records" },
  { name: "record", as: "member", path: (p) => `/posts/${p.oldPost ?? p.post}`, prepare: askToRecord },
  { name: "record-check", as: "guest", path: (p) => `/posts/${p.oldPost ?? p.post}`, prepare: checkRecord },
  { name: "sign-in", as: "guest", path: () => "/sign-in" },
  { name: "new-topic", as: "member", path: () => "/topics/new", prepare: fillTopic, whole: true },
  {
    name: "new-topic-country",
    as: "member",
    path: () => "/topics/new",
    prepare: fillCountryTopic,
    whole: true,
  },
  { name: "action", as: "guest", path: () => "/actions/example", whole: true },
  { name: "composer", as: "member", path: (p) => `/topics/${p.openTopic}/new`, prepare: writePost },
  { name: "edit-post", as: "member", path: (p) => `/posts/${p.ownPost}/edit`, whole: true },
  { name: "person", as: "newcomer", path: (p) => personPath(p.person), whole: true },
  {
    name: "person-comments",
    as: "newcomer",
    path: (p) => `${personPath(p.person)}/comments`,
    unpictured: true,
  },
  { name: "profile", as: "member", path: () => "/profile", whole: true },
  { name: "picture", as: "member", path: () => "/profile", prepare: cropPicture },
  { name: "settings", as: "member", path: () => "/settings", prepare: waitForPush, whole: true },
  { name: "show-domain", as: "member", path: () => "/settings", prepare: askToShowDomain },
  { name: "settings-guest", as: "guest", path: () => "/settings" },
  { name: "letter", as: "guest", path: (p) => (p.letter ? `/letters/${p.letter}` : `/posts/${p.post}`) },
  { name: "nameless", as: "member", path: () => "/settings/anonymous" },
  { name: "apps", as: "member", path: () => "/settings/apps" },
  { name: "authorize", as: "guest", path: () => "/authorize/closed" },
  { name: "authorize-problem", as: "guest", path: () => "/authorize?problem=invalid_client" },
  { name: "tokens", as: "member", path: () => "/settings/tokens" },
  { name: "delete-account", as: "newcomer", path: () => "/settings", prepare: askToDelete },
  { name: "my-posts", as: "member", path: () => "/my/posts" },
  { name: "bookmarks", as: "member", path: () => "/bookmarks" },
  { name: "scheduled", as: "member", path: () => "/scheduled" },
  { name: "likes", as: "newcomer", path: () => "/likes" },
  { name: "welcome", as: "newcomer", path: () => "/welcome", prepare: waitForPush, whole: true },
  { name: "seal", as: "member", path: () => "/profile", prepare: openSeal },
  { name: "about-site", as: "guest", path: () => "/about", whole: true },
  { name: "how-it-works", as: "guest", path: () => "/how-it-works", whole: true },
  { name: "privacy", as: "guest", path: () => "/privacy", whole: true },
  { name: "terms", as: "guest", path: () => "/terms", whole: true },
  { name: "docs", as: "guest", path: () => "/docs", repeats: true },
  { name: "not-found", as: "guest", path: () => "/nothing/here", complaint: /status of 404/ },
  {
    name: "error",
    as: "guest",
    path: () => "/",
    before: breakTheClock,
    prepare: waitForError,
    complaint: /no clock|Minified React error/,
  },
  { name: "offline", as: "member", path: () => "/offline" },
  { name: "write", as: "member", path: () => "/write" },
  { name: "provider-astray", as: "guest", path: () => "/auth/callback" },
  { name: "phone-gone", as: "guest", path: () => "/phone/pr_nothing" },
  { name: "invite-bad", as: "member", path: () => "/invite/AAAAAAAA" },
  { name: "feed-new", as: "guest", path: () => "/?sort=new", unpictured: true },
  { name: "feed-active", as: "guest", path: () => "/?sort=active", unpictured: true },
  { name: "feed-top", as: "guest", path: () => "/?sort=top", unpictured: true },
  { name: "feed-recorded", as: "guest", path: () => "/?sort=recorded", unpictured: true },
  { name: "feed-mine", as: "member", path: () => "/?view=my", unpictured: true },
  { name: "topic-guest", as: "guest", path: (p) => `/topics/${p.openTopic}`, unpictured: true },
  { name: "post-guest", as: "guest", path: (p) => `/posts/${p.post}`, unpictured: true },
  { name: "join-kyc", as: "newcomer", path: (p) => `/topics/${p.kycTopic}/join`, unpictured: true },
  { name: "join-open", as: "member", path: (p) => `/topics/${p.openTopic}/join`, unpictured: true },
  { name: "search-tag", as: "guest", path: () => "/search?tag=layout", unpictured: true },
  { name: "search-topics", as: "guest", path: () => "/search?q=the&type=topics", unpictured: true },
  { name: "search-posts", as: "guest", path: () => "/search?q=the&type=posts", unpictured: true },
  { name: "search-comments", as: "guest", path: () => "/search?q=the&type=comments", unpictured: true },
  { name: "alerts-guest", as: "guest", path: () => "/alerts", unpictured: true },
  { name: "profile-guest", as: "guest", path: () => "/profile", unpictured: true },
  { name: "bookmarks-guest", as: "guest", path: () => "/bookmarks", unpictured: true },
];
