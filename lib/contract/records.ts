import { z } from "zod";
import { dateTime, hexString, uuid } from "./common";
import { operation } from "./operation";

const params = z.object({ postId: uuid });
const shared = { tag: "records", nickname: false, params } as const;

const read = { ...shared, access: "post-content", limit: { points: 300, seconds: 60 } } as const;

const postRecord = z.object({
  id: uuid,
  /** Author id of the recorder, as on their posts. */
  recorderId: z.string(),
  recorderNickname: z.string().nullable(),
  recorderProfileImage: z.string().nullable(),
  txHash: z.string().nullable(),
  /** keccak256 of the UTF-8 bytes of the post's `content` when it was recorded. */
  contentHash: z.string(),
  /** Whether the recorded hash equals the hash of the current content. */
  contentHashMatch: z.boolean(),
  createdAt: dateTime,
  blockNumber: z.int().nullable(),
});
export type PostRecord = z.infer<typeof postRecord>;

/** What a reader needs to check a record on-chain without asking us. */
const recordBoard = z.object({
  chainId: z.int(),
  chainName: z.string(),
  /** Contract whose `Recorded` events are the records. */
  address: hexString,
  /** RPC endpoint for browsers; any other endpoint of the chain returns the same. */
  rpcUrl: z.string(),
  explorerUrl: z.string().nullable(),
  /** The account whose records are ours. */
  sender: hexString,
  /** keccak256 of the UTF-8 bytes of the post's id, lower case: the first word of the event. */
  postIdHash: hexString,
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
      /** Null where the installation has no record board. */
      board: recordBoard.nullable(),
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
      /** A sentence for people. */
      reason: z.string().nullable(),
      /** Stable code of the reason: a record_… code, or why the caller may not write here. */
      code: z.string().nullable(),
      /** Records the caller has left today (UTC). */
      leftToday: z.int(),
      /** Cost that the service's wallet pays; the caller pays nothing. Null when the chain cannot be reached. */
      cost: z
        .object({
          chainId: z.int(),
          gas: z.int(),
          /** Decimal. */
          wei: z.string(),
          symbol: z.string(),
        })
        .nullable(),
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
        status: z.enum(["confirmed", "pending"]),
        txHash: z.string().nullable(),
      }),
    }),
  },
  errors: ["record_too_new", "record_already", "record_limit", "record_unavailable"],
});
