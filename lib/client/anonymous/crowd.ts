import { hexToBytes, numberToHex } from "viem";
import { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import type { Crowd } from "@/lib/contract/crowd";
import { topicElement } from "@/lib/proofs/anonymous/act";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { topicSecret } from "@/lib/proofs/anonymous/secret";
import { fetchRoots } from "./roots";
import { ensureSecret, readSecret } from "./secret";
import { type KnownCrowd, read, write } from "./store";

/** Calls the API, and fetches bytes, as its user; tests replace it. */
export interface Signed {
  readonly api: Pick<ReturnType<typeof createClient>, "call">;
  readonly fetch: typeof fetch;
}

/** How a member stands to the crowd of a topic. */
export interface Standing {
  readonly crowd: Crowd;
  /**
   * - `none`: has no leaf in it
   * - `elsewhere`: has one, of a secret that is not on this device
   * - `waiting`: counts from a later root on
   * - `counted`: may speak
   */
  readonly own: "none" | "elsewhere" | "waiting" | "counted";
}

async function leafHere(userId: string, topicId: string): Promise<`0x${string}` | null> {
  const master = await readSecret(userId);
  return master && (await leafFor(master, topicId));
}

/** Returns the leaf of a master secret in a topic. */
export async function leafFor(master: Uint8Array, topicId: string): Promise<`0x${string}`> {
  const secret = await topicSecret(master, topicId);
  return numberToHex(leafOf(secret, topicElement(topicId)), { size: 32 });
}

/**
 * Reads how a member stands to a crowd, and fetches its leaves where they changed: every member does so when they open the
 * topic, so that it says nothing about who is going to write.
 */
export async function readStanding(signed: Signed, userId: string, topicId: string): Promise<Standing> {
  const { crowd } = await signed.api.call(contract.crowd.get, { topicId });
  const standing = { crowd, own: await ownOf(crowd, userId, topicId) };
  if (standing.own === "waiting" || standing.own === "counted")
    await keepLeaves(signed, userId, topicId, crowd);
  return standing;
}

async function ownOf({ own }: Crowd, userId: string, topicId: string): Promise<Standing["own"]> {
  if (!own) return "none";
  if (own.leaf !== (await leafHere(userId, topicId))) return "elsewhere";
  return own.isCounted ? "counted" : "waiting";
}

/** Enrols this device's secret, a new one where there is none, in the crowd of a topic. @throws ApiError */
export async function enrol(signed: Signed, userId: string, topicId: string): Promise<Standing> {
  const leaf = await leafFor(await ensureSecret(userId), topicId);
  const { crowd } = await signed.api.call(contract.crowd.enrol, { topicId, leaf });
  await keepLeaves(signed, userId, topicId, crowd);
  return { crowd, own: crowd.own?.isCounted ? "counted" : "waiting" };
}

/**
 * Returns the crowd that votes in a poll, with its leaves, and whether this device's secret is in it; null without a secret.
 * Every member of a crowd fetches it when they open the poll.
 */
export async function readElectorate(
  signed: Signed,
  userId: string,
  { topicId, root: number }: { readonly topicId: string; readonly root: number },
): Promise<{ readonly crowd: KnownCrowd; readonly isIn: boolean } | null> {
  const leaf = await leafHere(userId, topicId);
  if (!leaf) return null;
  const crowd =
    (await read("crowds", userId, topicId, String(number))) ??
    (await fetchElectorate(signed, userId, topicId, number));
  if (!crowd) return null;
  const packed = hexToBytes(leaf);
  const places = Array.from({ length: crowd.leaves.length / 32 }, (_, place) => 32 * place);
  const isIn = places.some((at) => packed.every((byte, i) => crowd.leaves[at + i] === byte));
  return { crowd, isIn };
}

async function fetchElectorate(
  signed: Signed,
  userId: string,
  topicId: string,
  number: number,
): Promise<KnownCrowd | null> {
  const [{ crowd: now }, roots] = await Promise.all([
    signed.api.call(contract.crowd.get, { topicId }),
    fetchRoots(signed.api, topicId),
  ]);
  const found = roots.find((one) => one.number === number);
  if (!found) return null;
  const { root, size } = found;
  const leaves = await fetchLeaves(signed, topicId, number);
  const known = { termsKey: now.termsKey, root: { number, root, size }, leaves };
  await write("crowds", known, userId, topicId, String(number));
  return known;
}

async function fetchLeaves(signed: Signed, topicId: string, root: number) {
  const response = await signed.fetch(`/api/topics/${topicId}/crowd/roots/${root}/leaves`);
  if (!response.ok) throw new Error(`the leaves' request returned ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function keepLeaves(
  signed: Signed,
  userId: string,
  topicId: string,
  { latest, termsKey }: Crowd,
): Promise<void> {
  if (!latest) return;
  const kept = await read("crowds", userId, topicId);
  if (kept?.root.number === latest.number && kept.termsKey === termsKey) return;
  const { number, root, size } = latest;
  const leaves = await fetchLeaves(signed, topicId, number);
  await write("crowds", { termsKey, root: { number, root, size }, leaves }, userId, topicId);
}
