import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Kysely } from "kysely";
import type { ProverSchema } from "./schema";

/** How long a payer may take to sign. */
export const signInMs = 5 * 60_000;

/** Bytes of a nonce: seconds of issue (4), random (12), authentication code (16). */
const bodyBytes = 16;

/**
 * Nonces for payers who sign in with their wallets: 32 bytes in hex, valid for five minutes and once. A nonce carries its
 * own time and authentication code, so that asking for one writes nothing.
 */
export class SignIns {
  constructor(
    readonly db: Kysely<ProverSchema>,
    readonly secret: Uint8Array,
  ) {}

  issue(now = Date.now()): string {
    const body = Buffer.alloc(bodyBytes);
    body.writeUInt32BE(Math.floor(now / 1000), 0);
    randomBytes(12).copy(body, 4);
    return Buffer.concat([body, this.#code(body)]).toString("hex");
  }

  /** Uses a nonce up. @returns whether it was ours, in time and unused */
  async use(nonce: string, now = Date.now()): Promise<boolean> {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    const bytes = Buffer.from(nonce, "hex");
    const body = bytes.subarray(0, bodyBytes);
    if (!timingSafeEqual(bytes.subarray(bodyBytes), this.#code(body))) return false;
    const ends = body.readUInt32BE(0) * 1000 + signInMs;
    if (ends <= now) return false;
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto("sign_in")
      .values({ nonce, expires_at: new Date(ends) })
      .onConflict((oc) => oc.column("nonce").doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Deletes used nonces that would be too old anyway. */
  async prune(): Promise<void> {
    await this.db.deleteFrom("sign_in").where("expires_at", "<", new Date()).execute();
  }

  #code(body: Buffer): Buffer {
    const mac = createHmac("sha256", this.secret).update("sign-in nonce\0").update(body);
    return mac.digest().subarray(0, 32 - bodyBytes);
  }
}
