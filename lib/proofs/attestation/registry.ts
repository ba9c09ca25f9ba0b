import {
  type Address,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  parseAbi,
  serializeTransaction,
} from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema, hexSchema } from "../hex";
import type { Attester } from "../trust/attesters";
import { ask, cautiousFetch, type Reach, TIMEOUT_MS } from "./http";

/** The attestation registry on its chain (EAS, https://github.com/ethereum-attestation-service/eas-contracts). */
export const registryAbi = parseAbi([
  "struct Attestation { bytes32 uid; bytes32 schema; uint64 time; uint64 expirationTime; uint64 revocationTime; bytes32 refUID; address recipient; address attester; bool revocable; bytes data; }",
  "function getAttestation(bytes32 uid) view returns (Attestation)",
  "event Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)",
]);

/** 0x-prefixed number of at most 64 bits, as nodes and explorers write quantities. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,16}$/)
  .transform((hex) => BigInt(hex));

/** The fields of a log that identify the registry's event. Explorers pad the topics with null. */
export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(hex32Schema.nullable()),
  data: hexSchema,
});

type Attested = { uid: Hex; recipient: Address; attester: Address; schemaUID: Hex };

/** Decodes the registry's event Attested; null for any other log. */
export function readAttested(registry: Address, log: z.infer<typeof logSchema>): Attested | null {
  if (!isAddressEqual(log.address, registry)) return null;
  const [signature, ...topics] = log.topics.filter((topic) => topic !== null);
  if (!signature) return null;
  try {
    return decodeEventLog({
      abi: registryAbi,
      eventName: "Attested",
      data: log.data,
      topics: [signature, ...topics],
      strict: true,
    }).args;
  } catch {
    return null;
  }
}

/** Returns whether an event is an attestation of this recipient by this attester. */
export function isBy(attester: Attester, recipient: Address, event: Omit<Attested, "uid">): boolean {
  return (
    event.schemaUID === attester.schema &&
    isAddressEqual(event.attester, attester.contract) &&
    isAddressEqual(event.recipient, recipient)
  );
}

const receiptSchema = z.object({
  transactionHash: hex32Schema,
  status: z.enum(["0x0", "0x1"]),
  blockNumber: quantitySchema,
  logs: z.array(logSchema.extend({ logIndex: quantitySchema })),
});
type Receipt = z.infer<typeof receiptSchema>;

const integerSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((hex) => BigInt(hex));
/** r and s: nodes disagree on leading zeros. */
const scalarSchema = integerSchema.transform((value): Hex => `0x${value.toString(16).padStart(64, "0")}`);
const transactionSchema = z.object({
  type: z.literal("0x2"),
  chainId: quantitySchema.transform(Number),
  nonce: quantitySchema.transform(Number),
  gas: quantitySchema,
  maxFeePerGas: integerSchema,
  maxPriorityFeePerGas: integerSchema,
  to: addressSchema.nullable(),
  value: integerSchema,
  input: hexSchema,
  accessList: z
    .array(z.object({ address: addressSchema, storageKeys: z.array(hex32Schema) }))
    .nullish()
    .transform((list) => list ?? []),
  r: scalarSchema,
  s: scalarSchema,
  v: quantitySchema,
  yParity: quantitySchema.optional(),
});

/** An attestation as stored in the registry; times in seconds, 0 for never. */
export type RegistryAttestation = ReturnType<typeof decodeAttestation>;

function decodeAttestation(data: Hex) {
  return decodeFunctionResult({ abi: registryAbi, functionName: "getAttestation", data });
}

/** Reads the registry on its chain through one node. Every method throws TrustUnavailableError if the node fails. */
export class RegistryChain {
  readonly #transport;
  readonly #attester: Attester;
  readonly #reach: Reach;

  constructor(rpcUrl: string, attester: Attester, reach: Reach) {
    this.#transport = http(rpcUrl, { fetchFn: cautiousFetch(reach), timeout: TIMEOUT_MS, retryCount: 1 })({});
    this.#attester = attester;
    this.#reach = reach;
  }

  /** Returns the receipt of a transaction; null if the chain does not have it. */
  receipt(hash: Hex): Promise<Receipt | null> {
    return this.#ask("eth_getTransactionReceipt", [hash], (answer) => {
      const receipt = receiptSchema.nullable().parse(answer);
      if (receipt && receipt.transactionHash !== hash)
        throw new Error("the receipt is of another transaction");
      return receipt;
    });
  }

  /**
   * Returns the signed EIP-1559 transaction with this hash; null if the chain does not have it or it has another type.
   * Rebuilds it from its fields, since many nodes do not return raw transactions.
   */
  rawTransaction(hash: Hex): Promise<Hex | null> {
    return this.#ask("eth_getTransactionByHash", [hash], (answer) => {
      const type = z.looseObject({ type: z.string() }).nullable().parse(answer)?.type;
      if (type !== "0x2") return null;
      const { r, s, v, yParity, input, ...fields } = transactionSchema.parse(answer);
      const raw = serializeTransaction(
        { ...fields, type: "eip1559", data: input },
        { r, s, yParity: Number(yParity ?? v) },
      );
      if (keccak256(raw) !== hash) throw new Error("the node returned another transaction");
      return raw;
    });
  }

  /** Returns an attestation as stored in the registry; all zeros for an unknown one. */
  attestation(uid: Hex): Promise<RegistryAttestation> {
    const data = encodeFunctionData({ abi: registryAbi, functionName: "getAttestation", args: [uid] });
    const call = { to: this.#attester.registry, data };
    return this.#ask("eth_call", [call, "latest"], (answer) => decodeAttestation(hexSchema.parse(answer)));
  }

  /** Returns the recipient's attestations by this attester that a transaction made, in order of their logs. */
  made(receipt: Receipt, recipient: Address): { uid: Hex; logIndex: bigint }[] {
    return receipt.logs
      .flatMap((log) => {
        const event = readAttested(this.#attester.registry, log);
        return event && isBy(this.#attester, recipient, event)
          ? [{ uid: event.uid, logIndex: log.logIndex }]
          : [];
      })
      .sort((a, b) => Number(a.logIndex - b.logIndex));
  }

  #ask<T>(method: string, params: readonly unknown[], read: (answer: unknown) => T): Promise<T> {
    return ask(`chain ${this.#attester.chainId}`, this.#reach, async () =>
      read(await this.#transport.request({ method, params })),
    );
  }
}
