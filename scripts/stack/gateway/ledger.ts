import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Address, Hex } from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";

const transferSchema = z.object({
  id: z.string(),
  status: z.enum(["received", "batched", "confirmed", "completed", "failed"]),
  token: z.literal("USDC"),
  sendingNetwork: z.string(),
  recipientNetwork: z.string(),
  fromAddress: addressSchema,
  toAddress: addressSchema,
  amount: z.string(),
  nonce: hex32Schema,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Transfer = z.infer<typeof transferSchema>;

const stateSchema = z.object({
  /** Network -> account -> atomic units. */
  balances: z.record(z.string(), z.record(z.string(), z.string().regex(/^\d+$/))),
  transfers: z.array(transferSchema),
});

/** A transfer that the payer authorized. Amounts are in atomic units. */
export interface Order {
  network: string;
  from: Address;
  to: Address;
  amount: bigint;
  nonce: Hex;
}

/**
 * Deposits and the transfers made from them, independent of token balances. Everything is synchronous, so that no two
 * settlements can use one authorization or one balance.
 */
export class DepositLedger {
  readonly #state: z.infer<typeof stateSchema>;

  /** @param file keeps the ledger; without one it is in memory only */
  constructor(readonly file?: string) {
    this.#state = stateSchema.parse(read(file) ?? { balances: {}, transfers: [] });
  }

  balance(network: string, account: Address): bigint {
    return BigInt(this.#state.balances[network]?.[account] ?? 0);
  }

  deposit(network: string, account: Address, amount: bigint): void {
    this.#set(network, account, this.balance(network, account) + amount);
    this.#save();
  }

  /** Moves a deposit, once per payer and nonce. @returns the transfer, or the reason for a refusal */
  settle(order: Order): Transfer | "nonce_already_used" | "insufficient_balance" {
    const { network, from, to, amount, nonce } = order;
    if (this.transfers({ network, from, nonce }).length > 0) return "nonce_already_used";
    const left = this.balance(network, from) - amount;
    if (left < 0n) return "insufficient_balance";
    const now = new Date().toISOString();
    const transfer: Transfer = {
      ...{ id: randomUUID(), status: "received", token: "USDC", nonce },
      ...{ sendingNetwork: network, recipientNetwork: network, fromAddress: from, toAddress: to },
      ...{ amount: amount.toString(), createdAt: now, updatedAt: now },
    };
    this.#set(network, from, left);
    this.#set(network, to, this.balance(network, to) + amount);
    this.#state.transfers.push(transfer);
    this.#save();
    return transfer;
  }

  transfer(id: string): Transfer | undefined {
    return this.#state.transfers.find((each) => each.id === id);
  }

  /** Returns the transfers that match all given fields. */
  transfers({ network, from, to, nonce }: Partial<Order>): Transfer[] {
    return this.#state.transfers.filter(
      (each) =>
        (network === undefined || each.sendingNetwork === network) &&
        (from === undefined || each.fromAddress === from) &&
        (to === undefined || each.toAddress === to) &&
        (nonce === undefined || each.nonce === nonce),
    );
  }

  #set(network: string, account: Address, amount: bigint): void {
    this.#state.balances[network] = { ...this.#state.balances[network], [account]: amount.toString() };
  }

  /** Writes by renaming, so that a crash leaves the old file. */
  #save(): void {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(this.#state), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

function read(file: string | undefined): unknown {
  if (!file) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
