import { numberToHex } from "viem";
import { api } from "@/components/api";
import { reader } from "@/components/offline/state";
import { fetchBox } from "@/lib/client/anonymous/box";
import { listedRoots } from "@/lib/client/anonymous/roots";
import { readSecret } from "@/lib/client/anonymous/secret";
import { read } from "@/lib/client/anonymous/store";
import { ballotScope } from "@/lib/proofs/anonymous/act";
import { type BallotBox, type BoxFault, faultOfBox } from "@/lib/proofs/anonymous/box";
import { scopeNullifier } from "@/lib/proofs/anonymous/hash";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { workerVerifier } from "./engine";

type Counted =
  | { readonly is: "good"; readonly ballots: number }
  | { readonly is: "bad"; readonly fault: BoxFault };

/**
 * Counts the ballot box of a post's poll again in this browser, and looks for the reader's own ballot in it.
 * @param onProgress told how many ballots of how many are checked
 * @throws ApiError; Error when it could not be counted here
 */
export async function recountBox(
  postId: string,
  onProgress: (done: number, of: number) => void,
): Promise<Counted> {
  const fetched = await fetchBox(api, postId);
  if (!fetched) throw new Error("this poll has no ballot box");
  const { box, roots } = fetched;
  const fault = await faultOfBox(box, listedRoots(box.topicId, roots), {
    verifier: workerVerifier,
    own: await ownBallot(box),
    onChecked: (count) => onProgress(count, box.ballots.length),
  });
  return fault ? { is: "bad", fault } : { is: "good", ballots: box.ballots.length };
}

/** Returns the ballot that this device cast; null for none, and where the browser keeps nothing. */
async function ownBallot({ topicId, pollId }: BallotBox) {
  const userId = reader();
  if (!userId) return null;
  const [cast, master] = await Promise.all([read("ballots", userId, pollId), readSecret(userId)]).catch(
    () => [null, null] as const,
  );
  if (!cast || !master) return null;
  const secret = await topicSecret(master, topicId);
  const number = numberToHex(scopeNullifier(secret, ballotScope(pollId)), { size: 32 });
  return { scopeNullifier: number, optionIds: cast.optionIds };
}
