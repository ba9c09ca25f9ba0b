import { LIMITS } from "./limits";

/** Errors of tokens for automation, and of webhooks. */
export const automationErrors = {
  scope_missing: {
    status: 403,
    message: "This token may not do this.",
    meaning:
      "The token for automation has no scope for the operation, which `operation` names, or none for this topic; or the operation takes a session.",
  },
  too_many_tokens: {
    status: 409,
    message: `You have ${LIMITS.automation.tokens} active tokens. Revoke one first.`,
  },
  token_not_found: {
    status: 404,
    message: "You have no such token.",
    meaning: "The caller has no token for automation with this id.",
  },
  too_many_webhooks: {
    status: 409,
    message: `This topic has ${LIMITS.webhooks.most} webhooks. Delete one first.`,
  },
  webhook_not_found: { status: 404, message: "This topic has no such webhook." },
  spend_cap_reached: {
    status: 403,
    message: "This token may not spend that much.",
    meaning: "The amount exceeds what is left of the token's spend cap, which `remaining` says.",
  },
} as const;
