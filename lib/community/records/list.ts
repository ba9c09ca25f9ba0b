import type { Db } from "@/db/schema";
import type { Context } from "@/lib/context";
import type { contract, HandlerInput, PostRecord, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { contentHashOf, postIdHashOf } from "@/lib/proofs/records";
import { loadPost } from "../posts/load";
import { viewerOf } from "../viewer";

/** Records shown of a post. */
const most = 100;

/**
 * GET /api/posts/{postId}/records: confirmed ones, latest first, with what anybody needs to check them on the chain
 * without us. A deleted post has no content any more, so that no record matches it.
 */
export async function listRecords(
  ctx: Context,
  { postId }: HandlerInput<typeof contract.records.list>,
): Promise<ResponseBody<typeof contract.records.list>> {
  const { caller, db } = ctx;
  const post = await loadPost(db, postId, caller?.userId ?? null);
  assertAllowed(postAccess(post, viewerOf(caller, post)).read);
  const hash = contentHashOf(post.content);
  const records = await confirmedRecords(db, post.id, hash);
  return {
    records,
    recordCount: post.record_count,
    // Whatever is not shown was recorded before those that are, and of a text that could not change since.
    postEdited: records.some((record) => !record.contentHashMatch),
    userRecorded: post.recorded,
    board: boardOf(ctx, post.id),
  };
}

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
    .limit(most)
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
