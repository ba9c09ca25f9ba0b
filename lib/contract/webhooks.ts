import { z } from "zod";
import { dateTime, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

const { webhooks: limits } = LIMITS;

/** What a webhook can tell. A text that is shown after review is created then; one that is hidden or deleted is removed. */
const topicEventKinds = [
  ...(["post.created", "post.updated", "post.removed"] as const),
  ...(["comment.created", "comment.updated", "comment.removed"] as const),
  ...(["message.created", "message.updated", "message.removed"] as const),
  ...(["member.joined", "member.left"] as const),
] as const;
export type TopicEventKind = (typeof topicEventKinds)[number];

const cursor = z.int().min(0);

const webhook = z
  .object({
    id: uuid.describe("Id of the webhook."),
    url: z.string().describe("Where events are sent."),
    events: z.array(z.enum(topicEventKinds)).describe("What is sent."),
    cursor: cursor.describe("Cursor of the last event that its receiver accepted, or that was passed over."),
    failingSince: dateTime.nullable().describe("When its receiver began to fail; null while it accepts."),
    stoppedAt: dateTime
      .nullable()
      .describe(
        "When sending stopped, after a day of failures, or as whoever made it left the staff; null while it is sent to.",
      ),
    createdAt: dateTime,
    author: z
      .object({ userId: z.string(), nickname: z.string() })
      .describe("Who made it, or resumed it last."),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

/** The body of a delivery. */
export const delivery = z.object({
  webhookId: uuid.describe("Id of the webhook."),
  topicId: uuid,
  cursor: cursor.describe("Cursor of the last event of the delivery."),
  events: z
    .array(
      z.object({
        cursor: cursor.describe("Its number in the topic: without gaps, in the order in which it happened."),
        kind: z.enum(topicEventKinds).describe("What happened."),
        at: dateTime.describe("When it happened."),
        postId: uuid.optional().describe("The post, or that of the comment."),
        commentId: uuid.optional().describe("The comment."),
        messageId: uuid.optional().describe("The chat message."),
        userId: z.string().optional().describe("Who joined or left."),
      }),
    )
    .describe("What happened since the last delivery, oldest first. It names texts and has none of them."),
});
export type Delivery = z.infer<typeof delivery>;

const params = z.object({ topicId: uuid });
const one = z.object({ topicId: uuid, webhookId: uuid.describe("Id of the webhook.") });
const shared = {
  tag: "webhooks",
  auth: "required",
  access: "topic-staff",
  guestsSee: false,
} as const;

export const listWebhooks = operation({
  id: "webhooks.list",
  method: "GET",
  path: "/api/topics/{topicId}/webhooks",
  summary: "Webhooks of a topic, latest first",
  ...shared,
  nickname: false,
  limit: { points: 60, seconds: 60 },
  params,
  responses: { 200: z.object({ webhooks: z.array(webhook).describe("The webhooks.") }) },
});

export const createWebhook = operation({
  id: "webhooks.create",
  method: "POST",
  path: "/api/topics/{topicId}/webhooks",
  summary: "Send what happens in a topic to an address",
  description: `Events are sent within seconds, in order and at least once, as POST with a JSON body of at most ${limits.batch} events, signed as Standard Webhooks (standardwebhooks.com): \`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`. Refuse a signature whose time is more than five minutes away. An answer of 2xx accepts them all; after any other, or none in five seconds, the same events are sent again, later each time, for a day. Events name what changed: fetch it with a token, under the rules of that moment. The topic's log says that there is a webhook, and its host.`,
  ...shared,
  nickname: true,
  limit: { points: 10, seconds: 60 },
  params,
  body: z.object({
    url: text(limits.url).describe("Where to send events: a public http or https address."),
    events: z
      .array(z.enum(topicEventKinds))
      .min(1)
      .max(topicEventKinds.length)
      .default([...topicEventKinds])
      .describe("What to send; without it, everything."),
  }),
  responses: {
    201: z.object({
      webhook: webhook.describe("The webhook."),
      secret: z.string().describe("Checks signatures. It is shown only now: `whsec_` and 44 characters."),
    }),
  },
  errors: ["address_not_allowed", "too_many_webhooks"],
});

export const replayWebhook = operation({
  id: "webhooks.replay",
  method: "POST",
  path: "/api/topics/{topicId}/webhooks/{webhookId}/replay",
  summary: "Send events again, or go on after a stop",
  description: `Events are kept for ${LIMITS.days.topicEvent} days. Older ones are passed over.`,
  ...shared,
  nickname: true,
  limit: { points: 10, seconds: 60 },
  params: one,
  body: z.object({
    after: cursor
      .optional()
      .describe("Begins after this cursor; without it, after the last that was accepted."),
  }),
  bodyOptional: true,
  responses: { 200: z.object({ webhook: webhook.describe("The webhook.") }) },
  errors: ["webhook_not_found"],
});

export const deleteWebhook = operation({
  id: "webhooks.delete",
  method: "DELETE",
  path: "/api/topics/{topicId}/webhooks/{webhookId}",
  summary: "Delete a webhook",
  ...shared,
  nickname: true,
  limit: { points: 60, seconds: 60 },
  params: one,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["webhook_not_found"],
});
