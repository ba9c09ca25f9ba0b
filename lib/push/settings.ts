import { createECDH } from "node:crypto";

/** Identifies this installation to push services (VAPID, RFC 8292). */
export interface PushKeys {
  /** P-256 point, uncompressed, base64url: browsers subscribe with it. */
  readonly publicKey: string;
  /** 32 bytes, base64url. */
  readonly privateKey: string;
  /** Where a push service can reach the operator: a mailto: or https: URL. */
  readonly subject: string;
}

/**
 * Checks that the keys are a pair, and that the subject is a URL.
 * @throws Error naming the wrong setting without repeating its value
 */
export function readPushKeys(keys: PushKeys): PushKeys {
  const publicKey = publicHalf(Buffer.from(keys.privateKey, "base64url"));
  if (publicKey === null) throw new Error("VAPID_PRIVATE_KEY must be 32 bytes in base64url");
  if (publicKey !== keys.publicKey.replace(/=+$/, "")) {
    throw new Error("VAPID_PUBLIC_KEY must be the public half of VAPID_PRIVATE_KEY");
  }
  const protocol = URL.canParse(keys.subject) ? new URL(keys.subject).protocol : "";
  if (protocol !== "mailto:" && protocol !== "https:") {
    throw new Error("VAPID_SUBJECT must be a mailto: or https: address of the operator");
  }
  return keys;
}

/** Returns the public key in base64url; null for an invalid P-256 private key. */
function publicHalf(privateKey: Uint8Array): string | null {
  if (privateKey.length !== 32) return null;
  const ecdh = createECDH("prime256v1");
  try {
    ecdh.setPrivateKey(privateKey);
  } catch {
    return null;
  }
  return ecdh.getPublicKey("base64url");
}

/** Returns whether this is an uncompressed P-256 point: the public key of a browser's subscription (RFC 8291, 2). */
export function isPointOfP256(p256dh: string): boolean {
  const point = Buffer.from(p256dh, "base64url");
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(point);
    return point.length === 65;
  } catch {
    return false;
  }
}
