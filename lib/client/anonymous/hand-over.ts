import { base64url } from "jose";
import type { createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { sealedSeconds } from "@/lib/contract/sealed";
import { MASTER_BYTES } from "@/lib/proofs/anonymous/secret";
import { keepSecret, readSecret } from "./secret";

/*
 * A secret goes from one device to another of the same member, sealed. The waiting device shows an address whose fragment has
 * a key; browsers send no fragment. Whoever passes the sealed secret on can neither read it nor put another one in its place.
 */

type Api = Pick<ReturnType<typeof createClient>, "call">;

/** What the waiting device shows. */
export interface HandOver {
  readonly id: string;
  readonly key: Uint8Array<ArrayBuffer>;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const POLL_MS = 1_000;

/** Returns a new one. */
export function newHandOver(): HandOver {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  return { id: base64url.encode(random(16)), key: random(KEY_BYTES) };
}

/** Returns the fragment of the address to show. */
export function fragmentOf({ id, key }: HandOver): string {
  return `#give=${id}.${base64url.encode(key)}`;
}

/** Reads the fragment of an address; null where it asks for nothing. */
export function handOverIn(fragment: string): HandOver | null {
  const [, id, key] = /^#give=([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(fragment) ?? [];
  return id && key ? { id, key: new Uint8Array(base64url.decode(key)) } : null;
}

/** Returns the six digits that both devices show. */
export async function codeOf({ key }: HandOver): Promise<string> {
  const digest = new DataView(await crypto.subtle.digest("SHA-256", key));
  return String(digest.getUint32(0) % 1_000_000).padStart(6, "0");
}

/** Seals this device's secret for the one that waits. @throws ApiError; Error without a secret */
export async function give(api: Api, userId: string, handOver: HandOver): Promise<void> {
  const secret = await readSecret(userId);
  if (!secret) throw new Error("this device has no secret");
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: about(userId) };
  const sealed = await crypto.subtle.encrypt(algorithm, await keyOf(handOver), new Uint8Array(secret));
  const both = new Uint8Array([...iv, ...new Uint8Array(sealed)]);
  await api.call(contract.sealed.leave, { id: handOver.id, sealed: base64url.encode(both) });
}

/**
 * Waits for the other device, and keeps its secret here.
 * @returns false when nothing came in time
 * @throws ApiError; Error when what came was not sealed for this device
 */
export async function receive(
  api: Api,
  userId: string,
  handOver: HandOver,
  signal: AbortSignal,
  wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<boolean> {
  for (let second = 0; second < sealedSeconds && !signal.aborted; second++) {
    const { sealed } = await api.call(contract.sealed.take, { id: handOver.id });
    if (sealed !== null) {
      await keepSecret(userId, await opened(userId, handOver, sealed), { isSaved: false, isPasskey: false });
      return true;
    }
    await wait(POLL_MS);
  }
  return false;
}

async function opened(userId: string, handOver: HandOver, sealed: string): Promise<Uint8Array> {
  const both = new Uint8Array(base64url.decode(sealed));
  const algorithm = { name: "AES-GCM", iv: both.slice(0, IV_BYTES), additionalData: about(userId) };
  const bytes = await crypto.subtle.decrypt(algorithm, await keyOf(handOver), both.slice(IV_BYTES));
  const secret = new Uint8Array(bytes);
  if (secret.length !== MASTER_BYTES) throw new Error("this is no secret");
  return secret;
}

/** A secret of one account is none of another's. */
const about = (userId: string) => new TextEncoder().encode(`parley secret ${userId}`);

async function keyOf({ key }: HandOver): Promise<CryptoKey> {
  return await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}
