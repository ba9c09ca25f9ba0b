import { z } from "zod";
import { createClient } from "@/lib/client";
import { type FetchedBox, fetchBox } from "@/lib/client/anonymous/box";
import { listedRoots } from "@/lib/client/anonymous/roots";
import { contract } from "@/lib/contract";
import { parseJson } from "@/lib/json";
import { type BoxFault, faultOfBox } from "@/lib/proofs/anonymous/box";
import type { MembershipVerifier } from "@/lib/proofs/anonymous/verifier";

const { ballots } = contract.anonymous.ballots.responses[200].shape;
const { roots } = contract.crowd.roots.responses[200].shape;

const boxSchema = z.object({
  box: z.object({
    topicId: z.uuid(),
    pollId: z.uuid(),
    multipleChoice: z.boolean(),
    options: z.array(z.object({ id: z.uuid(), text: z.string(), voteCount: z.int() })),
    root: z.int(),
    ballots,
  }),
  roots,
});
export type SavedBox = z.infer<typeof boxSchema>;

/** Reads a saved ballot box; null when the text is none. */
export function readBox(text: string): SavedBox | null {
  return boxSchema.safeParse(parseJson(text)).data ?? null;
}

/** Fetches the ballot box of a post's poll, by the post's address; null where there is none. @throws ApiError */
export async function fetchSavedBox(address: string, send?: typeof fetch): Promise<SavedBox | null> {
  const { origin, pathname } = new URL(address);
  const client = createClient({ baseUrl: origin, fetch: send });
  const fetched: FetchedBox | null = await fetchBox(client, pathname.split("/").at(-1) ?? "");
  return fetched && boxSchema.parse(fetched);
}

/** Counts a ballot box again without a network. @throws what the verifier throws */
export async function recount(
  { box, roots: list }: SavedBox,
  verifier: Pick<MembershipVerifier, "verify">,
): Promise<BoxFault | null> {
  return await faultOfBox(box, listedRoots(box.topicId, list), { verifier });
}
