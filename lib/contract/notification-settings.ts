import { z } from "zod";
import { dateTime, uuid } from "./common";
import {
  decisionKinds,
  digestRhythms,
  type NotificationKind,
  notificationKinds,
  notificationLevels,
  threadLevels,
} from "./notification-kinds";
import { operation } from "./operation";

const kinds = z.array(
  z.object({
    kind: z.enum(notificationKinds).describe("What happened."),
    inApp: z.boolean(),
    push: z.boolean().describe("Sent only where `inApp` is true, too."),
    isRequired: z.boolean().describe("Decisions about the caller: `inApp` stays true."),
  }),
);
const level = z.enum(notificationLevels);
const threadLevel = z.enum(threadLevels);
const digest = z.enum(digestRhythms);
const required: ReadonlySet<NotificationKind> = new Set(decisionKinds);

const shared = {
  tag: "notifications",
  auth: "required",
  nickname: false,
  guestsSee: false,
  limit: { points: 120, seconds: 60 },
} as const;
const path = "/api/me/notification-settings";

export const notificationSettings = operation({
  id: "notifications.settings",
  method: "GET",
  path,
  summary: "What notifies the caller, by kind and by topic",
  ...shared,
  access: "signed-in",
  responses: {
    200: z.object({
      kinds,
      topics: z
        .array(z.object({ topicId: uuid, title: z.string(), isMuted: z.boolean(), level }))
        .describe("Topics the caller may read and muted or set a level for, latest first; at most 500."),
      threads: z
        .array(z.object({ postId: uuid, title: z.string(), level: threadLevel }))
        .describe("Posts the caller may read and chose a level for, latest first; at most 500."),
      digest: digest.describe("How often a `digest` says what is new."),
    }),
  },
});

export const setNotificationKinds = operation({
  id: "notifications.setKinds",
  method: "PATCH",
  path,
  summary: "Choose for some kinds whether they notify the caller in the app, and by push",
  description: "What is left out stays. Decisions about the caller always arrive in the app.",
  ...shared,
  access: "signed-in",
  body: z
    .object({
      kinds: z.array(z.enum(notificationKinds)).min(1).max(notificationKinds.length),
      inApp: z.boolean().optional(),
      push: z.boolean().optional().describe("Whether they come as push messages."),
    })
    .refine((body) => body.inApp !== undefined || body.push !== undefined, {
      path: ["inApp"],
      error: "name inApp or push",
    })
    .refine((body) => body.inApp !== false || !body.kinds.some((kind) => required.has(kind)), {
      path: ["inApp"],
      error: "decisions about you always arrive in the app",
    }),
  responses: { 200: z.object({ kinds }) },
});

export const setTopicNotifications = operation({
  id: "topics.setNotifications",
  method: "PUT",
  path: "/api/topics/{topicId}/notifications",
  summary:
    "Choose what of a topic notifies the caller: every new post, too, all else, mentions only, or none",
  description: "Decisions about the caller always arrive in the app; with none, not by push.",
  ...shared,
  access: "topic-content",
  params: z.object({ topicId: uuid }),
  body: z.object({ level }),
  responses: { 200: z.object({ level }) },
});

export const setThreadNotifications = operation({
  id: "posts.setNotifications",
  method: "PUT",
  path: "/api/posts/{postId}/notifications",
  summary: "Choose what of a post's comments reaches the caller",
  description:
    "`watch` notifies of every comment. `follow`, as it is at first, counts new ones once the caller has read the thread. `normal` counts none, and leaves replies and mentions. `mute` leaves only decisions about the caller.",
  ...shared,
  access: "post-insider",
  params: z.object({ postId: uuid }),
  body: z.object({ level: threadLevel }),
  responses: { 200: z.object({ level: threadLevel }) },
});

export const setDigest = operation({
  id: "notifications.setDigest",
  method: "PUT",
  path: "/api/me/digest",
  summary: "Choose how often a notification says what is new in the caller's topics",
  description:
    "The first comes a day or a week after the choice. Nothing is sent while nothing is new since the last one. It says how much is new, and not what.",
  ...shared,
  access: "signed-in",
  body: z.object({ every: digest }),
  responses: { 200: z.object({ every: digest }) },
});

const feedPath = "/api/me/feed";
const feed = {
  ...shared,
  access: "signed-in",
  personOnly: true,
  limit: { points: 30, seconds: 60 },
} as const;

export const privateFeed = operation({
  id: "my.feed",
  method: "GET",
  path: feedPath,
  summary: "Whether the caller's own feed has an address for feed readers, and since when",
  ...feed,
  responses: { 200: z.object({ createdAt: dateTime.nullable() }) },
});

export const makePrivateFeed = operation({
  id: "my.makeFeed",
  method: "POST",
  path: feedPath,
  summary: "Make a new address for the caller's own feed; the one before ends",
  description:
    "Shown once: only its hash is kept. Whoever knows the address reads the feed, as RSS. Of topics that not everyone may read it says only that something is new. It ends with the account, and while that is suspended.",
  ...feed,
  responses: { 201: z.object({ url: z.url(), createdAt: dateTime }) },
});

export const endPrivateFeed = operation({
  id: "my.endFeed",
  method: "DELETE",
  path: feedPath,
  summary: "End the address of the caller's own feed",
  ...feed,
  responses: { 200: z.object({ success: z.literal(true) }) },
});
