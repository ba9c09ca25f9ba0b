/** Words of the alerts: what happened to things of mine, and where I am told. */

import type { Notification, NotificationKind } from "@/lib/contract";

const someone = "Somebody";
const who = (n: Notification) => n.actor?.nickname ?? someone;
const quoted = (text: string | null, otherwise: string) => (text ? `“${text}”` : otherwise);
const thePost = (n: Notification) => quoted(n.postTitle, "a post");
const yourPost = (n: Notification) => (n.postTitle ? `your post “${n.postTitle}”` : "your post");
const theTopic = (n: Notification) => quoted(n.topicTitle, "a topic");
const roles: Readonly<Record<string, string>> = { owner: "owner", admin: "an admin", member: "a member" };

/** What happened, as one sentence, for every kind there is. */
const sentences: Readonly<Record<NotificationKind, (n: Notification) => string>> = {
  reply: (n) =>
    n.details.to === "post"
      ? `${who(n)} commented on ${yourPost(n)}`
      : `${who(n)} answered your comment under ${thePost(n)}`,
  mention: (n) => `${who(n)} named you ${n.commentId ? `under ${thePost(n)}` : `in ${thePost(n)}`}`,
  chat_mention: (n) => `${who(n)} named you in the chat of ${theTopic(n)}`,
  join_request: (n) => `${who(n)} asks to join ${theTopic(n)}`,
  join_approved: (n) => `You are a member of ${theTopic(n)} now`,
  join_rejected: (n) => `Your request to join ${theTopic(n)} was not accepted`,
  role_changed: (n) => `You are ${roles[n.details.role ?? ""] ?? "in another role"} in ${theTopic(n)} now`,
  ownership_received: (n) => `${who(n)} handed ${theTopic(n)} over to you: you own it now`,
  post_recorded: (n) => `${who(n)} recorded ${yourPost(n)} on-chain`,
  report_opened: (n) =>
    n.commentId ? `A comment under ${thePost(n)} was reported` : `The post ${thePost(n)} was reported`,
  post_hidden: (n) => `The staff of ${theTopic(n)} hid ${yourPost(n)}`,
  post_shown: (n) => `The staff of ${theTopic(n)} shows ${yourPost(n)} again`,
  post_removed: (n) => `The staff of ${theTopic(n)} removed ${yourPost(n)}`,
  comment_hidden: (n) => `The staff of ${theTopic(n)} hid your comment under ${thePost(n)}`,
  comment_shown: (n) => `The staff of ${theTopic(n)} shows your comment under ${thePost(n)} again`,
  comment_removed: (n) => `The staff of ${theTopic(n)} removed your comment under ${thePost(n)}`,
  member_removed: (n) => `You are not a member of ${theTopic(n)} any more`,
  member_muted: (n) => `You cannot write in ${theTopic(n)} for now`,
  member_unmuted: (n) => `You can write in ${theTopic(n)} again`,
  member_banned: (n) => `You were banned from ${theTopic(n)}`,
  member_unbanned: (n) => `You may join ${theTopic(n)} again`,
};

export const alerts = {
  title: "Alerts",
  sentence: (n: Notification) => sentences[n.kind](n),
  unread: "new",
  markAll: "Mark all as read",
  show: (n: number) => (n === 1 ? "Show 1 new alert" : `Show ${n} new alerts`),
  more: "Show more",
  emptyTitle: "Nothing has happened yet",
  empty:
    "You are told here when somebody answers you, names you as @nickname, asks to join a topic of yours, or records a post of yours on-chain.",
  guestTitle: "Alerts are for people who are signed in",
  guest: "Sign in, and you are told here when somebody answers you or names you.",
  list: "Your alerts",
  reason: (reason: string) => `Reason: ${reason}`,
  until: (when: string) => `Until ${when}.`,
};

export const push = {
  title: "On this device",
  lead: "You can be told here while Parley is closed.",
  lockScreen:
    "A lock screen shows what kind of thing happened, like “Somebody replied to you.”: no name, no title, no word of a text. On the way it is sealed for this browser.",
  turnOn: "Tell me on this device",
  turnOff: "Stop on this device",
  on: "This device is told.",
  off: "This device is not told.",
  blocked:
    "The browser blocks notifications of this site. Allow them in its settings for this site, then come back.",
  refused: "The browser did not allow it. Nothing was changed.",
  unsupported: "This browser cannot receive notifications while the site is closed.",
  install:
    "On an iPhone or iPad, add Parley to the home screen first: Share, then “Add to Home Screen”. Open it from there and come back to this page.",
  unavailable: "This installation sends no notifications to devices.",
  failed: "The push service of this browser did not answer. Nothing was changed; try again.",
  devices: "Told devices",
  thisDevice: "this device",
  since: "since",
  remove: (label: string) => `Stop telling ${label}`,
  removeShort: "Remove",
  turnedOn: "This device is told from now on.",
  turnedOff: "This device is not told any more.",
};
