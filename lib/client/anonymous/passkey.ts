import { MASTER_BYTES } from "@/lib/proofs/anonymous/secret";
import { keepSecret } from "./secret";

/*
 * A secret that a passkey makes: the authenticator's PRF (WebAuthn, the extension `prf`) of a text of ours. It comes back on
 * every device that has the passkey. The server takes no part: it sees neither the passkey nor what it signs.
 */

const bytes = (text: string) => new TextEncoder().encode(text);
const PRF_INPUT = bytes("parley anonymous passkey 1");
const INFO = bytes("parley anonymous master 1");
const TIMEOUT_MS = 120_000;
const [ES256, RS256] = [-7, -257] as const;

/** Why there is no secret from a passkey: the user gave up or has none; or it cannot make any. */
export class PasskeyError extends Error {
  override name = "PasskeyError";
  constructor(readonly problem: "none" | "no_prf") {
    super(problem);
  }
}

/** Whether this browser has passkeys at all; whether one can make a secret shows when it is asked. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && typeof navigator.credentials?.create === "function";
}

/**
 * Makes a passkey and keeps its secret here.
 * @param name under which the authenticator lists it
 * @throws PasskeyError
 */
export async function makePasskey(userId: string, name: string): Promise<void> {
  const created = await asked(
    navigator.credentials.create({
      publicKey: {
        rp: { name: "Parley" },
        // Not the account's: nothing outside needs to know it.
        user: { id: random(32), name, displayName: name },
        challenge: random(32),
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        timeout: TIMEOUT_MS,
        extensions: prf,
      },
    }),
  );
  const { enabled, results } = created.getClientExtensionResults().prf ?? {};
  if (!enabled) throw new PasskeyError("no_prf");
  // Not every authenticator says it at once.
  await keep(userId, results?.first ?? (await outputOf([{ type: "public-key", id: created.rawId }])));
}

/** Keeps the secret of a passkey that the user chooses. @throws PasskeyError */
export async function restoreFromPasskey(userId: string): Promise<void> {
  await keep(userId, await outputOf([]));
}

const prf = { prf: { eval: { first: PRF_INPUT } } };

async function outputOf(allowCredentials: PublicKeyCredentialDescriptor[]): Promise<BufferSource> {
  const used = await asked(
    navigator.credentials.get({
      publicKey: {
        ...{ challenge: random(32), allowCredentials, userVerification: "required" },
        ...{ timeout: TIMEOUT_MS, extensions: prf },
      },
    }),
  );
  const output = used.getClientExtensionResults().prf?.results?.first;
  if (!output) throw new PasskeyError("no_prf");
  return output;
}

async function asked(asking: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const found = await asking.catch(() => null);
  if (!(found instanceof PublicKeyCredential)) throw new PasskeyError("none");
  return found;
}

async function keep(userId: string, output: BufferSource): Promise<void> {
  const key = await crypto.subtle.importKey("raw", output, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: INFO };
  const master = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 8 * MASTER_BYTES));
  await keepSecret(userId, master, { isSaved: true, isPasskey: true });
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
