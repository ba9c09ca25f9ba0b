import * as z from "zod/mini";
import { type Entry, pathOf } from "./entry";
import { change, entriesOf } from "./store";

/** The server knows a key for 24 hours; an hour is left for clocks and for the way. Milliseconds. */
const KEY_KNOWN = 23 * 60 * 60 * 1000;
/** Answers after which the same request may well succeed. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** How an attempt to send everything ended. */
export type Sending =
  /** Nothing is left that goes by itself. */
  | "done"
  /** There is no network, or the server is away. */
  | "offline"
  /** The server wants to be asked later. */
  | "later"
  /** Nobody is signed in, or somebody else is. */
  | "not-theirs";

const sessionSchema = z.object({ userId: z.string() });
const refusalSchema = z.object({ error: z.string(), code: z.optional(z.string()) });

/**
 * Sends what a user wrote here, in order, each under its own key, so that nothing arrives twice however often this is
 * called and by how many tabs. Stops at the first one that cannot be sent now; what the server refuses is marked and
 * does not stop the rest.
 * @param userId whose entries; null: of whoever is signed in
 */
export async function sendAll(userId: string | null, send: typeof fetch = fetch): Promise<Sending> {
  const work = () => sendInOrder(userId, send);
  // Tabs and the service worker may all see that the network is back. Without locks the keys alone keep it right.
  const locked = typeof navigator !== "undefined" && "locks" in navigator;
  return locked ? await navigator.locks.request("parley-outbox", work) : await work();
}

async function sendInOrder(userId: string | null, send: typeof fetch): Promise<Sending> {
  let signedIn: string | null;
  try {
    signedIn = await sessionUser(send);
  } catch {
    return "offline";
  }
  if (!signedIn || (userId !== null && signedIn !== userId)) return "not-theirs";
  for (const entry of await entriesOf(signedIn)) {
    if (entry.state !== "waiting") continue;
    const ended = await sendOne(entry, send);
    if (ended) return ended;
  }
  return "done";
}

/** @throws when there is no answer */
async function sessionUser(send: typeof fetch): Promise<string | null> {
  const response = await send("/api/auth/session", { credentials: "same-origin", cache: "no-store" });
  if (!response.ok) throw new Error(`the session was answered with ${response.status}`);
  const session = sessionSchema.safeParse(await response.json());
  return session.success ? session.data.userId : null;
}

/** @returns why the rest must wait, or null */
async function sendOne(entry: Entry, send: typeof fetch): Promise<Sending | null> {
  const { key, body, triedAt } = entry;
  if (triedAt !== null && Date.now() - triedAt > KEY_KNOWN) {
    await change(key, { state: "unsure" });
    return null;
  }
  // Before, and not after: a tab that is closed while it sends must not forget that it did.
  if (triedAt === null) await change(key, { triedAt: Date.now() });
  let response: Response;
  try {
    response = await send(pathOf(entry), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    return "offline";
  }
  const { status } = response;
  if (status === 201) {
    await change(key, null);
    return null;
  }
  // Anything else that is no refusal comes from something between us and the server.
  if (status < 400 || status >= 500) return "offline";
  const refusal = refusalSchema.safeParse(await response.json().catch(() => null));
  const { error = null, code = null } = refusal.success ? refusal.data : {};
  if (code === "idempotency_in_progress") return "later";
  if (status === 401 || passing.has(status)) {
    // Nothing was begun, so this attempt does not make it old.
    await change(key, { triedAt });
    return status === 401 ? "not-theirs" : "later";
  }
  // Refusals leave nothing behind on the server, so the key is as good as new.
  await change(key, { state: "refused", code, problem: error, triedAt: null });
  return null;
}
