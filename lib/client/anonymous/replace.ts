import { hexToBytes, numberToHex } from "viem";
import { contract } from "@/lib/contract";
import { replacementStatement, topicElement } from "@/lib/proofs/anonymous/act";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { enrol, leafFor, type Standing } from "./crowd";
import type { SendingParts } from "./entries";
import { readFormer } from "./secret";

/** Bans for what the former secret said last can come for so long. */
const GONE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Puts a replaced secret's successor in its place in a topic's crowd; and a week later proves with the former one that no ban
 * meets it, so that the new one need not wait for a month. Does nothing for who replaced none.
 * @throws ApiError; what `proveUnlinked` throws, BannedError among them: then the new one waits
 */
export async function replaceDue(
  userId: string,
  topicId: string,
  standing: Standing,
  parts: SendingParts,
): Promise<Standing> {
  const former = await readFormer(userId);
  const { own } = standing.crowd;
  if (!former || !own) return standing;
  const formerLeaf = await leafFor(former, topicId);
  if (own.leaf === formerLeaf) return await enrol(parts.signed, userId, topicId);
  const isDue =
    standing.own === "waiting" &&
    Date.parse(own.countsFrom) > parts.now() &&
    Date.parse(own.enrolledAt) + GONE_MS <= parts.now();
  if (!isDue) return standing;
  const key = standing.crowd.termsKey ?? undefined;
  const { terms } = await parts.nobody.call(contract.anonymous.terms, { topicId, key });
  const tree = await CrowdTree.of([BigInt(formerLeaf)]);
  const acting = {
    ...{ secret: await topicSecret(former, topicId), slot: 0, leaves: hexToBytes(formerLeaf) },
    root: { number: 0, root: numberToHex(tree.root, { size: 32 }) },
  };
  const statement = replacementStatement({ topicId, leaf: own.leaf });
  const about = { topic: numberToHex(topicElement(topicId), { size: 32 }), bans: terms.bans };
  const proven = { at: terms.at, ...(await parts.proveUnlinked(statement, about, acting)) };
  const body = { topicId, leaf: own.leaf, former: proven };
  const { crowd } = await parts.signed.api.call(contract.crowd.enrol, body);
  return { crowd, own: crowd.own?.isCounted ? "counted" : "waiting" };
}
