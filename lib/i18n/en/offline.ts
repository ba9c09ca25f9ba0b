/** Words of the offline copy, of installing, and of what waits to be sent. */

export const offline = {
  bar: "No connection.",
  slow: "The network did not answer.",
  savedAt: "Saved",
  reload: "Load again",
  nothingChanged: "You are offline. Nothing was changed.",
  kept: "You are offline. Your text is kept on this device and sent when the network is back.",
  updated: "Parley was updated. Load this page again before you go on; copy what you typed first.",
  pull: "Pull to refresh",
  release: "Let go to refresh",
  title: "Without a network",
  page: "This page is not on this device and cannot be fetched now. It opens by itself when the connection is back.",
  pageOnline: "What you can read and what waits to be sent when you are offline.",
  again: "Try again",
  saved: "Saved on this device",
  nothingSaved: "Nothing yet. The feed, topics and posts you open are kept here for a week.",
  somethingNew: "There is something new.",
  installTitle: "On your home screen",
  installLead: "Parley opens like an app, and what you read last is there without a network.",
  install: "Install Parley",
  installApple: "Open the share menu, then choose “Add to Home Screen”.",
  writePost: "Write a post",
} as const;

export const outbox = {
  title: "Waiting to be sent",
  waiting: "Waits for the network. Only you see it.",
  refused: "Not sent.",
  unsure:
    "It may have been sent already: its answer was lost more than a day ago. Look whether it is there before you send it again.",
  sendNow: "Send now",
  discard: "Discard",
  discardSure: "Discard this text for good",
  stillWaiting: "There is no network yet. Your text is kept.",
  notTheirs: "You are signed out. Sign in as before, and it is sent.",
  toTopic: "Its topic",
  toPost: "Its post",
} as const;
