import { z } from "zod";
import { renewal } from "./auth";
import { dateTime, nickname, uuid, visibility } from "./common";
import { imageErrors } from "./limits";
import { operation } from "./operation";

const own = {
  tag: "profile",
  auth: "required",
  nickname: false,
  access: "signed-in",
  limit: { points: 60, seconds: 60 },
} as const;
const domains = z.array(z.string());
const success = z.literal(true);

export const setNickname = operation({
  id: "profile.setNickname",
  method: "PUT",
  path: "/api/profile/nickname",
  summary: "Choose or change the nickname; reissues the session",
  description: `Use the new token from here on. ${renewal}`,
  ...own,
  personOnly: true,
  limit: { points: 10, seconds: 60 },
  body: z.object({ nickname }),
  responses: { 200: z.object({ nickname: z.string(), token: z.string().optional() }) },
  errors: ["nickname_taken"],
});

export const getImage = operation({
  id: "profile.getImage",
  method: "GET",
  path: "/api/profile/image",
  summary: "The caller's profile image",
  ...own,
  responses: { 200: z.object({ profileImage: z.string().nullable() }) },
});

export const setImage = operation({
  id: "profile.setImage",
  method: "PUT",
  path: "/api/profile/image",
  summary: "Use an uploaded image as profile image",
  ...own,
  nickname: true,
  body: z.object({ imageUrl: z.string().min(1).max(2000) }),
  responses: { 200: z.object({ success, profileImage: z.string() }) },
  errors: ["not_your_upload", ...imageErrors],
});

export const deleteImage = operation({
  id: "profile.deleteImage",
  method: "DELETE",
  path: "/api/profile/image",
  summary: "Have no profile image",
  ...own,
  nickname: true,
  responses: { 200: z.object({ success }) },
});

export const getDomainBadges = operation({
  id: "profile.getDomainBadges",
  method: "GET",
  path: "/api/profile/domain-badge",
  summary: "Domains shown in public, and the one that could be added",
  ...own,
  responses: {
    200: z.object({
      domains: domains.describe("Shown in every topic."),
      limited: z.array(
        z.object({
          domain: z.string(),
          topicId: uuid
            .nullable()
            .describe("The topic in which alone the domain shows; null for every topic."),
          topicTitle: z
            .string()
            .nullable()
            .describe("Its title; null for every topic, and where the caller may no longer see it."),
          since: dateTime.nullable().describe("Only content from then on shows it; null for all content."),
        }),
      ),
      availableDomain: z.string().nullable(),
    }),
  },
});

export const previewDomainBadge = operation({
  id: "profile.previewDomainBadge",
  method: "GET",
  path: "/api/profile/domain-badge/preview",
  summary: "Where the most recently proven workspace domain would appear, before it is shown",
  ...own,
  responses: {
    200: z.object({
      domain: z.string(),
      topics: z.array(
        z.object({
          topicId: uuid,
          title: z.string().nullable().describe("Null where the caller may no longer see the topic."),
          visibility,
          posts: z.int().describe("Posts the caller wrote there."),
          comments: z.int().describe("Comments the caller wrote there."),
          isMember: z.boolean(),
        }),
      ),
    }),
  },
  errors: ["no_verified_domain"],
});

export const addDomainBadge = operation({
  id: "profile.addDomainBadge",
  method: "POST",
  path: "/api/profile/domain-badge",
  summary: "Show the most recently proven workspace domain in public",
  description:
    "Without a body everywhere, also beside what was written before. A limit adds to what is shown; hide the domain first to show less.",
  ...own,
  nickname: true,
  body: z.object({
    topicId: uuid.optional().describe("Shows the domain in this topic only."),
    onlyNew: z.boolean().default(false).describe("Only beside what is written from now on."),
  }),
  bodyOptional: true,
  responses: { 200: z.object({ success, domain: z.string(), domains }) },
  errors: ["no_verified_domain", "topic_not_found", "not_a_member"],
});

export const removeDomainBadge = operation({
  id: "profile.removeDomainBadge",
  method: "DELETE",
  path: "/api/profile/domain-badge",
  summary: "Stop showing a domain, or all of them; verifications stay valid",
  ...own,
  nickname: true,
  body: z.object({ domain: z.string().trim().toLowerCase().min(1).max(255).optional() }),
  bodyOptional: true,
  responses: { 200: z.object({ success, domains }) },
});

export const getBadges = operation({
  id: "profile.getBadges",
  method: "GET",
  path: "/api/profile/badges",
  summary: "What the caller has proven in the last 30 days",
  ...own,
  responses: {
    200: z.object({
      badges: z.array(
        z.object({
          type: z.enum(["kyc", "country", "oidc_domain", "oidc_login"]).describe("What was proven."),
          verifiedAt: z.number().describe("Unix time in milliseconds."),
          expiresAt: z.number(),
        }),
      ),
    }),
  },
});

export const getLimits = operation({
  id: "profile.getLimits",
  method: "GET",
  path: "/api/profile/limits",
  summary: "The lower limits of the caller while their account counts as new",
  ...own,
  responses: {
    200: z.object({
      newAccount: z
        .object({
          links: z.int().describe("In one post or comment."),
          images: z.int(),
          mentions: z.int(),
          topicsPerDay: z.int().describe("Until midnight UTC."),
          topicsLeft: z.int(),
          until: dateTime.nullable().describe("When the account is old enough; null if it is."),
          acceptedMissing: z
            .int()
            .describe("Posts and comments it needs besides, that staff neither hide nor delete."),
        })
        .nullable()
        .describe("Null for an established account, and where the installation has no such limits."),
    }),
  },
});

export const deleteAccount = operation({
  id: "profile.deleteAccount",
  method: "DELETE",
  path: "/api/account",
  summary: "Withdraw: content stays under “[withdrawn]” and a random author id, every session ends",
  ...own,
  limit: { points: 5, seconds: 60 },
  responses: { 200: z.object({ success }) },
  errors: ["fresh_proof_required", "owns_topics"],
});

export const exportAccount = operation({
  id: "profile.export",
  method: "GET",
  path: "/api/account/export",
  summary: "Everything that is the caller's as a ZIP: JSON, Markdown and files",
  description:
    "It is made while it is sent, one file at a time: `x-export-files` is the number of its files, its length is not known before. Its README.md says what is in it and what is not.",
  ...own,
  // A day has room for downloads that break off.
  limit: { points: 10, seconds: 86_400 },
  binary: "application/zip",
  responses: {},
});
