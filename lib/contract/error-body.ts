import { z } from "zod";
import { errorCodes } from "./errors";

/** Body of every error response. */
export const errorBodySchema = z.object({
  error: z.string().describe("A sentence for people."),
  code: z.enum(errorCodes).describe("Stable: act on it. docs/api.md says what each means."),
  requestId: z.string().describe("Quote it when asking for help; the header x-request-id has it too."),
  field: z.string().optional().describe("The field that broke a rule, as a path like `poll.options.0`."),
  proofRequirement: z
    .unknown()
    .optional()
    .meta({ openapi: { $ref: "#/components/schemas/ProofRequirement" } })
    .describe(
      "With code proof_required. Clients read it themselves (proof-requirement.ts), so that a new kind of proof breaks no other error.",
    ),
  reason: z.string().optional().describe("With code suspended or silenced: why."),
  appeal: z
    .string()
    .optional()
    .describe("With code suspended: whom to write to; absent where the installation names nobody."),
  until: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe(
      "With code muted, banned, silenced or suspended: when it ends; null if it lasts until it is lifted. With new_account_limit: when the account is old enough; null if it is. With slow_mode: when the caller may write again.",
    ),
  limit: z
    .object({
      kind: z.enum(["links", "images", "mentions", "topics"]).describe("What is limited."),
      max: z.int().describe("How many are allowed."),
    })
    .optional()
    .describe("With code new_account_limit: what is limited, and to how many."),
  acceptedMissing: z
    .int()
    .optional()
    .describe(
      "With code new_account_limit or links_too_early: accepted posts and comments that are missing.",
    ),
  earlier: z
    .object({ postId: z.uuid().nullable(), commentId: z.uuid().nullable() })
    .optional()
    .describe(
      "With code duplicate_text: the earlier post, or a comment under it; null once that cannot be named.",
    ),
  operation: z.string().optional().describe("With code scope_missing: the operation that was called."),
  remaining: z
    .int()
    .optional()
    .describe("With code spend_cap_reached: what the token may still spend, in millionths of a USD."),
  topics: z
    .array(z.object({ id: z.uuid(), title: z.string() }))
    .optional()
    .describe("With code owns_topics: the topics to hand over or delete first."),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
