import type { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { CrowdRoot } from "@/lib/contract/crowd";
import type { PublishedRoot } from "@/lib/proofs/anonymous/roots";

/** Fetches all roots of a topic's crowd, newest first. @throws ApiError */
export async function fetchRoots(
  { call }: Pick<ReturnType<typeof createClient>, "call">,
  topicId: string,
): Promise<CrowdRoot[]> {
  const roots: CrowdRoot[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await call(contract.crowd.roots, { topicId, limit: 500, cursor });
    roots.push(...page.roots);
    if (page.nextCursor === null) return roots;
    cursor = page.nextCursor;
  }
}

/** Returns roots as checks take them. */
export function listedRoots(topicId: string, roots: readonly CrowdRoot[]) {
  return roots.map(({ publishedAt, ...root }): PublishedRoot & { readonly hash: string } => ({
    ...root,
    topicId,
    publishedAt: new Date(publishedAt),
  }));
}
