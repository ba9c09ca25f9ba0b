import { z } from "zod";
import { dateTime, hexString, uuid } from "./common";
import { operation } from "./operation";

const params = z.object({ postId: uuid });
const shared = { tag: "records", nickname: false, params } as const;

const read = { ...shared, access: "post-content", limit: { points: 300, seconds: 60 } } as const;

const postRecord = z.object({
  id: uuid,
  recorderId: z.string().describe("Author id of the recorder, as on their posts."),
  recorderNickname: z.string().nullable(),
  recorderProfileImage: z.string().nullable(),
  txHash: z.string().nullable(),
  contentHash: z
    .string()
    .describe("keccak256 of the UTF-8 bytes of the post's `content` when it was recorded."),
  contentHashMatch: z.boolean().describe("Whether the recorded hash equals the hash of the current content."),
  createdAt: dateTime,
  blockNumber: z.int().nullable(),
});
export type PostRecord = z.infer<typeof postRecord>;

/** What a reader needs to check a record on-chain without asking us. */
const recordBoard = z.object({
  chainId: z.int(),
  chainName: z.string(),
  address: hexString.describe("Contract whose `Recorded` events are the records."),
  rpcUrl: z.string().describe("RPC endpoint for browsers; any other endpoint of the chain returns the same."),
  explorerUrl: z.string().nullable(),
  sender: hexString.describe("The account whose records are ours."),
  postIdHash: hexString.describe(
    "keccak256 of the UTF-8 bytes of the post's id, lower case: the first word of the event.",
  ),
});

export const listRecords = operation({
  id: "records.list",
  method: "GET",
  path: "/api/posts/{postId}/records",
  summary: "On-chain records of a post that are confirmed, latest first",
  ...read,
  auth: "optional",
  responses: {
    200: z.object({
      records: z.array(postRecord).max(100),
      recordCount: z.int(),
      postEdited: z.boolean(),
      userRecorded: z.boolean(),
      board: recordBoard.nullable().describe("Null where the installation has no record board."),
    }),
  },
});

export const recordStatus = operation({
  id: "records.status",
  method: "GET",
  path: "/api/posts/{postId}/record-status",
  summary: "Whether the caller may record the post, and why not",
  ...read,
  auth: "required",
  responses: {
    200: z.object({
      allowed: z.boolean(),
      reason: z.string().nullable().describe("A sentence for people."),
      code: z
        .string()
        .nullable()
        .describe("Stable code of the reason: a record_… code, or why the caller may not write here."),
      leftToday: z.int().describe("Records the caller has left today (UTC)."),
      cost: z
        .object({
          chainId: z.int(),
          gas: z.int(),
          wei: z.string().describe("What recording costs at today's gas price, in wei, decimal."),
          symbol: z.string(),
        })
        .nullable()
        .describe(
          "Cost that the service's wallet pays; the caller pays nothing. Null when the chain cannot be reached.",
        ),
    }),
  },
});

export const recordPost = operation({
  id: "records.record",
  method: "POST",
  path: "/api/posts/{postId}/record",
  summary: "Record the hash of the post's content on-chain, through the service's wallet",
  description:
    "Not one's own post, not before it is an hour old, once per person and post, three a day (UTC). The post cannot be edited from then on. Answers once the transaction is confirmed, or after 30 seconds with status pending: then it will be, and GET records shows it.",
  ...shared,
  nickname: true,
  auth: "required",
  access: "post-recorder",
  limit: { points: 20, seconds: 60 },
  responses: {
    200: z.object({
      success: z.boolean(),
      record: z.object({
        id: uuid,
        contentHash: z.string(),
        recordCount: z.int(),
        status: z.enum(["confirmed", "pending"]).describe("Whether the transaction is final on the chain."),
        txHash: z.string().nullable(),
      }),
    }),
  },
  errors: ["record_too_new", "record_already", "record_limit", "record_unavailable"],
});
