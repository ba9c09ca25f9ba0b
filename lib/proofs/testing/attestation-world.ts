import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseTransaction,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { z } from "zod";
import type { AttestationDeployment } from "../attestation/find";
import { type RegistryAttestation, registryAbi } from "../attestation/registry";
import { hex32Schema, hexSchema } from "../hex";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import { developmentSigners, person, signedAttestation } from "./attestations";

type Log = { address: Address; topics: Hex[]; data: Hex; logIndex: number };
type Mined = { raw: Hex; hash: Hex; block: number; time: number; status: "0x0" | "0x1"; logs: Log[] };

/** What an attestation in this world may be other than honest. */
export type Attesting = {
  recipient?: Address;
  country?: string;
  /** Seconds; default one more than the last. */
  time?: number;
  expirationTime?: number;
  reverted?: boolean;
  /** Default the circuit's. */
  schema?: Hex;
  /** Who attests in the registry; default the attester contract. */
  by?: Address;
  /** How often the one transaction attests. */
  times?: number;
  /** The index does not have it (yet). */
  unlisted?: boolean;
  /** Contract that logs it; default the registry. */
  registry?: Address;
};

const rpcRequestSchema = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
const callSchema = z.object({ to: hexSchema, data: hexSchema });
const graphqlSchema = z.object({
  query: z.string(),
  variables: z.object({
    where: z.record(z.string(), z.object({ equals: z.string() })),
    orderBy: z.tuple([z.object({ time: z.literal("desc") })]),
    take: z.number(),
  }),
});

/**
 * A chain with an attestation registry, the registry's GraphQL index and a block explorer, in memory behind `fetch`. It
 * answers as the real ones do, and can be told to fail.
 */
export class AttestationWorld {
  readonly deployment: AttestationDeployment;
  readonly attester: Attester;
  /** Requests by host: `rpc.test`, `public-rpc.test`, `index.test`, `explorer.test`. */
  readonly seen: { host: string; url: URL; body: unknown }[] = [];
  /** Replaces the answer of a host. */
  readonly answers = new Map<string, () => Response | Promise<Response>>();
  /** Logs of a page of the explorer. */
  pageSize = 1000;
  /** Index and explorer list everything they have, whatever was asked for. */
  unfiltered = false;
  /** Changes what the node answers to a method. */
  readonly tampered = new Map<string, Record<string, unknown>>();
  readonly #mined: Mined[] = [];
  readonly #registry = new Map<Hex, RegistryAttestation>();
  /** As logged: index and explorer know nothing else. */
  readonly #logged = new Map<Hex, RegistryAttestation>();
  readonly #unlisted = new Set<Hex>();
  #time = 1_800_000_000;
  #nonce = 0;

  constructor(readonly circuit: AttestedCircuit) {
    this.attester = attestersOf("development")[circuit];
    this.deployment = {
      mode: "development",
      chains: [
        {
          id: this.attester.chainId,
          name: "test",
          rpcUrl: "https://rpc.test/",
          publicRpcUrl: "https://public-rpc.test/",
          explorerUrl: null,
        },
      ],
      attestations: { graphqlUrl: "https://index.test/graphql", explorerUrl: "https://explorer.test" },
    };
  }

  /** Sends and mines an attestation transaction. */
  async attest(plan: Attesting = {}): Promise<{ raw: Hex; hash: Hex; uids: Hex[]; time: number }> {
    const recipient = plan.recipient ?? person.address;
    const [signer] = developmentSigners(this.circuit);
    if (!signer) throw new Error("no signer");
    const isCountry = this.circuit === "partner_country_attestation";
    const country = isCountry ? (plan.country ?? "FR") : undefined;
    const over = { nonce: this.#nonce++ };
    const raw = await signedAttestation({ attester: this.attester, signer, recipient, country, over });
    const time = plan.time ?? this.#time + 1;
    this.#time = Math.max(this.#time, time);
    const uids = plan.reverted
      ? []
      : Array.from({ length: plan.times ?? 1 }, () => this.#register(plan, recipient, time));
    const hash = keccak256(raw);
    const logs = uids.map((uid, logIndex) => ({
      ...this.#log(uid, logIndex),
      address: plan.registry ?? this.attester.registry,
    }));
    const block = this.#mined.length + 1;
    this.#mined.push({ raw, hash, block, time, status: plan.reverted ? "0x0" : "0x1", logs });
    if (plan.unlisted) this.#unlisted.add(hash);
    return { raw, hash, uids, time };
  }

  #register(plan: Attesting, recipient: Address, time: number): Hex {
    const uid = keccak256(stringToHex(`uid ${this.#registry.size}`));
    this.#logged.set(uid, {
      uid,
      schema: plan.schema ?? this.attester.schema,
      time: BigInt(time),
      expirationTime: BigInt(plan.expirationTime ?? 0),
      revocationTime: 0n,
      refUID: zeroHash,
      recipient,
      attester: plan.by ?? this.attester.contract,
      revocable: true,
      data: "0x",
    });
    this.#registry.set(uid, this.#said(uid, this.#logged));
    return uid;
  }

  #log(uid: Hex, logIndex: number): Log {
    const said = this.#said(uid);
    const topics = encodeEventTopics({
      abi: registryAbi,
      eventName: "Attested",
      args: { recipient: said.recipient, attester: said.attester, schemaUID: said.schema },
    }).map((topic) => hex32Schema.parse(topic));
    return {
      address: this.attester.registry,
      topics,
      data: encodeAbiParameters([{ type: "bytes32" }], [uid]),
      logIndex,
    };
  }

  #said(uid: Hex, known = this.#registry): RegistryAttestation {
    const empty = { uid: zeroHash, schema: zeroHash, refUID: zeroHash, time: 0n, expirationTime: 0n };
    const nobody = { revocationTime: 0n, recipient: zeroAddress, attester: zeroAddress, revocable: false };
    return known.get(uid) ?? { ...empty, ...nobody, data: "0x" };
  }

  /** The attester takes an attestation back, in seconds. */
  revoke(uid: Hex, time = this.#time): void {
    this.rewrite(uid, { revocationTime: BigInt(time) });
  }

  /** The registry says something else of an attestation than was logged. */
  rewrite(uid: Hex, change: Partial<RegistryAttestation>): void {
    this.#registry.set(uid, { ...this.#said(uid), ...change });
  }

  readonly fetch: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const url = new URL(String(input));
    const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    this.seen.push({ host: url.host, url, body });
    const answer = this.answers.get(url.host);
    if (answer) return answer();
    if (url.host === "index.test") return this.#index(body);
    if (url.host === "explorer.test") return this.#explorer(url);
    const { id, method, params } = rpcRequestSchema.parse(body);
    return Response.json({ jsonrpc: "2.0", id, result: this.#rpc(method, params) });
  };

  #rpc(method: string, [param]: unknown[]): unknown {
    if (method === "eth_call") {
      const { to, data } = callSchema.parse(param);
      if (BigInt(to) !== BigInt(this.attester.registry)) return "0x";
      const { args } = decodeFunctionData({ abi: registryAbi, data });
      const result = this.#said(args[0]);
      return encodeFunctionResult({ abi: registryAbi, functionName: "getAttestation", result });
    }
    const mined = this.#mined.find(({ hash }) => hash === param);
    if (!mined) return null;
    const tampered = this.tampered.get(method);
    if (method === "eth_getTransactionByHash")
      return { ...transactionOf(mined.raw, mined.hash), ...tampered };
    const logs = mined.logs.map((log) => ({ ...log, logIndex: numberToHex(log.logIndex) }));
    return {
      transactionHash: mined.hash,
      status: mined.status,
      blockNumber: numberToHex(mined.block),
      logs,
      ...tampered,
    };
  }

  #listed() {
    return this.#mined
      .filter(({ hash }) => !this.#unlisted.has(hash))
      .flatMap((mined) =>
        mined.logs.map((log) => ({ mined, log, said: this.#said(log.data, this.#logged) })),
      );
  }

  #index(body: unknown): Response {
    const { where, take } = graphqlSchema.parse(body).variables;
    const attestations = this.#listed()
      .map(({ mined, said }) => ({
        id: said.uid,
        attester: said.attester,
        recipient: said.recipient,
        schemaId: said.schema,
        time: mined.time,
        txid: mined.hash,
      }))
      .filter(
        (row) =>
          this.unfiltered ||
          Object.entries(row).every(([key, value]) => (where[key]?.equals ?? value) === value),
      )
      .sort((a, b) => b.time - a.time)
      .slice(0, take);
    return Response.json({ data: { attestations } });
  }

  #explorer(url: URL): Response {
    const wanted = [0, 1, 2, 3].map((i) => url.searchParams.get(`topic${i}`));
    const logs = this.#listed()
      .filter(
        ({ log }) => this.unfiltered || wanted.every((topic, i) => topic === null || topic === log.topics[i]),
      )
      .map(({ mined, log }) => ({
        ...log,
        logIndex: log.logIndex === 0 ? "0x" : numberToHex(log.logIndex),
        transactionHash: mined.hash,
        blockNumber: numberToHex(mined.block),
        timeStamp: numberToHex(mined.time),
      }));
    const from = (Number(url.searchParams.get("page")) - 1) * this.pageSize;
    const result = logs.slice(from, from + this.pageSize);
    return result.length === 0
      ? Response.json({ status: "0", message: "No logs found", result: [] })
      : Response.json({ status: "1", message: "OK", result });
  }
}

/** As nodes answer: quantities without leading zeros, r and s too. */
function transactionOf(raw: Hex, hash: Hex) {
  const {
    r,
    s,
    yParity,
    type: _,
    data,
    ...fields
  } = parseTransaction(z.templateLiteral(["0x02", z.string()]).parse(raw));
  const quantity = (value: bigint | number | undefined) => numberToHex(value ?? 0);
  return {
    hash,
    type: "0x2",
    chainId: quantity(fields.chainId),
    nonce: quantity(fields.nonce),
    gas: quantity(fields.gas),
    maxFeePerGas: quantity(fields.maxFeePerGas),
    maxPriorityFeePerGas: quantity(fields.maxPriorityFeePerGas),
    to: fields.to,
    value: quantity(fields.value),
    input: data,
    accessList: [],
    r: quantity(hexToBigInt(r ?? "0x0")),
    s: quantity(hexToBigInt(s ?? "0x0")),
    v: quantity(yParity),
    yParity: quantity(yParity),
  };
}
