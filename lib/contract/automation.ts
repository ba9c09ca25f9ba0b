import { z } from "zod";
import type { AutomationScope } from "./automation-scopes";
import { dateTime, text, uuid } from "./common";
import { LIMITS } from "./limits";
import { type OperationSpec, operation } from "./operation";

/** Reads of these tags are in the scope "read". */
const readTags = new Set(
  "topics posts chat records reading search uploads members drafts notifications crowds anonymous profile service".split(
    " ",
  ),
);
/** Whatever else these tags do is in the scope of the same line. */
const scopeByTag: Readonly<Record<string, AutomationScope>> = {
  posts: "write",
  drafts: "write",
  uploads: "write",
  records: "write",
  reading: "write",
  chat: "chat",
  topics: "topics",
  members: "staff",
  moderation: "staff",
};
/** What gives away or destroys more than a named scope says, or goes on when the token has ended. */
const namedOnly = new Set(["profile.export", "topics.delete", "webhooks.create"]);

/** Returns the named scope of an operation, or null where a token must name the operation itself. */
export function scopeOf({
  id,
  tag,
  method,
  access,
}: Pick<OperationSpec, "id" | "tag" | "method" | "access">): AutomationScope | null {
  if (namedOnly.has(id)) return null;
  if (tag === "moderation" || /-(staff|moderator)$/.test(access)) return "staff";
  if (method === "GET" && readTags.has(tag)) return "read";
  return scopeByTag[tag] ?? null;
}

/** What every token may do: say what it is, end itself, and ask whether it may pay. */
const everyToken = new Set(["auth.session", "auth.logout", "auth.spend"]);

/** Returns whether these scopes let a token call an operation. */
export function isInScope(op: OperationSpec, scopes: readonly string[]): boolean {
  if (op.personOnly) return false;
  if (everyToken.has(op.id) || scopes.includes(op.id)) return true;
  const scope = scopeOf(op);
  return scope !== null && scopes.includes(scope);
}

const { automation: limits } = LIMITS;

/** What a token for automation may do, without the token. */
export const automationToken = z
  .object({
    id: uuid.describe("Id of the token."),
    name: z.string().describe("What its owner calls it. Nobody else sees it."),
    scopes: z
      .array(z.string())
      .describe("Named scopes (`read`, `write`, `chat`, `topics`, `staff`) and ids of operations."),
    topicIds: z.array(uuid).nullable().describe("The topics it is limited to; null for all."),
    spendCap: z.int().describe("What it may spend in all, in millionths of a USD."),
    spent: z.int().describe("What it has spent of that."),
    createdAt: dateTime,
    lastSeenAt: dateTime.describe("Its last use, up to five minutes behind."),
    expiresAt: dateTime,
  })
  .meta({ id: "AutomationToken" });

const own = {
  tag: "auth",
  auth: "required",
  access: "signed-in",
  guestsSee: false,
  personOnly: true,
} as const;

export const createToken = operation({
  id: "auth.createToken",
  method: "POST",
  path: "/api/auth/tokens",
  summary: "Make a token for automation",
  description: `A program sends it as a bearer token and acts as the caller, within its scopes, until it expires or is revoked. What it writes is marked as automated. A user has at most ${limits.tokens} active ones, and making one takes a proof from the last 10 minutes, so a token makes no other. The answer alone has the token itself.`,
  ...own,
  nickname: true,
  limit: { points: 10, seconds: 60 },
  body: z.object({
    name: text(limits.name).describe("What the caller calls it."),
    scopes: z
      .array(text(100))
      .min(1)
      .max(limits.scopes)
      .describe(
        "Named scopes (`read`, `write`, `chat`, `topics`, `staff`; `x-scope` of an operation says which it is in) and ids of operations.",
      ),
    topicIds: z
      .array(uuid)
      .min(1)
      .max(limits.topics)
      .optional()
      .describe(
        "Limits the token to these topics: to operations whose path names one of them, or a post, comment or message in one. Without it, all.",
      ),
    days: z.int().min(1).max(limits.days).default(30).describe("For how many days it lasts."),
    spendCap: z
      .int()
      .min(0)
      .max(limits.spendCap)
      .default(0)
      .describe("What it may spend in all, in millionths of a USD; 0 for nothing."),
  }),
  responses: {
    201: z.object({
      token: z.string().describe("The token, which is shown only now: `parley_` and 43 characters."),
      automation: automationToken.describe("What it may do."),
    }),
  },
  errors: ["too_many_tokens", "fresh_proof_required"],
});

export const listTokens = operation({
  id: "auth.tokens",
  method: "GET",
  path: "/api/auth/tokens",
  summary: "The caller's active tokens for automation, latest first",
  ...own,
  nickname: false,
  limit: { points: 60, seconds: 60 },
  responses: {
    200: z.object({ tokens: z.array(automationToken).describe("The tokens.") }),
  },
});

export const revokeToken = operation({
  id: "auth.revokeToken",
  method: "DELETE",
  path: "/api/auth/tokens/{tokenId}",
  summary: "Revoke a token for automation",
  description: "At once: the token is 401 from now on, and its event streams end.",
  ...own,
  nickname: false,
  limit: { points: 60, seconds: 60 },
  params: z.object({ tokenId: uuid.describe("Id of the token.") }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["token_not_found"],
});

export const spend = operation({
  id: "auth.spend",
  method: "POST",
  path: "/api/auth/spending",
  summary: "Take an amount from a token's spend cap, before paying it",
  description:
    "A program that buys proofs calls this first and pays only if it is allowed, so that all its copies together stay below the cap. What was taken is not given back. With a session there is no cap, and nothing is counted.",
  tag: "auth",
  auth: "required",
  access: "signed-in",
  nickname: false,
  guestsSee: false,
  limit: { points: 60, seconds: 60 },
  body: z.object({ amount: z.int().min(1).max(limits.spendCap).describe("Millionths of a USD.") }),
  responses: {
    200: z.object({
      remaining: z
        .int()
        .nullable()
        .describe("What is left of the cap, in millionths of a USD; null for a session."),
    }),
  },
  errors: ["spend_cap_reached"],
});
