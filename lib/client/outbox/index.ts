import type { Entry, Written } from "./entry";
import { type Sending, sendAll } from "./send";
import { append, change } from "./store";

export { type Entry, type Kind, textOf, type Written } from "./entry";
export { type Sending, sendAll } from "./send";
export { entriesOf as pending, forgetEntriesOf, watchEntries } from "./store";

/** The name under which browsers that can do so wake the service worker when the network is back. */
export const syncTag = "parley-outbox";

/**
 * Keeps on this device what could not be sent; it goes out when the network is back, once.
 * @returns the entry's key
 * @throws where the browser keeps nothing: then the text must stay in its form
 */
export async function queue({ triedKey, ...written }: Written): Promise<string> {
  const now = Date.now();
  const key = triedKey ?? crypto.randomUUID();
  const triedAt = triedKey ? now : null;
  await append({ ...written, key, triedAt, createdAt: now, state: "waiting", code: null, problem: null });
  await askForSync();
  return key;
}

/** Takes an entry back. What is on its way already may still arrive. */
export async function discard(key: string): Promise<void> {
  await change(key, null);
}

/**
 * Sends an entry again that was refused or is uncertain, with all that waits.
 * An uncertain one gets a new key: the old one would be refused, or not be known.
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
  // Not every browser has it, and TypeScript's library does not know it.
  const sync: unknown = registration && Reflect.get(registration, "sync");
  if (typeof sync !== "object" || sync === null) return;
  const register: unknown = Reflect.get(sync, "register");
  if (typeof register !== "function") return;
  // It may be forbidden; then the next visit sends.
  await Promise.resolve(Reflect.apply(register, sync, [syncTag])).catch(() => undefined);
}
