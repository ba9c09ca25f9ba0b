import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { isRefusal, Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { loadPost } from "../posts/load";
import { viewerOf } from "../viewer";
import { exampleCall } from "./record";
import { assertRecordable, recordStanding } from "./rules";

type Status = ResponseBody<typeof contract.records.status>;

/** GET /api/posts/{postId}/record-status: what POST record would say, and what it is going to cost us. */
export async function getRecordStatus(
  ctx: MemberContext,
  { postId }: HandlerInput<typeof contract.records.status>,
): Promise<Status> {
  const { caller, db } = ctx;
  const post = await loadPost(db, postId, caller.userId);
  assertAllowed(postAccess(post, viewerOf(caller, post)).read);
  const now = ctx.now();
  const standing = await recordStanding(db, { postId, userId: caller.userId, now });
  const cost = await costOf(ctx, post.id);
  let refused: Refusal | undefined;
  try {
    await assertRecordable(db, caller, { post, standing, now });
    if (!cost) throw new Refusal("record_unavailable");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refused = error;
  }
  return {
    allowed: refused === undefined,
    reason: refused?.message ?? null,
    code: refused?.code ?? null,
    leftToday: Math.max(0, LIMITS.record.perDay - standing.today),
    cost,
  };
}

/** Null when the chain cannot be asked, or the wallet could not pay. */
async function costOf({ recorder }: MemberContext, postId: string): Promise<Status["cost"]> {
  if (!recorder) return null;
  try {
    const { estimated, needed, gas, balance } = await recorder.sender.quote(exampleCall(recorder, postId));
    if (balance < gas * needed.fees.maxFeePerGas) return null;
    return {
      chainId: recorder.chain.id,
      gas: Number(estimated),
      wei: (estimated * needed.least).toString(),
      symbol: "ETH",
    };
  } catch {
    return null;
  }
}
