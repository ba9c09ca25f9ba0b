import {
  type Address,
  createPublicClient,
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

/** A log, by what is needed to read the registry's event. Explorers pad the topics with null. */
export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(hex32Schema.nullable()),
  data: hexSchema,
});

export type Attested = { uid: Hex; recipient: Address; attester: Address; schemaUID: Hex };

/** Reads the registry's event Attested; null for every other log. */
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

/** Whether an event is an attestation of this recipient by this attester. */
export function isBy(attester: Attester, recipient: Address, event: Attested): boolean {
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
export type Receipt = z.infer<typeof receiptSchema>;

const integerSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((hex) => BigInt(hex));
/** r and s come with or without their leading zeros, depending on the node. */
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

/** What the registry says of one attestation; times in seconds, 0 for never. */
export type RegistryAttestation = ReturnType<typeof decodeAttestation>;

function decodeAttestation(data: Hex) {
  return decodeFunctionResult({ abi: registryAbi, functionName: "getAttestation", data });
}

/** The registry's chain, asked through one node. Every method throws TrustUnavailableError when it cannot be. */
export class RegistryChain {
  readonly #client;
  readonly #whom: string;
  constructor(
    rpcUrl: string,
    private readonly attester: Attester,
    private readonly reach: Reach,
  ) {
    const transport = http(rpcUrl, { fetchFn: cautiousFetch(reach), timeout: TIMEOUT_MS, retryCount: 1 });
    this.#client = createPublicClient({ transport });
    this.#whom = `chain ${attester.chainId}`;
  }

  /** Receipt of a transaction, null when the chain does not have it. */
  receipt(hash: Hex): Promise<Receipt | null> {
    return ask(this.#whom, this.reach, async () => {
      const answer: unknown = await this.#client.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      });
      const receipt = receiptSchema.nullable().parse(answer);
      if (receipt && receipt.transactionHash !== hash) throw new Error("another transaction's receipt");
      return receipt;
    });
  }

  /**
   * The signed EIP-1559 transaction with this hash, rebuilt from its fields, since many nodes do not give it raw; null
   * when the chain does not have it or it is of another type.
   */
  rawTransaction(hash: Hex): Promise<Hex | null> {
    return ask(this.#whom, this.reach, async () => {
      const answer: unknown = await this.#client.request({
        method: "eth_getTransactionByHash",
        params: [hash],
      });
      const type = z.looseObject({ type: z.string() }).nullable().parse(answer)?.type;
      if (type !== "0x2") return null;
      const { r, s, v, yParity, input, ...fields } = transactionSchema.parse(answer);
      const raw = serializeTransaction(
        { ...fields, type: "eip1559", data: input },
        { r, s, yParity: Number(yParity ?? v) },
      );
      if (keccak256(raw) !== hash) throw new Error("not the transaction that was asked for");
      return raw;
    });
  }

  /** What the registry says of an attestation; zeros for an unknown one. */
  attestation(uid: Hex): Promise<RegistryAttestation> {
    return ask(this.#whom, this.reach, async () => {
      const data = encodeFunctionData({ abi: registryAbi, functionName: "getAttestation", args: [uid] });
      const answer: unknown = await this.#client.request({
        method: "eth_call",
        params: [{ to: this.attester.registry, data }, "latest"],
      });
      return decodeAttestation(hexSchema.parse(answer));
    });
  }

  /** The attestations of a recipient by this attester that a transaction made, in their order, with their places. */
  made(receipt: Receipt, recipient: Address): { uid: Hex; logIndex: bigint }[] {
    return receipt.logs
      .flatMap((log) => {
        const event = readAttested(this.attester.registry, log);
        return event && isBy(this.attester, recipient, event)
          ? [{ uid: event.uid, logIndex: log.logIndex }]
          : [];
      })
      .sort((a, b) => Number(a.logIndex - b.logIndex));
  }
}
