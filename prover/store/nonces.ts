import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import type { ProverSchema } from "./schema";

/** A hardware wallet, a slow chain or a lost tab may lie between the price and the paid request. */
export const nonceLifetimeMs = 7 * 24 * 3_600_000;

export type NonceRefusal = "unknown" | "expired" | "other-circuit" | "used";

/** Bytes of a nonce: seconds of issue (4), price list (4), random (8), authentication code (16). */
const bodyBytes = 16;

/**
 * Challenge nonces: 32 bytes, bound to one circuit, one week, for one payment. A nonce carries its own time and
 * authentication code, so that asking for a price writes nothing; only nonces that paid have a row. Nobody without our
 * secret can make one, or tell one from the keccak256 that a transfer shows.
 */
export class Nonces {
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly secret: Uint8Array,
  ) {}

  /** @param priceList the price list the caller is shown (`Prices`); 0 for none */
  issue(circuit: CircuitId, priceList = 0, now = Date.now()): Hex {
    const body = Buffer.alloc(bodyBytes);
    body.writeUInt32BE(Math.floor(now / 1000), 0);
    body.writeUInt32BE(priceList, 4);
    randomBytes(8).copy(body, 8);
    return bytesToHex(Buffer.concat([body, this.#code(circuit, body)]));
  }

  /** Which price list was asked with a nonce, and when (ms); undefined for a nonce that is not ours. */
  asked(nonce: Hex): { priceList: number; at: number } | undefined {
    const read = this.#read(nonce);
    return read && { priceList: read.priceList, at: read.issuedAt };
  }

  /**
   * Gives a nonce to one payment, atomically; giving it to the same payment again is fine.
   * @returns why not, or undefined when it is bound
   */
  async bind(nonce: Hex, circuit: CircuitId, paymentId: Hex): Promise<NonceRefusal | undefined> {
    const refused = await this.check(nonce, circuit, paymentId);
    if (refused) return refused;
    const { payment_id } = await this.db
      .insertInto("nonce")
      .values({ nonce, circuit, expires_at: expiry(this.#read(nonce)), payment_id: paymentId })
      .onConflict((oc) =>
        oc.column("nonce").doUpdateSet((eb) => ({ payment_id: eb.ref("nonce.payment_id") })),
      )
      .returning("payment_id")
      .executeTakeFirstOrThrow();
    return payment_id === paymentId ? undefined : "used";
  }

  /** Why a nonce could not be given to this payment now; nothing is given. */
  async check(nonce: Hex, circuit: CircuitId, paymentId: Hex): Promise<NonceRefusal | undefined> {
    const read = this.#read(nonce);
    if (!read) return "unknown";
    if (read.circuit !== circuit) return "other-circuit";
    const row = await this.db
      .selectFrom("nonce")
      .select("payment_id")
      .where("nonce", "=", nonce)
      .executeTakeFirst();
    // Once bound it stays good for its payment, however long that takes to be confirmed.
    if (row) return row.payment_id === paymentId ? undefined : "used";
    return expiry(read) <= new Date() ? "expired" : undefined;
  }

  /** Whether a payment was made with this nonce. */
  async paid(nonce: Hex, paymentId: Hex): Promise<boolean> {
    const row = await this.db
      .selectFrom("nonce")
      .select("nonce")
      .where("nonce", "=", nonce)
      .where("payment_id", "=", paymentId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Removes rows of nonces that nobody can use any more. */
  async prune(): Promise<void> {
    await this.db.deleteFrom("nonce").where("expires_at", "<", new Date()).execute();
  }

  #read(nonce: Hex): { circuit: CircuitId; priceList: number; issuedAt: number } | undefined {
    const bytes = Buffer.from(hexToBytes(nonce));
    const [body, code] = [bytes.subarray(0, bodyBytes), bytes.subarray(bodyBytes)];
    const circuit = circuitIds.find((id) => timingSafeEqual(this.#code(id, body), code));
    return circuit && { circuit, priceList: body.readUInt32BE(4), issuedAt: body.readUInt32BE(0) * 1000 };
  }

  #code(circuit: CircuitId, body: Uint8Array): Buffer {
    const mac = createHmac("sha256", this.secret).update("challenge nonce\0").update(circuit).update("\0");
    return mac
      .update(body)
      .digest()
      .subarray(0, 32 - bodyBytes);
  }
}

function expiry(read: { issuedAt: number } | undefined): Date {
  return new Date((read?.issuedAt ?? 0) + nonceLifetimeMs);
}
