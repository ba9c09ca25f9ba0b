/** Words of the alerts: what happened to things of mine, and where I am told. */

export const alerts = {
  title: "Alerts",
  someone: "Somebody",
  titled: "“{title}”",
  aPost: "a post",
  aTopic: "a topic",
  yourPost: "your post",
  yourPostTitled: "your post “{title}”",
  /** What happened, as one sentence, for every kind there is. */
  sentences: {
    reply:
      "{to, select, post {{who} commented on {yourPost}} other {{who} answered your comment under {post}}}",
    mention: "{where, select, comment {{who} named you under {post}} other {{who} named you in {post}}}",
    chat_mention: "{who} named you in the chat of {topic}",
    join_request: "{who} asks to join {topic}",
    join_approved: "You are a member of {topic} now",
    join_rejected: "Your request to join {topic} was not accepted",
    role_changed:
      "{role, select, owner {You are owner in {topic} now} admin {You are an admin in {topic} now} member {You are a member in {topic} now} other {You are in another role in {topic} now}}",
    ownership_received: "{who} handed {topic} over to you: you own it now",
    post_recorded: "{who} recorded {yourPost} on-chain",
    report_opened:
      "{where, select, comment {A comment under {post} was reported} other {The post {post} was reported}}",
    post_hidden: "The staff of {topic} hid {yourPost}",
    post_shown: "The staff of {topic} shows {yourPost} again",
    post_removed: "The staff of {topic} removed {yourPost}",
    comment_hidden: "The staff of {topic} hid your comment under {post}",
    comment_shown: "The staff of {topic} shows your comment under {post} again",
    comment_removed: "The staff of {topic} removed your comment under {post}",
    member_removed: "You are not a member of {topic} any more",
    member_muted: "You cannot write in {topic} for now",
    member_unmuted: "You can write in {topic} again",
    member_banned: "You were banned from {topic}",
    member_unbanned: "You may join {topic} again",
  },
  unread: "new",
  markAll: "Mark all as read",
  show: "{n, plural, one {Show 1 new alert} other {Show # new alerts}}",
  more: "Show more",
  emptyTitle: "Nothing has happened yet",
  empty:
    "You are told here when somebody answers you, names you as @nickname, asks to join a topic of yours, or records a post of yours on-chain.",
  guestTitle: "Alerts are for people who are signed in",
  guest: "Sign in, and you are told here when somebody answers you or names you.",
  list: "Your alerts",
  reason: "Reason: {reason}",
  until: "Until {when}.",
} as const;

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
  since: "turned on",
  remove: "Stop telling {label}",
  removeShort: "Remove",
  turnedOn: "This device is told from now on.",
  turnedOff: "This device is not told any more.",
} as const;
