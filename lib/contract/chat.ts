import { z } from "zod";
import { dateTime, pageLimit, person, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

const params = z.object({ topicId: uuid });
const shared = { tag: "chat", auth: "required" } as const;

const read = { ...shared, nickname: false, access: "topic-insider", params } as const;

/** The most users a presence list names; its count includes everyone. */
export const presenceListed = 100;

const chatMessage = z.object({
  id: uuid,
  topicId: uuid,
  userId: z.string(),
  nickname: z.string(),
  profileImage: z.string().nullable(),
  /** Plain text; empty for a join or leave. */
  message: z.string(),
  type: z.enum(["message", "join", "leave"]),
  /** Strictly later than the message before it. */
  createdAt: dateTime,
});
export type ChatMessage = z.infer<typeof chatMessage>;

const presence = z.object({
  /** The first 100 by connectedAt. */
  users: z.array(person.extend({ connectedAt: dateTime })).max(presenceListed),
  /** Everyone connected, each user once. */
  count: z.int(),
});
export type Presence = z.infer<typeof presence>;

export const listMessages = operation({
  id: "chat.list",
  method: "GET",
  path: "/api/topics/{topicId}/chat",
  summary:
    "History: the latest, newest first; after `since`, oldest first; older than `before`, newest first",
  ...shared,
  nickname: false,
  access: "topic-chat",
  limit: { points: 300, seconds: 60 },
  params,
  query: z
    .object({
      limit: pageLimit(50, 500),
      since: z.iso.datetime({ offset: true }).optional(),
      before: uuid.optional(),
    })
    .refine((query) => query.since === undefined || query.before === undefined, {
      path: ["before"],
      error: "cannot be combined with since",
    }),
  responses: {
    200: z.object({
      messages: z.array(chatMessage),
      /** Messages members wrote; joins and leaves are not counted. */
      total: z.int(),
    }),
  },
  errors: ["message_not_found"],
});

export const sendMessage = operation({
  id: "chat.send",
  method: "POST",
  path: "/api/topics/{topicId}/chat",
  summary: "Say something to everybody in the topic",
  ...shared,
  nickname: true,
  access: "topic-member",
  limit: { points: 60, seconds: 60 },
  params,
  body: z.object({ message: text(LIMITS.chatMessage) }),
  guestsSee: false,
  responses: { 201: z.object({ message: chatMessage }) },
});

export const readPresence = operation({
  id: "chat.presence",
  method: "GET",
  path: "/api/topics/{topicId}/chat/presence",
  summary: "Who is connected to the topic's chat now",
  ...read,
  limit: { points: 300, seconds: 60 },
  responses: { 200: presence },
});

export const subscribe = operation({
  id: "chat.subscribe",
  method: "GET",
  path: "/api/topics/{topicId}/chat/subscribe",
  summary: "The chat as it happens (text/event-stream)",
  description:
    "`presence` comes first and whenever it changes; `message` carries its id as the event's id, so a reconnect with Last-Event-ID gets what it missed and nothing twice; `reset` says that the id is not known any more and the history has to be read anew; `ping` comes every 30 seconds. A client that reads too slowly is disconnected with a retry hint. The stream ends when the caller stops being a member or the session ends.",
  ...read,
  limit: { points: 60, seconds: 60 },
  events: { presence, message: chatMessage, reset: z.object({}), ping: z.object({}) },
  responses: {},
  errors: ["too_many_streams"],
});
