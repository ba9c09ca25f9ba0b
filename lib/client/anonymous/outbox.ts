import { ApiError, type createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { type Acting, BannedError, type Membership, type Terms } from "@/lib/proofs/anonymous/membership";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { NotInCrowdError } from "@/lib/proofs/anonymous/statement";
import { readStanding, type Signed } from "./crowd";
import { readSecret } from "./secret";
import { type AnonymousEntry, type KnownCrowd, read, readAll, type WaitingAct, write } from "./store";

/** What was written without a name waits here for a moment that says nothing, and is proven and sent then. */

/** Anonymous texts arrive at a random moment of this time after they were written. Milliseconds. */
export const DELAY_MS = 10 * 60 * 1000;
/** A root counts this long after the next one. */
const ROOT_OVERLAP_MS = 10 * 60 * 1000;
/** Time for the proof and the request. */
const MARGIN_MS = 30 * 1000;
/** Between two attempts when the server or the network does not answer. */
const RETRY_MS = 30 * 1000;
/** Terms that expire while a proof is made are read again; those of another device take slots meanwhile. */
const MAX_ATTEMPTS = 12;

/** What the outbox works with. */
export interface SendingParts {
  /** As the member: for the leaves alone, which every member fetches. */
  readonly signed: Signed;
  /** As nobody. */
  readonly nobody: Pick<ReturnType<typeof createClient>, "call">;
  /** Makes a proof, off the page's thread. @throws what `membershipOf` throws */
  readonly prove: (act: WaitingAct, terms: Terms, acting: Acting) => Promise<Membership>;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Why a text stays on this device, beside the codes of the API. */
export const ownCodes = ["anonymous_banned", "not_counted", "no_slots", "unsure"] as const;
export type OwnCode = (typeof ownCodes)[number];

/** Returns a number from 0 up to 1 that nobody can guess. */
export function unguessable(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/**
 * Keeps an act until its moment.
 * @param isNow whether to send it at once, which tells whoever watches when it was written
 */
export async function queueAct(
  userId: string,
  act: WaitingAct,
  isNow: boolean,
  { now, random }: Pick<SendingParts, "now" | "random">,
): Promise<AnonymousEntry> {
  const entry: AnonymousEntry = {
    ...{ id: crypto.randomUUID(), userId, act, isNow },
    ...{ dueAt: now() + (isNow ? 0 : random() * DELAY_MS) },
    ...{ tried: null, state: "waiting", code: null, problem: null },
  };
  await put(entry);
  return entry;
}

const put = (entry: AnonymousEntry) => write("entries", entry, entry.userId, entry.id);

/** Returns what waits, or was refused, in the order of its moments. */
export async function waitingActs(userId: string): Promise<AnonymousEntry[]> {
  return (await readAll("entries", userId)).toSorted((a, b) => a.dueAt - b.dueAt);
}

/** Deletes an entry. */
export async function discardAct({ userId, id }: AnonymousEntry): Promise<void> {
  await write("entries", null, userId, id);
}

/** Lets an entry go at once, also one that was refused. */
export async function hurryAct(entry: AnonymousEntry, { now }: Pick<SendingParts, "now">): Promise<void> {
  const tried = entry.code === "unsure" ? null : entry.tried;
  await put({ ...entry, isNow: true, dueAt: now(), tried, state: "waiting", code: null, problem: null });
}

/**
 * Gives entries whose moment passed while no page was open another one: sent with the page, they would say who opened it.
 */
export async function rearm(
  userId: string,
  { now, random }: Pick<SendingParts, "now" | "random">,
): Promise<void> {
  for (const entry of await waitingActs(userId)) {
    const isLate = entry.state === "waiting" && !entry.isNow && entry.dueAt < now();
    if (isLate) await put({ ...entry, dueAt: now() + random() * DELAY_MS });
  }
}

/**
 * Sends what is due, one after the other, in one tab at a time.
 * @returns when the next one is due, in Unix milliseconds; null where nothing waits
 */
export async function sendDue(userId: string, parts: SendingParts): Promise<number | null> {
  const work = async () => {
    for (const entry of await waitingActs(userId)) {
      if (entry.state === "waiting" && entry.dueAt <= parts.now()) await sendOne(entry, parts);
    }
    const next = (await waitingActs(userId)).find(({ state }) => state === "waiting");
    return next?.dueAt ?? null;
  };
  return await navigator.locks.request("parley-anonymous", work);
}

/** Changes an entry; one that was discarded meanwhile stays discarded. */
async function change({ userId, id }: AnonymousEntry, patch: Partial<AnonymousEntry>): Promise<void> {
  const current = await read("entries", userId, id);
  if (current) await put({ ...current, ...patch });
}

const refuse = (entry: AnonymousEntry, code: string, problem: string | null = null) =>
  change(entry, { state: "refused", code, problem });

async function sendOne(entry: AnonymousEntry, parts: SendingParts): Promise<void> {
  const { userId, act } = entry;
  const again = () => change(entry, { dueAt: parts.now() + RETRY_MS });
  try {
    const crowd = await read("crowds", userId, act.topicId);
    const master = await readSecret(userId);
    if (!crowd || !master) return await refuse(entry, "not_counted");
    const { terms } = await parts.nobody.call(contract.anonymous.terms, {
      topicId: act.topicId,
      key: crowd.termsKey ?? undefined,
    });
    if (!isCurrent(crowd, terms.root, parts.now())) return await fetchAgain(entry, parts);
    const secret = await topicSecret(master, act.topicId);
    await attempt(entry, { crowd, terms, secret }, parts);
  } catch (error) {
    if (error instanceof BannedError) return await refuse(entry, "anonymous_banned");
    if (error instanceof NotInCrowdError) return await refuse(entry, "not_counted");
    if (error instanceof ApiError && error.status !== 0) {
      if (error.status >= 500 || error.status === 429) return await again();
      return await refuse(entry, error.code, error.message);
    }
    // Without an answer, and when a proof could not be made: its reason is not the text's.
    await again();
  }
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
  { crowd, terms, secret }: Ready,
  parts: SendingParts,
): Promise<void> {
  const { userId, act, tried } = entry;
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
      const id = await say(act, membership, key, parts);
      await write("slots", Math.max(next, slot + 1), userId, topicId, String(epoch));
      await write("own", true, userId, id);
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

/** Sends an act. @returns the id of what was written */
async function say(
  act: WaitingAct,
  membership: Membership,
  key: string | undefined,
  { nobody }: Pick<SendingParts, "nobody">,
): Promise<string> {
  if (act.kind === "post") {
    const { topicId, postId: id, title, content, tags } = act;
    await nobody.call(contract.anonymous.post, { topicId, key, id, title, content, tags, membership });
    return id;
  }
  const { postId, parentId, content } = act;
  const { commentId } = await nobody.call(contract.anonymous.comment, {
    ...{ postId, key, parentId, content, membership },
  });
  return commentId;
}
