import { numberToHex } from "viem";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { deletionStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { discardAct, refuse, type SendingParts } from "./entries";
import { type AnonymousEntry, read, type WaitingDeletion } from "./store";

/** What is gone already, by whoever, needs no deletion. */
const GONE = ["post_not_found", "comment_not_found"];

/** Proves and sends a deletion, with the leaves that this device has. @throws what the outbox reports */
export async function sendDeletion(
  entry: AnonymousEntry,
  act: WaitingDeletion,
  master: Uint8Array,
  { nobody, proveUnlinked }: SendingParts,
): Promise<void> {
  const { topicId, postId, commentId } = act;
  const crowd = await read("crowds", entry.userId, topicId);
  if (!crowd) return await refuse(entry, "not_counted");
  const { root, leaves, termsKey } = crowd;
  const secret = await topicSecret(master, topicId);
  const statement = deletionStatement({ topicId, postId, commentId });
  const about = { topic: numberToHex(topicElement(topicId), { size: 32 }), bans: [] };
  const proven = await proveUnlinked(statement, about, { secret, root, leaves, slot: 0 });
  const membership = { root: root.number, ...proven };
  try {
    const key = termsKey ?? undefined;
    await nobody.call(contract.anonymous.delete, { postId, key, commentId, membership });
  } catch (error) {
    if (!(error instanceof ApiError && GONE.includes(error.code))) throw error;
  }
  await discardAct(entry);
}
