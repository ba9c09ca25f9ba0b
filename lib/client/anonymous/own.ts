import { ownPseudonym } from "@/lib/proofs/anonymous/pseudonym";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { readSecret } from "./secret";
import { type OwnThread, read, write } from "./store";

/**
 * What a device knows of its reader's own anonymous texts. It looks at what the reader opens as usual, and asks for nothing:
 * no subscription and no notification could name them.
 */

/** Returns by what the reader is known in a thread; null without a secret here. */
export async function pseudonymHere(
  userId: string,
  { topicId, postId }: Pick<OwnThread, "topicId" | "postId">,
): Promise<string | null> {
  const master = await readSecret(userId);
  return master && ownPseudonym(await topicSecret(master, topicId), postId);
}

/** Remembers a thread in which the reader said something. @param seen comments that they have looked at; null for unknown */
export async function rememberThread(userId: string, { topicId, postId, seen }: OwnThread): Promise<void> {
  const known = await read("threads", userId, postId);
  const latest = seen ?? known?.seen ?? null;
  if (known && known.seen === latest) return;
  await write("threads", { topicId, postId, seen: latest }, userId, postId);
}

/** Returns how many comments of each post came since the reader last looked, where they said something without a name. */
export async function newInThreads(
  userId: string,
  posts: readonly { readonly id: string; readonly commentCount: number }[],
): Promise<{ readonly id: string; readonly count: number }[]> {
  const all = await Promise.all(
    posts.map(async ({ id, commentCount }) => {
      const seen = (await read("threads", userId, id))?.seen ?? null;
      return { id, count: seen === null ? 0 : commentCount - seen };
    }),
  );
  return all.filter(({ count }) => count > 0);
}
