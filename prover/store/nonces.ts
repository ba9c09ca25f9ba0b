import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { type Hex, toHex } from "viem";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { ProverSchema } from "./schema";

export const nonceLifetimeMs = 5 * 60_000;
/** For a payment that was presented in time and is not on chain yet. */
const heldLifetimeMs = 24 * 3_600_000;

export type NonceRefusal = "unknown" | "expired" | "other-circuit" | "used";

/** Challenge nonces: 32 random bytes, bound to one circuit, five minutes, for one payment. */
export class Nonces {
  constructor(readonly db: Kysely<ProverSchema>) {}

  async issue(circuit: CircuitId): Promise<Hex> {
    const nonce = toHex(randomBytes(32));
    await this.db
      .insertInto("nonce")
      .values({ nonce, circuit, expires_at: new Date(Date.now() + nonceLifetimeMs), payment_id: null })
      .execute();
    return nonce;
  }

  /**
   * Gives a nonce to one payment, atomically; giving it to the same payment again is fine.
   * @returns why not, or undefined when it is bound
   */
  async bind(nonce: Hex, circuit: CircuitId, paymentId: Hex): Promise<NonceRefusal | undefined> {
    const bound = await this.db
      .updateTable("nonce")
      .set({ payment_id: paymentId })
      .where("nonce", "=", nonce)
      .where("circuit", "=", circuit)
      .where((eb) =>
        eb.or([
          eb.and([eb("payment_id", "is", null), eb("expires_at", ">", new Date())]),
          // Once bound it stays good for its payment: a transfer may need longer than five minutes to be confirmed.
          eb("payment_id", "=", paymentId),
        ]),
      )
      .returning("nonce")
      .executeTakeFirst();
    return bound ? undefined : ((await this.check(nonce, circuit, paymentId)) ?? "used");
  }

  /** Why a nonce could not be given to this payment now; nothing is given. */
  async check(nonce: Hex, circuit: CircuitId, paymentId: Hex): Promise<NonceRefusal | undefined> {
    const row = await this.db.selectFrom("nonce").selectAll().where("nonce", "=", nonce).executeTakeFirst();
    if (!row) return "unknown";
    if (row.circuit !== circuit) return "other-circuit";
    if (row.payment_id !== null) return row.payment_id === paymentId ? undefined : "used";
    return row.expires_at <= new Date() ? "expired" : undefined;
  }

  /** Keeps a nonce alive whose payment is on its way; nothing when it has expired, or is used or another circuit's. */
  async hold(nonce: Hex, circuit: CircuitId): Promise<void> {
    const now = Date.now();
    await this.db
      .updateTable("nonce")
      .set({ expires_at: new Date(now + heldLifetimeMs) })
      .where("nonce", "=", nonce)
      .where("circuit", "=", circuit)
      .where("payment_id", "is", null)
      .where("expires_at", ">", new Date(now))
      .execute();
  }

  /** Removes what expired; a bound nonce stays a day so that its reuse is told apart from a made-up one. */
  async prune(): Promise<void> {
    const now = Date.now();
    await this.db
      .deleteFrom("nonce")
      .where((eb) =>
        eb.or([
          eb.and([eb("expires_at", "<", new Date(now)), eb("payment_id", "is", null)]),
          eb("expires_at", "<", new Date(now - 24 * 3_600_000)),
        ]),
      )
      .execute();
  }
}
