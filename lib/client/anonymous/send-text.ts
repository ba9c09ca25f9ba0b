import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { Membership, Terms } from "@/lib/proofs/anonymous/membership";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { readStanding } from "./crowd";
import { change, DELAY_MS, discardAct, refuse, type SendingParts } from "./entries";
import { rememberThread } from "./own";
import { contentWithPictures, withPictures } from "./send-pictures";
import { type AnonymousEntry, type KnownCrowd, read, type WaitingText, write } from "./store";

/** A root counts this long after the next one. */
const ROOT_OVERLAP_MS = 10 * 60 * 1000;
/** Time for the proof and the request. */
const MARGIN_MS = 30 * 1000;
/** Terms that expire while a proof is made are read again; those of another device take slots meanwhile. */
const MAX_ATTEMPTS = 12;

/** Proves and sends a post or a comment. @throws what the outbox reports */
export async function sendText(
  entry: AnonymousEntry,
  act: WaitingText,
  master: Uint8Array,
  parts: SendingParts,
): Promise<void> {
  const { topicId } = act;
  const crowd = await read("crowds", entry.userId, topicId);
  if (!crowd) return await refuse(entry, "not_counted");
  const key = crowd.termsKey ?? undefined;
  const { terms } = await parts.nobody.call(contract.anonymous.terms, { topicId, key });
  if (!isCurrent(crowd, terms.root, parts.now())) return await fetchAgain(entry, parts);
  const ready = { crowd, terms, secret: await topicSecret(master, topicId) };
  if (act.kind === "comment") return await attempt(entry, act, ready, parts);
  const post = await withPictures(entry, act, ready, parts);
  await attempt(entry, { ...post, content: contentWithPictures(post, parts.sanitize) }, ready, parts);
}

/** Whether leaves still count: those of the latest root, or for a while those of the one before. */
function isCurrent(
  { root }: KnownCrowd,
  latest: { readonly number: number; readonly publishedAt: string } | null,
  now: number,
): boolean {
  if (!latest || root.number === latest.number) return true;
  const counts = now + MARGIN_MS < Date.parse(latest.publishedAt) + ROOT_OVERLAP_MS;
  return root.number === latest.number - 1 && counts;
}

/** Fetches the leaves of the latest root, which says who does: so the text waits for another moment. */
async function fetchAgain(entry: AnonymousEntry, { signed, now, random }: SendingParts): Promise<void> {
  const { own } = await readStanding(signed, entry.userId, entry.act.topicId);
  if (own !== "counted") return await refuse(entry, "not_counted");
  await change(entry, { dueAt: now() + (entry.isNow ? 0 : random() * DELAY_MS) });
}

interface Ready {
  readonly crowd: KnownCrowd;
  readonly terms: Terms;
  readonly secret: bigint;
}

/**
 * Proves and sends an act, with the next slot where another device has used it. A slot counts as used once its act has
 * arrived: sent again after a lost answer, the same act in the same slot is said once.
 * @throws what the outbox reports
 */
async function attempt(
  entry: AnonymousEntry,
  act: WaitingText,
  { crowd, terms, secret }: Ready,
  parts: SendingParts,
): Promise<void> {
  const { userId, tried } = entry;
  const { topicId } = act;
  const key = crowd.termsKey ?? undefined;
  // The new day has other slots, so the server could not tell that it is the same comment.
  if (tried && tried.epoch !== terms.epoch && act.kind === "comment") return await refuse(entry, "unsure");
  let latest = terms;
  const { epoch } = terms;
  const next = (await read("slots", userId, topicId, String(epoch))) ?? 0;
  let slot = tried?.epoch === epoch ? tried.slot : next;
  for (let attempts = 0; attempts < MAX_ATTEMPTS && slot < terms.limit; attempts++) {
    const membership = await parts.prove(act, latest, { ...crowd, secret, slot });
    await change(entry, { tried: { epoch, slot } });
    try {
      await say(act, membership, key, parts);
      await write("slots", Math.max(next, slot + 1), userId, topicId, String(epoch));
      await rememberThread(userId, { topicId, postId: act.postId, seen: act.kind === "post" ? 0 : null });
      return await discardAct(entry);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      // It arrived yesterday: nobody else knows the id.
      if (code === "id_taken" && tried) return await discardAct(entry);
      if (code === "slot_used") slot++;
      else if (code !== "terms_expired") throw error;
      else latest = (await parts.nobody.call(contract.anonymous.terms, { topicId, key })).terms;
      // Midnight: the new day's slots are others.
      if (latest.epoch !== epoch) return await change(entry, { tried, dueAt: parts.now() });
    }
  }
  await refuse(entry, "no_slots");
}

/** Sends an act. */
async function say(
  act: WaitingText,
  membership: Membership,
  key: string | undefined,
  { nobody }: Pick<SendingParts, "nobody">,
): Promise<void> {
  if (act.kind === "post") {
    const { topicId, postId: id, title, content, tags } = act;
    await nobody.call(contract.anonymous.post, { topicId, key, id, title, content, tags, membership });
  } else {
    const { postId, parentId, content } = act;
    await nobody.call(contract.anonymous.comment, { postId, key, parentId, content, membership });
  }
}
