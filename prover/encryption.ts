import { x25519 } from "@noble/curves/ed25519.js";
import { base64url, importJWK } from "jose";
import { z } from "zod";
import { parseJson } from "@/lib/json";
import { type SealingKey, unseal } from "@/lib/proofs/sealing";
import { StartRefusedError } from "./env";
import { assertModest } from "./http/body";
import { refusals } from "./refusal";

/** How inputs reach this prover: in clear over HTTPS, or encrypted to its key. */
export interface InputOpener {
  /** X25519 public key in base64url, shown as `teePublicKey`; null while plaintext is taken. */
  readonly publicKey: string | null;
  /**
   * The inputs of a request in clear.
   * @throws ProverRefusal 400 INVALID_INPUTS: `encryption_required` for plaintext where a key is configured,
   *   `encryption_unavailable` for ciphertext where none is, `decryption_failed`
   */
  open(circuit: string, inputs: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** `{"encrypted": "<compact JWE>"}` and nothing beside it: what is not encrypted would be sent for nothing. */
export const encryptedInputsSchema = z
  .strictObject({ encrypted: z.string() })
  .describe(
    "Where the challenge has a teePublicKey: the JSON of the inputs as a compact JWE (alg ECDH-ES on X25519, enc A256GCM, protected header purpose = circuit id)",
  );
const inputsSchema = z.record(z.string(), z.unknown());

/** Takes inputs in clear. No circuit has an input called `encrypted`. */
export const plainInputs: InputOpener = {
  publicKey: null,
  open: async (_circuit, inputs) => {
    if (!("encrypted" in inputs)) return inputs;
    throw invalid(
      "encryption_unavailable",
      "this prover has no key to decrypt with: send the inputs in clear",
    );
  },
};

/** Takes inputs encrypted to this key and no others. The purpose of each message is its circuit's id. */
export function createInputOpener(key: SealingKey): InputOpener {
  return {
    publicKey: key.publicKey,
    async open(circuit, inputs) {
      const sent = encryptedInputsSchema.safeParse(inputs);
      if (!sent.success) {
        throw invalid(
          "encryption_required",
          "inputs must be encrypted with teePublicKey: {encrypted: <compact JWE>} and nothing else",
        );
      }
      const opened = inputsSchema.safeParse(
        await unseal(key.privateKey, circuit, sent.data.encrypted).catch(() => undefined),
      );
      if (opened.success) {
        assertModest(opened.data);
        return opened.data;
      }
      // What exactly was wrong stays here: an oracle is no help to honest clients.
      throw invalid(
        "decryption_failed",
        "the encrypted inputs are not a JSON object sealed for teePublicKey and this circuit",
      );
    },
  };
}

const scalar = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const jwkSchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("X25519"),
  d: scalar,
  x: scalar.optional(),
});

/**
 * The encryption key from its variable: the private X25519 key in base64url, or its whole JWK.
 * @throws StartRefusedError, which never repeats the value
 */
export async function readEncryptionKey(text: string): Promise<SealingKey> {
  const refused = new StartRefusedError(
    "cannot start: PROVER_ENCRYPTION_KEY must be an X25519 private key: 32 bytes in base64url, or its JWK",
  );
  const parsed = jwkSchema.safeParse(
    text.trim().startsWith("{") ? parseJson(text) : { kty: "OKP", crv: "X25519", d: text.trim() },
  );
  if (!parsed.success) throw refused;
  const { d, x } = parsed.data;
  const publicKey = base64url.encode(x25519.getPublicKey(base64url.decode(d)));
  if (x !== undefined && x !== publicKey) throw refused;
  const privateKey = await importJWK({ kty: "OKP", crv: "X25519", d, x: publicKey }, "ECDH-ES");
  if (privateKey instanceof Uint8Array) throw refused;
  return { publicKey, privateKey };
}

const invalid = (reason: string, message: string) =>
  refusals.invalid("INVALID_INPUTS", message, "inputs", reason);
