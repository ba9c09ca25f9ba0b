import { z } from "zod";
import { circuitIdSchema } from "../deployment";
import { hex32Schema } from "../hex";
import { KeyedLock } from "../keyed-lock";
import { amountSchema, networkSchema } from "../wire";
import { BuyProofError } from "./errors";

/** A signed payment of one job. Its holder can use it once, for `amount`, to its recipient only. */
const paymentRecordSchema = z.object({
  circuit: circuitIdSchema,
  /** PAYMENT-SIGNATURE header, resent unchanged until the proof arrives. */
  paymentSignature: z.string().min(1),
  /** Nonce of the challenge. */
  paymentNonce: hex32Schema,
  /** keccak256 of circuit and inputs: a payment is never sent with other inputs except by `forNewInputs`. */
  requestHash: hex32Schema,
  network: networkSchema,
  payer: z.string(),
  amount: amountSchema,
  /** The prover's encryption key (`teePublicKey`) at payment; null if it accepted unencrypted inputs. */
  encryptionKey: z.string().nullable().default(null),
  /** Unix time in seconds after which the signature can no longer be settled. */
  validBefore: z.int().positive(),
  /** The prover's job, once known. */
  jobToken: z.string().nullable(),
});
export type PaymentRecord = z.infer<typeof paymentRecordSchema>;

/** Stores signed payments between signing and delivery, by a key the caller chooses per proof. */
export interface PaymentStore {
  get(jobKey: string): Promise<PaymentRecord | null>;
  /** Resolves when the record is durable. */
  set(jobKey: string, record: PaymentRecord): Promise<void>;
  delete(jobKey: string): Promise<void>;
  /** Runs one call at a time per key, across everything that shares the store. */
  exclusive<T>(jobKey: string, run: () => Promise<T>): Promise<T>;
}

/** Makes a store in memory, for tests and one-shot tools. */
export function memoryStore(): PaymentStore {
  const records = new Map<string, PaymentRecord>();
  const lock = new KeyedLock<string>();
  return {
    get: async (jobKey) => records.get(jobKey) ?? null,
    set: async (jobKey, record) => void records.set(jobKey, record),
    delete: async (jobKey) => void records.delete(jobKey),
    exclusive: (jobKey, run) => lock.run(jobKey, run),
  };
}

const PREFIX = "parley.payment.";

/**
 * Makes a store in a browser's localStorage, shared by all tabs of the site. Uses Web Locks if available.
 * @throws BuyProofError STORE_FAILED from `get` and `set` if the browser refuses storage: a payment must survive a
 * reload.
 */
export function localStorageStore(storage: () => Storage = () => globalThis.localStorage): PaymentStore {
  const lock = new KeyedLock<string>();
  const use = <T>(action: (storage: Storage) => T): T => {
    try {
      return action(storage());
    } catch (error) {
      throw new BuyProofError("STORE_FAILED", "this browser does not let the page store the payment", {
        cause: error,
      });
    }
  };
  return {
    get: async (jobKey) => parseRecord(use((s) => s.getItem(PREFIX + jobKey))),
    set: async (jobKey, record) => use((s) => s.setItem(PREFIX + jobKey, JSON.stringify(record))),
    delete: async (jobKey) => use((s) => s.removeItem(PREFIX + jobKey)),
    exclusive: (jobKey, run) => {
      const locks = globalThis.navigator?.locks;
      return locks ? Promise.resolve(locks.request(PREFIX + jobKey, run)) : lock.run(jobKey, run);
    },
  };
}

/**
 * Parses a stored record; null if there is none.
 * @throws BuyProofError STORE_FAILED for an unreadable record: it may be a payment, so it must not be replaced silently.
 */
export function parseRecord(text: string | null): PaymentRecord | null {
  if (text === null) return null;
  try {
    return paymentRecordSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BuyProofError("STORE_FAILED", "the stored payment is unreadable", { cause: error });
  }
}
