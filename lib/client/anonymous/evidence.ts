import { z } from "zod";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { parseJson } from "@/lib/json";
import type { AnonymousAct } from "@/lib/proofs/anonymous/act";
import { type Fault, faultOf } from "@/lib/proofs/anonymous/evidence";
import type { MembershipVerifier } from "@/lib/proofs/anonymous/verifier";
import { fetchRoots, listedRoots } from "./roots";

/** What is needed to check one text: the answers of two operations. */
const bundleSchema = z.object({
  evidence: contract.anonymous.evidence.responses[200].shape.evidence,
  /** All of the topic, from the first on. */
  roots: contract.crowd.roots.responses[200].shape.roots,
});
export type Bundle = z.infer<typeof bundleSchema>;

/** A text that is no bundle, an address that is none of a post, or words that nobody can read any more. */
export class NothingToVerify extends Error {
  override name = "NothingToVerify";
}

/** What a check found. */
export interface Checked {
  readonly fault: Fault | null;
  /** Members of the crowd. */
  readonly crowd: number;
  readonly act: AnonymousAct;
}

/** Reads a saved bundle. @throws NothingToVerify */
export function readBundle(text: string): Bundle {
  const parsed = bundleSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new NothingToVerify("this is no evidence that --save wrote");
  return parsed.data;
}

/**
 * Fetches what is published with a post, or with a comment.
 * @param address of its page, as a link to it has it
 * @throws NothingToVerify, ApiError
 */
export async function fetchBundle(address: string, send?: typeof fetch): Promise<Bundle> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const postId = /^\/posts\/([0-9a-f-]{36})$/i.exec(url?.pathname ?? "")?.[1];
  if (!url || !postId) throw new NothingToVerify("this is not the address of a post");
  const client = createClient({ baseUrl: url.origin, fetch: send });
  const comment = url.searchParams.get("comment") ?? undefined;
  const { evidence } = await client.call(contract.anonymous.evidence, { postId, comment });
  if (!evidence.act) throw new NothingToVerify("it was hidden or deleted: there are no words to check");
  const { topicId } = evidence.act;
  return { evidence, roots: await fetchRoots(client, topicId) };
}

/** Checks a bundle without a network. @throws NothingToVerify; what the verifier throws */
export async function checkBundle(
  { evidence, roots }: Bundle,
  verifier: Pick<MembershipVerifier, "verify">,
): Promise<Checked> {
  if (!evidence.act) throw new NothingToVerify("it was hidden or deleted: there are no words to check");
  const { kind, topicId, postId, parentId, title, content, tags } = evidence.act;
  const act: AnonymousAct =
    kind === "post"
      ? { kind, topicId, postId, title: title ?? "", content, tags: tags ?? [] }
      : { kind, topicId, postId, parentId, content };
  const listed = listedRoots(topicId, roots);
  const fault = await faultOf({ ...evidence, act }, listed, LIMITS.anonymous.perDay, verifier);
  return { fault, act, crowd: roots.find(({ number }) => number === evidence.root)?.size ?? 0 };
}
