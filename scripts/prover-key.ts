import { exportJWK } from "jose";
import { createSealingKey } from "@/lib/proofs/sealing";

/**
 * `npm run prover:key`: a new key for encrypted inputs. Prints a line for the prover's environment, which is secret, and
 * the public key, which the prover shows as `teePublicKey`.
 */
const { publicKey, privateKey } = await createSealingKey(true);
const { d } = await exportJWK(privateKey);
console.log(`PROVER_ENCRYPTION_KEY=${d}`);
console.error(`public key (teePublicKey): ${publicKey}`);
