import { z } from "zod";
import { dateTime, fieldElement, nextCursor, pageFields, uuid } from "./common";
import { operation } from "./operation";
import { termsAt, unlinked } from "./unlinked";

const params = z.object({ topicId: uuid });

export const root = z
  .object({
    number: z.int(),
    root: z.string().describe("Root of the Merkle tree of all leaves, depth 20, as a field element."),
    size: z.int().describe("Members in the crowd."),
    publishedAt: dateTime,
    hash: z.string().describe("SHA-256 over the hash of the one before and this one: docs/anonymous.md."),
  })
  .meta({ id: "CrowdRoot" });
export type CrowdRoot = z.infer<typeof root>;

const crowd = z
  .object({
    latest: root.nullable().describe("The latest root; null before the first."),
    minimum: z.int().describe("Members that it needs before anyone can speak from it."),
    nextAt: dateTime.describe("When the next one is published, if anything changes until then."),
    termsKey: z
      .string()
      .nullable()
      .describe(
        "For anonymous acts, which carry no session: the same for all members; null where everyone reads the topic.",
      ),
    own: z
      .object({
        leaf: z.string(),
        enrolledAt: dateTime,
        countsFrom: dateTime.describe("No root has it before this."),
        isCounted: z.boolean().describe("Whether the latest root has it."),
      })
      .nullable()
      .describe("The caller's own leaf; null for everyone who has none."),
  })
  .meta({ id: "Crowd" });
export type Crowd = z.infer<typeof crowd>;

const read = {
  tag: "crowds",
  method: "GET",
  auth: "optional",
  nickname: false,
  access: "topic-content",
  limit: { points: 300, seconds: 60 },
} as const;
const write = {
  tag: "crowds",
  path: "/api/topics/{topicId}/crowd",
  auth: "required",
  guestsSee: false,
  limit: { points: 30, seconds: 3600 },
  params,
} as const;

export const getCrowd = operation({
  id: "crowd.get",
  path: "/api/topics/{topicId}/crowd",
  summary: "The crowd of a topic: who may speak in it without a name, as a number and a root",
  ...read,
  params,
  responses: { 200: z.object({ crowd }) },
});

export const enrol = operation({
  id: "crowd.enrol",
  method: "PUT",
  summary: "Enrol a leaf in the crowd of a topic, or replace the one enrolled before",
  description:
    "The leaf is made of a secret that never leaves the member's device. It counts from the next root on. One that replaces a leaf counts 30 days later, unless no root had that one yet: otherwise a new secret would shed a ban. A week after the former leaf went, the same request with `former` lets it count at once: a proof with the former secret that no ban meets it (docs/anonymous.md).",
  ...write,
  nickname: true,
  access: "topic-member",
  body: z.object({
    leaf: fieldElement.refine((hex) => BigInt(hex) !== 0n, {
      error: "must not be zero, which is an empty place",
    }),
    former: unlinked
      .extend({
        at: termsAt,
      })
      .optional()
      .describe(
        "A proof of the former leaf's secret, about a tree with that leaf alone; the new leaf then counts a week after the former one went.",
      ),
  }),
  maxBytes: 40_000,
  responses: { 200: z.object({ crowd }) },
  errors: ["leaf_taken", "no_former_leaf", "former_leaf_recent", "terms_expired", "membership_invalid"],
});

export const withdraw = operation({
  id: "crowd.withdraw",
  method: "DELETE",
  summary: "Take one's leaf out of the crowd; the same answer whether there was one",
  description: "Leaving the topic, a removal and a ban take it out as well, and so does a proof that lapses.",
  ...write,
  nickname: false,
  access: "topic-leaver",
  responses: { 200: z.object({ success: z.literal(true) }) },
});

export const listRoots = operation({
  id: "crowd.roots",
  path: "/api/topics/{topicId}/crowd/roots",
  summary: "Every root published of a crowd, newest first",
  ...read,
  params,
  query: z.object(pageFields(50, 500)),
  responses: { 200: z.object({ roots: z.array(root), nextCursor }) },
});

export const getLeaves = operation({
  id: "crowd.leaves",
  path: "/api/topics/{topicId}/crowd/roots/{number}/leaves",
  summary: "All leaves of a root, 32 bytes each, by place; an empty place is zero",
  description:
    "They never change. Fetch them when you open the topic, not when you write: asking for one's own place, or asking at that moment, would say who writes.",
  ...read,
  limit: { points: 60, seconds: 60 },
  params: params.extend({
    number: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, "must be a whole number of at least 1")
      .transform(Number)
      .meta({ openapi: { type: "integer", minimum: 1 } }),
  }),
  binary: "application/octet-stream",
  responses: {},
  errors: ["root_not_found"],
});
