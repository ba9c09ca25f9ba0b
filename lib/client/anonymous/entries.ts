import type { createClient } from "@/lib/client";
import type { UnlinkedStatement } from "@/lib/proofs/anonymous/act";
import type { Acting, Membership, Terms, UnlinkedMembership } from "@/lib/proofs/anonymous/membership";
import type { Signed } from "./crowd";
import { type AnonymousEntry, read, readAll, type WaitingAct, type WaitingText, write } from "./store";

/** What was written without a name waits here for a moment that says nothing, and is proven and sent then (outbox.ts). */

/** Anonymous acts arrive at a random moment of this time after they were written. Milliseconds. */
export const DELAY_MS = 10 * 60 * 1000;
/** Between two attempts when the server or the network does not answer. */
export const RETRY_MS = 30 * 1000;

/** What the outbox works with. */
export interface SendingParts {
  /** As the member: for the leaves alone, which every member fetches. */
  readonly signed: Signed;
  /** As nobody. */
  readonly nobody: Pick<ReturnType<typeof createClient>, "call">;
  /** Makes a proof, off the page's thread. @throws what `membershipOf` throws */
  readonly prove: (act: WaitingText, terms: Terms, acting: Acting) => Promise<Membership>;
  readonly proveUnlinked: (
    statement: UnlinkedStatement,
    terms: Pick<Terms, "topic" | "bans">,
    acting: Acting,
  ) => Promise<UnlinkedMembership>;
  /** Returns HTML as the server stores it. */
  readonly sanitize: (html: string) => string;
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** Why a text stays on this device, beside the codes of the API. */
export const ownCodes = [
  "anonymous_banned",
  "not_counted",
  "not_in_electorate",
  "no_slots",
  "no_picture_slots",
  "unsure",
] as const;
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
  // A ballot takes the place of one that still waits.
  if (act.kind === "ballot") await discardBallots(userId, act.pollId);
  const entry: AnonymousEntry = {
    ...{ id: crypto.randomUUID(), userId, act, isNow },
    ...{ dueAt: now() + (isNow ? 0 : random() * DELAY_MS) },
    ...{ tried: null, state: "waiting", code: null, problem: null },
  };
  await put(entry);
  return entry;
}

async function discardBallots(userId: string, pollId: string): Promise<void> {
  for (const entry of await waitingActs(userId)) {
    if (entry.act.kind === "ballot" && entry.act.pollId === pollId) await discardAct(entry);
  }
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

/** Changes an entry; one that was discarded meanwhile stays discarded. */
export async function change({ userId, id }: AnonymousEntry, patch: Partial<AnonymousEntry>): Promise<void> {
  const current = await read("entries", userId, id);
  if (current) await put({ ...current, ...patch });
}

/** Keeps an entry that was refused, with the reason. */
export const refuse = (entry: AnonymousEntry, code: string, problem: string | null = null) =>
  change(entry, { state: "refused", code, problem });
