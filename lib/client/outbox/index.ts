import * as z from "zod/mini";
import { append, change, type Entry, entriesOf, pathOf, type Written } from "./store";

export {
  type Entry,
  entriesOf as pending,
  forgetEntriesOf,
  type Kind,
  textOf,
  type Written,
  watchEntries,
} from "./store";

/** The sync tag under which browsers with Background Sync wake the service worker when the network is back. */
export const syncTag = "parley-outbox";
/** The server remembers a key for 24 hours; an hour is left for clock differences and transit. Milliseconds. */
const KEY_KNOWN_MS = 23 * 60 * 60 * 1000;
/** Statuses after which the same request may succeed. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Stores on this device what could not be sent; it is sent once when the network is back.
 * @returns the entry's key
 * @throws where the browser has no storage: then the text must stay in its form
 */
export async function queue({ triedKey, ...written }: Written): Promise<string> {
  const now = Date.now();
  const key = triedKey ?? crypto.randomUUID();
  const triedAt = triedKey ? now : null;
  await append({ ...written, key, triedAt, createdAt: now, state: "waiting", code: null, problem: null });
  await askForSync();
  return key;
}

/** Deletes an entry. A request in flight may still arrive. */
export async function discard(key: string): Promise<void> {
  await change(key, null);
}

/**
 * Sends a refused or uncertain entry again, with all that wait. An uncertain one gets a new key: the old one might be
 * refused or unknown.
 */
export async function sendNow(entry: Entry): Promise<Sending> {
  if (entry.state !== "waiting") {
    const key = entry.state === "unsure" ? crypto.randomUUID() : entry.key;
    await change(entry.key, { key, state: "waiting", code: null, problem: null, triedAt: null });
  }
  return await sendAll(entry.userId);
}

async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  // Not every browser supports it, and TypeScript's library does not declare it.
  const sync: unknown = registration && Reflect.get(registration, "sync");
  if (typeof sync !== "object" || sync === null) return;
  const register: unknown = Reflect.get(sync, "register");
  if (typeof register !== "function") return;
  // It may be forbidden; then the next visit sends.
  await Promise.resolve(Reflect.apply(register, sync, [syncTag])).catch(() => undefined);
}

export type Sending =
  /** Nothing is left to send automatically. */
  | "done"
  /** The network or the server is unreachable. */
  | "offline"
  /** The server wants the request later. */
  | "later"
  /** No one is signed in, or another user is. */
  | "not-theirs";

const sessionSchema = z.object({ userId: z.string() });
const refusalSchema = z.object({ error: z.string(), code: z.optional(z.string()) });

/**
 * Sends a user's entries in order, each under its own key, so that nothing arrives twice however often and from
 * however many tabs this is called. Stops at the first one that cannot be sent now; refused ones are marked and do
 * not stop the rest.
 * @param userId whose entries; null: those of the signed-in user
 */
export async function sendAll(userId: string | null, send: typeof fetch = fetch): Promise<Sending> {
  const work = () => sendInOrder(userId, send);
  // Several tabs and the service worker may notice the network at once. Without locks the keys alone prevent
  // duplicates.
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

/** @throws without a response */
async function sessionUser(send: typeof fetch): Promise<string | null> {
  const response = await send("/api/auth/session", { credentials: "same-origin", cache: "no-store" });
  if (!response.ok) throw new Error(`the session request returned ${response.status}`);
  const session = sessionSchema.safeParse(await response.json());
  return session.success ? session.data.userId : null;
}

/** @returns why the rest must wait, or null */
async function sendOne(entry: Entry, send: typeof fetch): Promise<Sending | null> {
  const { key, body, triedAt } = entry;
  if (triedAt !== null && Date.now() - triedAt > KEY_KNOWN_MS) {
    await change(key, { state: "unsure" });
    return null;
  }
  // Before the request: a tab that is closed while it sends must not forget that it did.
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
  // Any other status that is not a refusal comes from something between us and the server.
  if (status < 400 || status >= 500) return "offline";
  const refusal = refusalSchema.safeParse(await response.json().catch(() => null));
  const { error = null, code = null } = refusal.success ? refusal.data : {};
  if (code === "idempotency_in_progress") return "later";
  if (status === 401 || TRANSIENT_STATUSES.has(status)) {
    // Nothing was started, so this request does not age the key.
    await change(key, { triedAt });
    return status === 401 ? "not-theirs" : "later";
  }
  // Refusals leave nothing behind on the server, so the key can be reused.
  await change(key, { state: "refused", code, problem: error, triedAt: null });
  return null;
}
