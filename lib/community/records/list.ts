import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, PostRecord } from "@/lib/contract";
import { contentHashOf, postIdHashOf } from "@/lib/proofs/records";
import { authorizePost } from "../posts/load";

/** Records that are shown of a post. */
const MAX_SHOWN = 100;

/**
 * GET /api/posts/{postId}/records: confirmed records, latest first, with everything that is needed to check them on the
 * chain without us. No record matches a deleted post, which no longer has its content.
 */
export const listRecords: Handler<typeof contract.records.list> = async (ctx, { postId }) => {
  const { caller, db } = ctx;
  const post = await authorizePost(db, postId, caller, "read");
  const hash = contentHashOf(post.content);
  const records = await confirmedRecords(db, post.id, hash);
  return {
    records,
    recordCount: post.record_count,
    // Records that are not shown are older, and of the same text: it cannot change after its first record.
    postEdited: records.some((record) => !record.contentHashMatch),
    userRecorded: post.recorded,
    board: boardOf(ctx, post.id),
  };
};

async function confirmedRecords(db: Db, postId: string, hash: string): Promise<PostRecord[]> {
  const rows = await db
    .selectFrom("records as r")
    .innerJoin("users as u", "u.id", "r.recorder_id")
    .select(["r.id", "r.tx_hash", "r.content_hash", "r.created_at", "r.block_number"])
    .select(["u.id as recorder_id", "u.nickname", "u.profile_image"])
    .where("r.post_id", "=", postId)
    .where("r.status", "=", "confirmed")
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(MAX_SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    recorderId: row.recorder_id,
    recorderNickname: row.nickname,
    recorderProfileImage: row.profile_image,
    txHash: row.tx_hash,
    contentHash: row.content_hash,
    contentHashMatch: row.content_hash === hash,
    createdAt: row.created_at.toISOString(),
    blockNumber: row.block_number,
  }));
}

function boardOf({ recorder }: Context, postId: string) {
  if (!recorder) return null;
  const { chain, board, sender } = recorder;
  return {
    chainId: chain.id,
    chainName: chain.name,
    address: board,
    rpcUrl: chain.publicRpcUrl,
    explorerUrl: chain.explorerUrl,
    sender: sender.wallet.address,
    postIdHash: postIdHashOf(postId),
  };
}
