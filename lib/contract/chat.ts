import { z } from "zod";
import { ABILITIES } from "./abilities";
import { dateTime, pageLimit, person, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";
import { reactionEmoji, reactionSummary } from "./posts";

const params = z.object({ topicId: uuid });
const shared = { tag: "chat", auth: "required" } as const;

const read = { ...shared, nickname: false, access: "topic-insider", params } as const;

/** The most users a presence list names; its count includes everyone. */
export const presenceListed = 100;

const chatMessage = z
  .object({
    id: uuid,
    topicId: uuid,
    userId: z.string(),
    nickname: z.string(),
    profileImage: z.string().nullable(),
    authorDomains: z.array(z.string()).describe("Domains that they show beside their name in this topic."),
    automated: z.boolean(),
    message: z
      .string()
      .describe(
        "Plain text. Empty for a join or leave, once deleted, and while hidden: then only staff and the author get it, in the history.",
      ),
    type: z
      .enum(["message", "join", "leave"])
      .describe("A message, or that somebody joined or left the topic."),
    createdAt: dateTime.describe("When it was sent, strictly later than the message before it."),
    replyTo: z
      .object({
        id: uuid,
        userId: z.string(),
        nickname: z.string(),
        excerpt: z
          .string()
          .describe("The beginning of its text as it is now, under the same rules as `message`."),
      })
      .nullable()
      .describe("The message it answers."),
    editedAt: dateTime.nullable().describe("The last change of its text."),
    isDeleted: z.boolean(),
    deletedBy: z.enum(["author", "admin"]).nullable(),
    isHidden: z.boolean().describe("Hidden by the topic's staff."),
    reactions: z.array(
      reactionSummary.extend({
        userReacted: z
          .boolean()
          .optional()
          .describe("Absent in the stream, which is the same for everybody."),
      }),
    ),
    revision: z
      .int()
      .describe(
        "Grows with every change: of two copies of a message, the one with the larger number is newer.",
      ),
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.infer<typeof chatMessage>;

const presence = z
  .object({
    users: z
      .array(person.extend({ connectedAt: dateTime }))
      .max(presenceListed)
      .describe("The first 100 by connectedAt."),
    count: z.int().describe("Everyone connected, each user once."),
  })
  .meta({ id: "Presence" });
export type Presence = z.infer<typeof presence>;

const abilityList = z.array(z.enum(ABILITIES.message));

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
      since: z.iso.datetime({ offset: true }).optional().describe("Messages sent after this moment."),
      before: uuid.optional().describe("Messages older than the one with this id."),
    })
    .refine((query) => query.since === undefined || query.before === undefined, {
      path: ["before"],
      error: "cannot be combined with since",
    }),
  responses: {
    200: z.object({
      messages: z.array(
        chatMessage.extend({
          isFolded: z.boolean().describe("The caller blocked its author: show it folded."),
        }),
      ),
      total: z
        .int()
        .describe("Messages members wrote, deleted ones included; joins and leaves are not counted."),
      abilities: z
        .object({ own: abilityList, others: abilityList })
        .describe(
          "What the caller may do with messages of theirs and of others: with all that are not deleted and whose text they get. Not part of each message, because all readers of the stream get the same events.",
        ),
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
  body: z.object({
    message: text(LIMITS.chatMessage),
    replyToId: uuid.nullish().describe("The message it answers, in the same topic."),
  }),
  guestsSee: false,
  responses: { 201: z.object({ message: chatMessage }) },
  errors: ["message_not_found", "new_account_limit", "duplicate_text", "slow_mode", "links_too_early"],
});

const change = {
  ...shared,
  nickname: true,
  limit: { points: 60, seconds: 60 },
  params: z.object({ messageId: uuid }),
  guestsSee: false,
} as const;
const changed = z.object({ message: chatMessage });

export const updateMessage = operation({
  id: "chat.update",
  method: "PATCH",
  path: "/api/chat/{messageId}",
  summary: "Change the text of one's own message, which is marked as edited",
  ...change,
  access: "message-author",
  body: z.object({ message: text(LIMITS.chatMessage) }),
  responses: { 200: changed },
  errors: ["new_account_limit", "duplicate_text", "links_too_early"],
});

export const deleteMessage = operation({
  id: "chat.delete",
  method: "DELETE",
  path: "/api/chat/{messageId}",
  summary: "Delete a message; its place in the chat stays, without text and reactions",
  ...change,
  access: "message-remover",
  body: z.object({
    reason: text(LIMITS.moderation.reason)
      .optional()
      .describe("Of staff: it is logged and told to the author."),
  }),
  bodyOptional: true,
  responses: { 200: z.object({ success: z.literal(true), deletedBy: z.enum(["author", "admin"]) }) },
  errors: ["fresh_proof_required"],
});

export const reactToMessage = operation({
  id: "chat.react",
  method: "POST",
  path: "/api/chat/{messageId}/reactions",
  summary: "Give a reaction, or take it back; a repeat changes nothing",
  ...change,
  access: "message-member",
  body: z.object({ emoji: reactionEmoji, reacted: z.boolean() }),
  responses: { 200: changed },
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
    "`presence` comes first and whenever it changes; `message` carries its id as the event's id, so a reconnect with Last-Event-ID gets what it missed and nothing twice; `message_changed` carries a message after an edit, a deletion, hiding, showing or a reaction, under an event id of its own: several changes of one message may come as one, the newest; `reset` says that the id is not known any more and the history has to be read anew; `ping` comes every 30 seconds. A client that reads too slowly is disconnected with a retry hint. All readers get the same events, so they have no `isFolded`: compare `userId` with GET /api/my/blocks. The stream ends when the caller stops being a member or the session ends.",
  ...read,
  limit: { points: 60, seconds: 60 },
  events: {
    presence,
    message: chatMessage,
    message_changed: chatMessage,
    reset: z.object({}),
    ping: z.object({}),
  },
  responses: {},
  errors: ["too_many_streams"],
});
