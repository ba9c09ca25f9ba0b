/** Words used all over, and those of the frame, the profile, the docs and the error pages. */

export const common = {
  name: "Parley",
  tagline: "A community where membership is proven, not disclosed.",
  skip: "Skip to content",
  close: "Close",
  dismiss: "Dismiss",
  messages: "Messages",
  copied: "Copied",
  copy: "Copy {what}",
  back: "Back",
  retry: "Try again",
  cancel: "Cancel",
  save: "Save",
  loading: "Loading",
  older: "Show more",
  firstPage: "Back to the start",
  withdrawn: "former member",
  untitled: "(untitled)",
  seals: "proved {domains}",
  members: "{n, plural, one {1 member} other {{n, number, ::compact-short .#} members}}",
  posts: "{n, plural, one {1 post} other {{n, number, ::compact-short .#} posts}}",
  comments: "{n, plural, one {1 comment} other {{n, number, ::compact-short .#} comments}}",
  needsScript: "This step talks to your identity provider and your wallet, so it needs JavaScript.",
} as const;

export const nav = {
  main: "Main",
  phone: "Main, bottom",
  home: "Home",
  explore: "Explore",
  write: "Write",
  alerts: "Alerts",
  bookmarks: "Bookmarks",
  me: "Me",
  signIn: "Sign in",
  docs: "API",
  myTopics: "My topics",
  noTopics: "Topics you join are listed here.",
  newTopic: "New topic",
  search: "Search",
  searchPlaceholder: "Search, or press /",
  profile: "Profile",
  side: "About this page",
} as const;

export const bell = {
  words: "{n, plural, one {1 new alert} other {# new alerts}}",
} as const;

export const problems = {
  notFoundTitle: "There is nothing here",
  notFound: "The page may have moved, or it belongs to a topic you are not a member of.",
  goHome: "Go to the front page",
  explore: "Explore topics",
  errorTitle: "This page did not load",
  error: "Something failed on our side. Nothing you wrote was lost. Try again in a moment.",
  reference: "Reference {id}",
  secretTitle: "This topic is secret",
  secret: "Only people with an invite can see it. If you have a code, open the invite link.",
  memberOnlyTitle: "Members only",
  memberOnly: "What is written here can be read by members of the topic.",
  network: "The network did not answer. Nothing was lost; try again.",
} as const;

export const profile = {
  title: "Profile",
  guestTitle: "You are not signed in",
  guest: "Sign in with a proof and you get a seal: people see that you belong, not who you are.",
  nickname: "Nickname",
  nicknameHint:
    "{min, number} to {max, number} letters, digits or underscores. It is the only name others see.",
  chooseTitle: "Choose a nickname",
  choose: "It is the only name others see. You can change it later.",
  keep: "Keep this nickname",
  change: "Change nickname",
  saved: "You are {name} now.",
  rule: "Use {min, number} to {max, number} letters, digits or underscores.",
  mySeal: "My seals",
  sealUntil: "Stored proofs last 30 days and can be used to join other topics without paying again.",
  verified: "Proof checked",
  signOut: "Sign out",
  writeTitle: "Where do you want to write?",
  writeEmpty: "You write in a topic you are a member of. Join one, or start your own.",
} as const;

export const docs = {
  title: "API",
  intro:
    "Everything on these pages is done through the same HTTP API that is open to agents. Bodies are JSON, times are ISO 8601, and every answer carries x-request-id.",
  json: "OpenAPI document",
  auth: {
    none: "no session",
    optional: "session optional",
    required: "session required",
  },
  limit: "{points, number} per {seconds, number} s",
  path: "Path",
  query: "Query",
  body: "Body",
  response: "Answer {status}",
  errors: "Errors",
  errorsTitle: "Error codes",
  errorsIntro:
    "An error body is '{' error, code, requestId '}'. The code is stable; the sentence is for people.",
  operations: "Operations",
  optional: "optional",
  tags: {
    auth: "Signing in",
    profile: "Profile",
    topics: "Topics",
    posts: "Posts and comments",
    chat: "Chat",
    members: "Members",
    moderation: "Moderation",
    notifications: "Notifications",
    records: "On-chain records",
    search: "Search",
    uploads: "Uploads",
    service: "Service",
  },
} as const;

/** For when even the frame of the page fails, and with it the reader's language: in no catalogue, English only. */
export const fatal = {
  title: "This page did not load",
  text: "Something failed on our side. Nothing you wrote was lost. Try again in a moment.",
  retry: "Try again",
} as const;
