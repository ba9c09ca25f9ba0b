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
  /** Atomic units. */
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

/** A transfer the payer authorized; amounts in atomic units. */
export interface Order {
  network: string;
  from: Address;
  to: Address;
  amount: bigint;
  nonce: Hex;
}

/**
 * Who has deposited how much, and which transfers were made of it: apart from anybody's balance in the token. Everything
 * is synchronous, so that no two settlements can use one authorization or one balance.
 */
export class DepositLedger {
  readonly #state: z.infer<typeof stateSchema>;

  /** @param file where it is kept; without one it is forgotten at the end */
  constructor(readonly file?: string) {
    this.#state = stateSchema.parse(read(file) ?? { balances: {}, transfers: [] });
  }

  balance(network: string, account: Address): bigint {
    return BigInt(this.#state.balances[network]?.[account] ?? 0);
  }

  deposit(network: string, account: Address, amount: bigint): void {
    this.#set(network, account, this.balance(network, account) + amount);
    this.#keep();
  }

  /** Moves a deposit, once per payer and nonce. @returns the transfer, or why there is none */
  settle({
    network,
    from,
    to,
    amount,
    nonce,
  }: Order): Transfer | "nonce_already_used" | "insufficient_balance" {
    if (this.transfers({ network, from, nonce }).length > 0) return "nonce_already_used";
    const left = this.balance(network, from) - amount;
    if (left < 0n) return "insufficient_balance";
    const now = new Date().toISOString();
    const transfer: Transfer = {
      ...{
        id: randomUUID(),
        status: "received",
        token: "USDC",
        sendingNetwork: network,
        recipientNetwork: network,
      },
      ...{
        fromAddress: from,
        toAddress: to,
        amount: amount.toString(),
        nonce,
        createdAt: now,
        updatedAt: now,
      },
    };
    this.#set(network, from, left);
    this.#set(network, to, this.balance(network, to) + amount);
    this.#state.transfers.push(transfer);
    this.#keep();
    return transfer;
  }

  transfer(id: string): Transfer | undefined {
    return this.#state.transfers.find((each) => each.id === id);
  }

  /** The transfers that fit everything that is given. */
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

  /** By renaming, so that a stop in the middle leaves the old file. */
  #keep(): void {
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
