import { MASTER_BYTES } from "@/lib/proofs/anonymous/secret";
import { flagSecret } from "./flag";
import { forgetUser, read, type SealedSecret, write } from "./store";

/** A member's master secret on this device: sealed under a key that no script can read. It is in no request. */

/** How a secret would come back if this device were lost. */
type Saved = Pick<SealedSecret, "isPasskey" | "isSaved">;

/** Whether a secret is here, and how it would come back; null without one. */
export async function secretState(userId: string): Promise<Saved | null> {
  const found = await read("secrets", userId);
  return found && { isPasskey: found.isPasskey, isSaved: found.isSaved };
}

/** Returns the secret; null where this device has none. */
export async function readSecret(userId: string): Promise<Uint8Array | null> {
  return await opened(await read("secrets", userId));
}

/** Returns the secret that was replaced here last; null for none. */
export async function readFormer(userId: string): Promise<Uint8Array | null> {
  return await opened(await read("secrets", userId, FORMER));
}

/** Makes a new secret, and keeps the one before to prove with. */
export async function replaceSecret(userId: string): Promise<void> {
  const before = await read("secrets", userId);
  if (before) await write("secrets", before, userId, FORMER);
  await keepSecret(userId, randomSecret(), { isSaved: false, isPasskey: false });
}

const FORMER = "former";
const randomSecret = () => crypto.getRandomValues(new Uint8Array(MASTER_BYTES));

async function opened(found: SealedSecret | null): Promise<Uint8Array | null> {
  if (!found) return null;
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv: found.iv }, found.key, found.sealed);
  return new Uint8Array(opened);
}

/** Returns the secret, a new one where there is none yet. */
export async function ensureSecret(userId: string): Promise<Uint8Array> {
  // Two tabs must not make two of them.
  return await navigator.locks.request(`parley-secret ${userId}`, async () => {
    const found = await readSecret(userId);
    if (found) return found;
    const made = randomSecret();
    await keepSecret(userId, made, { isSaved: false, isPasskey: false });
    return made;
  });
}

/** Puts a secret in the place of the one that may be here. */
export async function keepSecret(userId: string, secret: Uint8Array, saved: Saved): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(secret));
  await write("secrets", { key, iv, sealed, ...saved } satisfies SealedSecret, userId);
  flagSecret(userId, true);
  // The browser must not clear it when space is short.
  await navigator.storage?.persist?.().catch(() => false);
}

/** Remembers that the words were written down. */
export async function phraseIsSaved(userId: string): Promise<void> {
  const found = await read("secrets", userId);
  if (found) await write("secrets", { ...found, isSaved: true }, userId);
}

/** Deletes a user's secret here, and all that belongs to it. */
export async function forgetSecret(userId: string): Promise<void> {
  await forgetUser(userId);
  flagSecret(userId, false);
}
