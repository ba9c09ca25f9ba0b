/** Words of the settings. */

export const settings = {
  title: "Settings",
  parts: "Parts of the settings",
  guestTitle: "Settings of this device",
  guest: "Theme and language count without an account. The rest comes with one.",
  appearance: "Appearance",
  theme: "Theme",
  themes: {
    system: "As the system",
    light: "Light",
    dark: "Dark",
  },
  language: "Language",
  languageHint: "Kept on this device. Posts stay as they were written.",
  languageAuto: "As the browser asks",
  languageOffline: "You are offline. The language was not changed.",
  badges: "Public badges",
  badgesLead:
    "A badge is a domain you allow to stand beside your name. Nothing you proved is shown by itself.",
  badgeShow: "Show @{domain}",
  badgeHide: "Stop showing @{domain}",
  badgeShowing: "@{domain} stands beside your name now.",
  badgeHidden: "@{domain} is not shown any more.",
  badgeNone: "You show no domain.",
  badgeProve: "Prove a work address to have one to show.",
  sessions: "Where you are signed in",
  sessionsLead:
    "A session you end is out at once, wherever it is. Sessions end by themselves after 7 days without a visit, and 30 days after the proof.",
  thisDevice: "this device",
  signedIn: "Signed in",
  lastSeen: "last seen",
  endOne: "End the session on {label}",
  end: "End",
  endAll: "End all other sessions",
  endAllTitle: "End all other sessions",
  endAllText:
    "{n, plural, one {One other device is} other {# other devices are}} signed out. Signing in there again takes a proof, which may cost something. This device stays signed in.",
  endedOne: "The session on {label} has ended.",
  endedMany:
    "{n, plural, =0 {No other session was left.} one {1 session has ended.} other {# sessions have ended.}}",
  onlyOne: "You are signed in here and nowhere else.",
  account: "Account",
  signOutHint:
    "Ends this session on our server too and removes what this device kept of it. Your account stays: the same identity signs in to it again.",
  delete: "Delete account",
  deleteLead: "Your account ends for good. What you wrote stays, without your name.",
  deleteTitle: "Delete this account",
  staysTitle: "What stays",
  stays: {
    posts:
      "Your posts, comments and chat messages, under “former member” instead of your name. Delete first what is not to stay.",
    records: "Posts that were recorded on-chain: nobody can take that back.",
    bans: "A ban or a mute in a topic, and the 24 hours after a removal or rejection, for as long as they last.",
  },
  goesTitle: "What goes",
  goes: {
    name: "Your nickname and your picture",
    proofs:
      "Your seals, and the link between your proof and this account: the same identity makes a new account next time",
    lists: "Bookmarks, alerts, memberships, badges",
    sessions: "Every session, on every device",
  },
  returns: "The topic “{title}”, which was handed to you: it goes back to who handed it over",
  ownsTitle: "You own topics",
  owns: "A topic needs an owner. Hand each of these over to a member, or delete it, then come back.",
  ownsNow: "You own a topic meanwhile. Hand it over or delete it, then come back.",
  typeName: "Type your nickname, {name}, to go on",
  typeNameWrong: "This is not your nickname.",
  deleteForGood: "Delete my account for good",
  deleted: "Your account was deleted.",
} as const;
