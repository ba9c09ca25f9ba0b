import { z } from "zod";
import { dateTime, uuid } from "./common";
import { operation } from "./operation";
import { proofRequirement } from "./proof-requirement";
import { gateErrors, proofFields, topic, topicParams, write } from "./topics";

export const createInvite = operation({
  id: "topics.createInvite",
  method: "POST",
  path: "/api/topics/{topicId}/invite",
  summary: "A token that lets one person in, for 7 days",
  ...write,
  access: "topic-member",
  params: topicParams,
  guestsSee: false,
  responses: {
    201: z.object({ token: z.string().regex(/^[0-9a-f]{16}$/), expiresAt: dateTime }),
  },
});

export const renewInviteCode = operation({
  id: "topics.renewInviteCode",
  method: "POST",
  path: "/api/topics/{topicId}/invite-code",
  summary: "Replace the topic's invite code; the old one stops working at once",
  description: "The code also changes by itself when a member is removed or banned.",
  ...write,
  access: "topic-staff",
  params: topicParams,
  guestsSee: false,
  responses: { 200: z.object({ inviteCode: z.string().regex(/^[0-9A-Z]{8}$/) }) },
});

/** An 8-character invite code or a 16-hex invite token. */
const inviteParams = z.object({ inviteCode: z.string().min(1).max(40) });

export const getInvite = operation({
  id: "topics.getInvite",
  method: "GET",
  path: "/api/topics/join/{inviteCode}",
  summary: "What an invite leads to",
  ...write,
  nickname: false,
  access: "signed-in",
  params: inviteParams,
  responses: {
    200: z.object({
      topic: topic.pick({
        id: true,
        title: true,
        description: true,
        requiresCountryProof: true,
        allowedCountries: true,
        excludedCountries: true,
        proofType: true,
        requiredDomain: true,
        visibility: true,
        memberCount: true,
        reproveDays: true,
        rules: true,
      }),
      isMember: z.boolean(),
      proofRequirement: proofRequirement.optional(),
    }),
  },
  errors: ["invite_not_found"],
});

export const joinByInvite = operation({
  id: "topics.joinByInvite",
  method: "POST",
  path: "/api/topics/join/{inviteCode}",
  summary: "Join by invite, whatever the visibility; a gate still needs its proof",
  ...write,
  access: "topic-invited",
  params: inviteParams,
  body: z.object(proofFields),
  bodyOptional: true,
  responses: { 201: z.object({ success: z.literal(true), topicId: uuid }) },
  errors: ["request_too_soon", "banned", ...gateErrors],
  errorStatus: { proof_required: 403 },
});
