import { exportJWK } from "jose";
import { z } from "zod";
import { createSealingKey } from "@/lib/proofs/sealing";

/** A key as `npm run prover:key` makes one: `text` is for PROVER_ENCRYPTION_KEY. */
export async function newEncryptionKey(): Promise<{ text: string; publicKey: string }> {
  const { publicKey, privateKey } = await createSealingKey(true);
  const { d } = await exportJWK(privateKey);
  return { text: z.string().parse(d), publicKey };
}
