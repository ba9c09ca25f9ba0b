import { z } from "zod";
import { cursor, dateTime, nextCursor, pageLimit, person, uuid } from "./common";
import { notificationKinds } from "./notification-kinds";
import { operation } from "./operation";

export const notification = z
  .object({
    id: uuid,
    kind: z.enum(notificationKinds).describe("What happened."),
    createdAt: dateTime,
    isRead: z.boolean(),
    actor: person
      .nullable()
      .describe("Who did it; null for moderation, where staff stay anonymous, and for deleted accounts."),
    topicId: uuid.nullable(),
    topicTitle: z.string().nullable().describe("Null where the reader may not see the topic."),
    postId: uuid.nullable(),
    postTitle: z.string().nullable(),
    commentId: uuid.nullable(),
    excerpt: z
      .string()
      .nullable()
      .describe("Plain text of the content, at most 140 characters; null where the reader may not read it."),
    reason: z.string().nullable().describe("The reason a staff member gave."),
    details: z
      .record(z.string(), z.string())
      .describe("More facts as text, such as the new role or the end of a mute."),
  })
  .meta({ id: "Notification" });
export type Notification = z.infer<typeof notification>;

const unreadCount = z.int().min(0);
const shared = { tag: "notifications", auth: "required", nickname: false, access: "signed-in" } as const;

export const listNotifications = operation({
  id: "notifications.list",
  method: "GET",
  path: "/api/notifications",
  summary: "The caller's notifications, latest first",
  ...shared,
  limit: { points: 300, seconds: 60 },
  query: z.object({
    unread: z.enum(["true", "false"]).default("false"),
    limit: pageLimit(20, 100),
    cursor,
  }),
  responses: { 200: z.object({ notifications: z.array(notification), unreadCount, nextCursor }) },
});

export const readNotifications = operation({
  id: "notifications.read",
  method: "POST",
  path: "/api/notifications/read",
  summary: "Mark notifications as read: those named, or with `upTo` that one and all before it",
  ...shared,
  limit: { points: 120, seconds: 60 },
  body: z
    .object({ ids: z.array(uuid).min(1).max(100).optional(), upTo: uuid.optional() })
    .refine((body) => (body.ids === undefined) !== (body.upTo === undefined), {
      path: ["ids"],
      error: "name either ids or upTo",
    }),
  guestsSee: false,
  responses: { 200: z.object({ unreadCount }) },
});

export const myEvents = operation({
  id: "my.events",
  method: "GET",
  path: "/api/me/events",
  summary: "The caller's notifications as they happen (text/event-stream)",
  description:
    "`unread` comes first and whenever it changes; `notification` carries its id as the event's id, so a reconnect with Last-Event-ID gets what it missed and nothing twice; `reset` says that the id is not known any more; `ping` comes every 30 seconds. The stream ends with the session.",
  ...shared,
  limit: { points: 60, seconds: 60 },
  events: {
    unread: z.object({ unreadCount }),
    notification,
    reset: z.object({}),
    ping: z.object({}),
  },
  responses: {},
  errors: ["too_many_streams"],
});

const subscription = z.object({
  id: uuid,
  label: z.string().describe("Browser and system, as far as the client says."),
  createdAt: dateTime,
  isCurrent: z.boolean().describe("Created with the session of this request."),
});

export const getPush = operation({
  id: "push.get",
  method: "GET",
  path: "/api/me/push",
  summary: "Web Push: the key to subscribe with, and where the caller's notifications go",
  ...shared,
  limit: { points: 120, seconds: 60 },
  responses: {
    200: z.object({
      publicKey: z
        .string()
        .nullable()
        .describe("VAPID public key, base64url; null where the installation sends no push messages."),
      subscriptions: z.array(subscription),
    }),
  },
});

export const addPush = operation({
  id: "push.add",
  method: "POST",
  path: "/api/me/push",
  summary: "Send the caller's notifications to this browser, as long as this session lasts",
  ...shared,
  limit: { points: 20, seconds: 60 },
  body: z.object({
    endpoint: z
      .url({ protocol: /^https$/ })
      .max(1000)
      .describe("As PushSubscription.toJSON() returns it."),
    keys: z.object({
      p256dh: z.string().regex(/^[A-Za-z0-9_-]{86,88}={0,2}$/, "must be a P-256 point in base64url"),
      auth: z.string().regex(/^[A-Za-z0-9_-]{21,24}={0,2}$/, "must be 16 bytes in base64url"),
    }),
  }),
  guestsSee: false,
  responses: { 201: z.object({ subscription }) },
  errors: ["push_unavailable", "address_not_allowed"],
});

export const removePush = operation({
  id: "push.remove",
  method: "DELETE",
  path: "/api/me/push",
  summary: "Send nothing to this browser any more",
  ...shared,
  limit: { points: 60, seconds: 60 },
  body: z
    .object({ endpoint: z.url().max(1000).optional(), id: uuid.optional() })
    .refine((body) => (body.endpoint === undefined) !== (body.id === undefined), {
      path: ["endpoint"],
      error: "name either endpoint or id",
    }),
  guestsSee: false,
  responses: { 200: z.object({ success: z.literal(true), removed: z.int() }) },
});
