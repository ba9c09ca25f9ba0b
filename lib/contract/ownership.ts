import { z } from "zod";
import { ABILITIES } from "./abilities";
import { dateTime, person, userId, uuid } from "./common";
import { operation } from "./operation";

/** The owner offers the topic to a member, who has not answered yet. */
const ownershipOffer = z.object({
  member: person.describe("The member it is made to."),
  offeredAt: dateTime,
  expiresAt: dateTime.describe("When the offer ends, a week after it was made."),
  abilities: z
    .array(z.enum(ABILITIES.offer))
    .describe("What the caller may do: the member answers it, the owner takes it back."),
});
export type OwnershipOffer = z.infer<typeof ownershipOffer>;

const shared = {
  tag: "members",
  auth: "required",
  path: "/api/topics/{topicId}/ownership-offer",
  params: z.object({ topicId: uuid }),
} as const;
const write = { ...shared, nickname: true, limit: { points: 30, seconds: 60 } } as const;
const done = z.object({ success: z.literal(true) });

export const getOffer = operation({
  id: "ownership.get",
  method: "GET",
  summary: "The open offer of the topic's ownership, for the owner and the member it is made to",
  ...shared,
  nickname: false,
  access: "topic-insider",
  limit: { points: 300, seconds: 60 },
  responses: { 200: z.object({ offer: ownershipOffer.nullable() }) },
});

export const offerOwnership = operation({
  id: "ownership.offer",
  method: "PUT",
  summary: "Offer the topic to a member, who becomes its owner by accepting within a week",
  description:
    "Needs a session whose proof is at most ten minutes old. Offering it to the same member again changes nothing. An offer ends when it is answered, taken back or expired, when the member leaves, and when the topic gets another owner.",
  ...write,
  guestsSee: false,
  access: "topic-owner",
  body: z.object({ userId }),
  responses: { 200: z.object({ offer: ownershipOffer }) },
  errors: ["member_not_found", "fresh_proof_required", "offer_open"],
});

export const cancelOffer = operation({
  id: "ownership.cancel",
  method: "DELETE",
  summary: "Take the offer back",
  ...write,
  guestsSee: false,
  access: "topic-owner",
  responses: { 200: done },
  errors: ["offer_not_found"],
});

export const answerOffer = operation({
  id: "ownership.answer",
  method: "POST",
  summary: "Accept or decline the offer; by accepting, the caller becomes the owner and the owner an admin",
  ...write,
  access: "topic-insider",
  body: z.object({ accept: z.boolean() }),
  responses: { 200: done },
  errors: ["offer_not_found"],
});
