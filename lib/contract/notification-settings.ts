import { z } from "zod";
import { uuid } from "./common";
import {
  decisionKinds,
  type NotificationKind,
  notificationKinds,
  notificationLevels,
} from "./notification-kinds";
import { operation } from "./operation";

const kinds = z.array(
  z.object({
    kind: z.enum(notificationKinds),
    inApp: z.boolean(),
    /** Sent only where `inApp` is true, too. */
    push: z.boolean(),
    /** Decisions about the caller: `inApp` stays true. */
    isRequired: z.boolean(),
  }),
);
const level = z.enum(notificationLevels);
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
      /** Topics the caller may read and muted or set a level for, latest first; at most 500. */
      topics: z.array(z.object({ topicId: uuid, title: z.string(), isMuted: z.boolean(), level })),
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
      push: z.boolean().optional(),
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
  summary: "Choose what of a topic notifies the caller: all, mentions only, or none",
  description: "Decisions about the caller always arrive in the app; with none, not by push.",
  ...shared,
  access: "topic-content",
  params: z.object({ topicId: uuid }),
  body: z.object({ level }),
  responses: { 200: z.object({ level }) },
});
