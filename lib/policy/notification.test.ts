import { describe, expect, it } from "vitest";
import {
  decisionKinds,
  type NotificationKind,
  notificationKinds,
  ownKinds,
  staffKinds,
} from "@/lib/contract/notification-kinds";
import { deliveryOf, type RecipientState } from "./notification";

const member: RecipientState = {
  visibility: "private",
  role: "member",
  proof: "current",
  blocked: false,
  topicMuted: false,
  threadMuted: false,
  level: "all",
  inApp: true,
  push: true,
};
const inApp = (recipient: RecipientState) =>
  notificationKinds.filter((kind) => deliveryOf(kind, recipient).inApp);
const pushed = (recipient: RecipientState) =>
  notificationKinds.filter((kind) => deliveryOf(kind, recipient).push);

const all: readonly NotificationKind[] = notificationKinds;
const decisions: readonly NotificationKind[] = decisionKinds;
const mentions: readonly NotificationKind[] = ["mention", "chat_mention", "watched_thread"];

describe("which kinds reach a member, in the app and by push", () => {
  it.each<[string, Partial<RecipientState>, readonly NotificationKind[], readonly NotificationKind[]]>([
    ["who set nothing", {}, all, all],
    [
      "who blocked the actor",
      { blocked: true },
      [...staffKinds, ...ownKinds, ...decisions],
      [...staffKinds, ...ownKinds, ...decisions],
    ],
    [
      "who muted the thread",
      { threadMuted: true },
      [...staffKinds, ...ownKinds, ...decisions],
      [...staffKinds, ...ownKinds, ...decisions],
    ],
    ["who watches the topic", { level: "watch" }, all, all],
    ["who muted the topic", { topicMuted: true }, decisions, []],
    ["who wants nothing of the topic", { level: "none" }, decisions, []],
    [
      "who wants mentions in the topic",
      { level: "mentions" },
      [...mentions, ...decisions],
      [...mentions, ...decisions],
    ],
    ["who muted a topic of which they want mentions", { topicMuted: true, level: "mentions" }, decisions, []],
    ["who wants this kind nowhere", { inApp: false, push: false }, decisions, []],
    ["who wants this kind in the app only", { push: false }, all, []],
    // A push message leads to a notification in the app.
    ["who wants this kind by push only", { inApp: false }, decisions, decisions],
    ["who wants mentions but blocked the actor", { level: "mentions", blocked: true }, decisions, decisions],
  ])("%s", (_, over, expectedInApp, expectedPush) => {
    expect(inApp({ ...member, ...over })).toEqual(expectedInApp);
    expect(pushed({ ...member, ...over })).toEqual(expectedPush);
  });
});

describe("a user who may not read the topic", () => {
  const left = [
    "proof_due",
    "proof_lapsed",
    "join_rejected",
    "member_removed",
    "member_banned",
    "member_unbanned",
  ];

  it("gets only what is about having no access", () => {
    for (const visibility of ["private", "secret"] as const) {
      expect(inApp({ ...member, visibility, role: null })).toEqual(left);
      expect(inApp({ ...member, visibility, role: null, topicMuted: true, inApp: false })).toEqual(left);
    }
    expect(inApp({ ...member, visibility: "public", role: null })).toEqual(all);
  });
});
