import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import { bytesToHex, type Hex, hexToBytes } from "viem";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import type { ProverSchema } from "./schema";

/** Leaves time between price and payment for a hardware wallet, a slow chain or a lost tab. */
export const nonceLifetimeMs = 7 * 24 * 3_600_000;

export type NonceRefusal = "unknown" | "expired" | "other-circuit" | "used";

/** Bytes of a nonce: seconds of issue (4), price list (4), random (8), authentication code (16). */
const bodyBytes = 16;

/**
 * Challenge nonces: 32 bytes, valid for one circuit, one week and one payment. A nonce carries its own time and
 * authentication code, so that asking for a price writes nothing; only used nonces have a row. Without our secret no one
 * can make one, or derive one from the keccak256 that a transfer shows.
 */
export class Nonces {
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly secret: Uint8Array,
  ) {}

  /** @param priceList the price list in the challenge (`Prices`); 0 for none */
  issue(circuit: CircuitId, priceList = 0, now = Date.now()): Hex {
    const body = Buffer.alloc(bodyBytes);
    body.writeUInt32BE(Math.floor(now / 1000), 0);
    body.writeUInt32BE(priceList, 4);
    randomBytes(8).copy(body, 8);
    return bytesToHex(Buffer.concat([body, this.#code(circuit, body)]));
  }

  /** Returns a nonce's price list and time (ms); undefined if it is not ours. */
  asked(nonce: Hex): { priceList: number; at: number } | undefined {
    const read = this.#read(nonce);
    return read && { priceList: read.priceList, at: read.issuedAt };
  }

  /**
   * Binds a nonce to one payment, atomically; repeating it for the same payment is fine.
   * @returns why it is refused, or undefined
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

  /** Returns why a nonce cannot be bound to this payment now, or undefined. Binds nothing. */
  async check(nonce: Hex, circuit: CircuitId, paymentId: Hex): Promise<NonceRefusal | undefined> {
    const read = this.#read(nonce);
    if (!read) return "unknown";
    if (read.circuit !== circuit) return "other-circuit";
    const row = await this.db
      .selectFrom("nonce")
      .select("payment_id")
      .where("nonce", "=", nonce)
      .executeTakeFirst();
    // Once bound, it stays valid for its payment, however long that takes to confirm.
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

  /** Deletes expired nonces. */
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
