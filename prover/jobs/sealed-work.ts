import { type CryptoKey, GeneralEncrypt, generalDecrypt, importJWK } from "jose";
import type { Hex } from "viem";
import { z } from "zod";
import { parseJson } from "@/lib/json";
import { hex32Schema } from "@/lib/proofs/hex";
import type { Peer } from "../store/instances";
import type { Work } from "./run";

/** What another process needs to make a proof. */
export const sealedWorkSchema = z.object({
  /** The circuit's inputs, not the client's: admission has checked them. */
  inputs: z.record(z.string(), z.unknown()),
  publicInputs: z.array(hex32Schema),
  startedAt: z.number(),
  paymentMs: z.number(),
});
export type SealedWork = z.output<typeof sealedWorkSchema>;

const alg = "ECDH-ES+A256KW";
const enc = "A256GCM";
/** A General JWE, as far as it is read before it is decrypted. */
const jweSchema = z.looseObject({
  ciphertext: z.string(),
  recipients: z.array(z.looseObject({ encrypted_key: z.string().optional() })),
});

/**
 * Encrypts the inputs of a job for several processes: a General JWE (RFC 7516 §7.2.1), ECDH-ES+A256KW on X25519.
 * @param paymentId authenticated with them: one payment's inputs never pass for another's
 */
export async function sealWork(recipients: readonly Peer[], paymentId: Hex, work: Work): Promise<string> {
  const { prepared, startedAt, paymentMs } = work;
  const { inputs, publicInputs } = prepared;
  const text = JSON.stringify({ inputs, publicInputs, startedAt, paymentMs } satisfies z.input<
    typeof sealedWorkSchema
  >);
  const jwe = new GeneralEncrypt(new TextEncoder().encode(text)).setProtectedHeader({
    alg,
    enc,
    purpose: paymentId,
  });
  for (const { publicKey } of recipients) {
    jwe.addRecipient(await importJWK({ kty: "OKP", crv: "X25519", x: publicKey }, alg));
  }
  return JSON.stringify(await jwe.encrypt());
}

/**
 * Decrypts what `sealWork` made for this key and payment.
 * @throws Error, which says nothing about the contents
 */
export async function unsealWork(privateKey: CryptoKey, paymentId: Hex, sealed: string): Promise<SealedWork> {
  const { plaintext, protectedHeader } = await generalDecrypt(
    jweSchema.parse(parseJson(sealed)),
    privateKey,
    {
      keyManagementAlgorithms: [alg],
      contentEncryptionAlgorithms: [enc],
    },
  );
  if (protectedHeader?.purpose !== paymentId) throw new Error("sealed for another payment");
  return sealedWorkSchema.parse(parseJson(new TextDecoder("utf-8", { fatal: true }).decode(plaintext)));
}
