import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  pad,
  toEventSelector,
  toHex,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { DevelopmentRegistry } from "@/contracts";
import { attestationSite } from "@/contracts/attestation";
import { startAttesterWorld } from "./test/world";

/** What the two look-up endpoints answer beyond what production code asks today (attester.test.ts has that). */
let world: Awaited<ReturnType<typeof startAttesterWorld>>;
const people = Array.from({ length: 3 }, () => privateKeyToAddress(generatePrivateKey()));
const [mina = zeroHash, jonas = zeroHash, lucia = zeroHash] = people;
const { contract, accountSchema, countrySchema, registry } = attestationSite(8453);
const made: Hex[] = [];

beforeAll(async () => {
  world = await startAttesterWorld();
  for (const address of [mina, jonas, mina]) {
    // A second apart, so that there is an order in time.
    await createTestClient({ mode: "anvil", transport: http(world.base.anvil.rpcUrl) }).increaseTime({
      seconds: 1,
    });
    const country = made.length === 2 ? { country: "KR" } : {};
    const circuit = made.length === 2 ? "partner_country_attestation" : "network_eligibility";
    made.push(await world.attest({ circuit, address, ...country }));
  }
}, 60_000);
afterAll(() => world?.close());

describe("the index", () => {
  const answerSchema = z.object({
    data: z.object({ attestations: z.array(z.record(z.string(), z.unknown())) }),
  });
  /** The registry's usual query. */
  const QUERY = `query Q($where: AttestationWhereInput, $orderBy: [AttestationOrderByWithRelationInput!], $take: Int, $skip: Int) {
    attestations(where: $where, orderBy: $orderBy, take: $take, skip: $skip) {
      id attester recipient revoked revocationTime expirationTime time txid schemaId
    }
  }`;
  const ask = async (variables: unknown, query = QUERY) => {
    const response = await world.post("/graphql", { query, variables, operationName: "Q" });
    return answerSchema.parse(await response.json()).data.attestations;
  };
  const txids = async (variables: unknown) => (await ask(variables)).map((row) => row.txid);

  it("answers the registry's query with the registry's types", async () => {
    const where = {
      schemaId: { equals: accountSchema },
      recipient: { equals: mina },
      attester: { equals: contract },
      revoked: { equals: false },
    };
    const { timestamp } = await world.base.client.getBlock({
      blockNumber: (await world.base.client.getTransactionReceipt({ hash: made[0] ?? zeroHash })).blockNumber,
    });
    expect(await ask({ where, orderBy: [{ time: "desc" }], take: 1, skip: 0 })).toEqual([
      {
        ...{
          id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          attester: contract,
          recipient: mina,
          revoked: false,
        },
        ...{
          revocationTime: 0,
          expirationTime: 0,
          time: Number(timestamp),
          txid: made[0],
          schemaId: accountSchema,
        },
      },
    ]);
  });

  it("takes the query inline as well, with one order instead of a list", async () => {
    const query = `query Q { attestations(where: {schemaId: {equals: "${countrySchema}"}, recipient: {equals: "${mina}"}, revoked: {equals: false}}, orderBy: {time: desc}, take: 5) { txid } }`;
    expect(await ask(undefined, query)).toEqual([{ txid: made[2] }]);
  });

  it("orders, skips and takes", async () => {
    const newestFirst = [...made].reverse();
    expect(await txids({ orderBy: [{ time: "desc" }] })).toEqual(newestFirst);
    expect(await txids({ orderBy: [{ time: "asc" }] })).toEqual(made);
    expect(await txids({ orderBy: [{ time: "desc" }], take: 1, skip: 1 })).toEqual([newestFirst[1]]);
    expect(await txids({ skip: 3 })).toEqual([]);
    expect(await txids({ take: 0 })).toEqual([]);
  });

  it("compares text to the letter, as the real one does", async () => {
    const lower = mina.toLowerCase();
    expect(await txids({ where: { recipient: { equals: lower } } })).toEqual([]);
    expect(await txids({ where: { recipient: { equals: lower, mode: "insensitive" } } })).toHaveLength(2);
    expect(await txids({ where: { recipient: { in: [jonas, lucia] } } })).toEqual([made[1]]);
    expect(await txids({ where: { recipient: { equals: "nobody" } } })).toEqual([]);
    expect(await txids({ where: { schemaId: { equals: "0x12" } } })).toEqual([]);
  });

  it("tells what others attested apart by the attester", async () => {
    const data = {
      recipient: lucia,
      expirationTime: 0n,
      revocable: true,
      refUID: zeroHash,
      data: "0x",
      value: 0n,
    } as const;
    const call = {
      abi: DevelopmentRegistry.abi,
      functionName: "attest",
      args: [{ schema: accountSchema, data }],
    } as const;
    await world.base.send(1, encodeFunctionData(call), { to: registry });
    const where = { recipient: { equals: lucia }, schemaId: { equals: accountSchema } };
    expect(await txids({ where })).toHaveLength(1);
    expect(await txids({ where: { ...where, attester: { equals: contract } } })).toEqual([]);
  });

  it("knows a revocation at once", async () => {
    const where = { recipient: { equals: jonas } };
    const [{ id } = { id: "" }] = await ask({ where });
    await world.revoke({ circuit: "network_eligibility", address: jonas });
    expect(await txids({ where: { ...where, revoked: { equals: false } } })).toEqual([]);
    const [row] = await ask({ where: { ...where, revoked: { equals: true } } });
    expect(row).toMatchObject({ id, revoked: true, revocationTime: expect.any(Number) });
    const one = await world.post("/graphql", {
      query: `{ attestation(where: {id: "${id}"}) { txid revoked } }`,
    });
    expect(await one.json()).toEqual({ data: { attestation: { txid: made[1], revoked: true } } });
  });

  it.each([
    ["a field it does not have", { query: "{ attestations { salary } }" }],
    ["a filter it does not have", { query: "{ attestations(where: {age: {gt: 3}}) { id } }" }],
    ["a filter of another type", { query: "{ attestations(where: {revoked: {equals: 1}}) { id } }" }],
    ["no GraphQL", { query: "SELECT 1" }],
    ["no query", {}],
    ["no JSON", "{"],
  ])("refuses %s with 400 and an error", async (_, body) => {
    const response = await world.post("/graphql", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it("refuses to take fewer than nothing", async () => {
    const response = await world.post("/graphql", { query: "{ attestations(take: -1) { id } }" });
    expect(await response.json()).toMatchObject({ errors: [expect.anything()], data: null });
  });
});

describe("the explorer", () => {
  const COUNT = 7;
  const giwa = attestationSite(91342);
  const hashes: Hex[] = [];
  beforeAll(async () => {
    // In the order of the chain.
    for (let i = 0; i < COUNT; i++) {
      const address = i === 2 ? lucia : privateKeyToAddress(generatePrivateKey());
      hashes.push(await world.attest({ circuit: "regional_attestation", address }));
    }
  }, 60_000);

  const topics = {
    topic0: toEventSelector("Attested(address,address,bytes32,bytes32)"),
    topic2: pad(giwa.contract, { size: 32 }).toLowerCase(),
    topic0_2_opr: "and",
  };
  const base = {
    module: "logs",
    action: "getLogs",
    fromBlock: "0",
    toBlock: "latest",
    address: giwa.registry,
  };
  const answerSchema = z.object({
    ...{ status: z.string(), message: z.string() },
    result: z.array(z.looseObject({ transactionHash: z.string() })).nullable(),
  });
  const ask = async (changes: Record<string, string | undefined> = {}) => {
    const params = Object.entries({ ...base, ...topics, ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    const response = await fetch(
      `${world.url}/api?${new URLSearchParams(z.array(z.tuple([z.string(), z.string()])).parse(params))}`,
    );
    expect(response.status).toBe(200);
    return answerSchema.parse(await response.json());
  };

  it("lists the logs in the order of the chain, in the form explorers give them", async () => {
    const { status, message, result } = await ask();
    expect({ status, message }).toEqual({ status: "1", message: "OK" });
    expect(result?.map((log) => log.transactionHash)).toEqual(hashes);
    const { blockNumber, gasUsed, effectiveGasPrice } = await world.giwa.client.getTransactionReceipt({
      hash: hashes[0] ?? zeroHash,
    });
    const { timestamp } = await world.giwa.client.getBlock({ blockNumber });
    expect(result?.[0]).toEqual({
      address: giwa.registry,
      topics: [topics.topic0, expect.any(String), topics.topic2, giwa.accountSchema],
      data: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: toHex(blockNumber),
      timeStamp: toHex(timestamp),
      gasPrice: toHex(effectiveGasPrice),
      gasUsed: toHex(gasUsed),
      ...{ logIndex: "0x0", transactionIndex: "0x0", transactionHash: hashes[0] },
    });
  });

  it("gives pages of the asked size, the last one short, and none after it", async () => {
    const found: string[] = [];
    for (const [page, expected] of [
      ["1", 3],
      ["2", 3],
      ["3", 1],
    ] as const) {
      const { result } = await ask({ page, offset: "3" });
      expect(result).toHaveLength(expected);
      found.push(...(result ?? []).map((log) => log.transactionHash));
    }
    expect(found).toEqual(hashes);
    expect(await ask({ page: "4", offset: "3" })).toEqual({
      status: "0",
      message: "No records found",
      result: [],
    });
  });

  it("filters by topic, address and block", async () => {
    const topic1 = pad(lucia, { size: 32 }).toLowerCase();
    const and = { topic0_1_opr: "and", topic1_2_opr: "and" };
    expect((await ask({ topic1, ...and })).result?.map((log) => log.transactionHash)).toEqual([hashes[2]]);
    expect((await ask({ topic1: pad(mina, { size: 32 }), ...and })).message).toBe("No records found");
    expect((await ask({ address: mina })).message).toBe("No records found");
    const third = await world.giwa.client.getTransactionReceipt({ hash: hashes[2] ?? zeroHash });
    const number = String(third.blockNumber);
    expect((await ask({ fromBlock: number, toBlock: number })).result).toHaveLength(1);
    expect((await ask({ fromBlock: "latest" })).result?.at(-1)?.transactionHash).toBe(hashes.at(-1));
  });

  it.each([
    [{ module: "account" }, "Unknown module"],
    [{ action: "getTransactions" }, "Unknown module or action"],
    [{ fromBlock: undefined }, "missing: fromBlock"],
    [{ topic0_2_opr: undefined }, "missing: topic0_2_opr"],
    [{ address: undefined, topic0: undefined, topic2: undefined }, "missing: address and/or topic"],
    [{ topic0_2_opr: "or" }, 'must be "and"'],
    [{ fromBlock: "0x1" }, "Invalid fromBlock format"],
    [{ toBlock: "pending" }, "Invalid toBlock format"],
    [{ topic0: "0x12" }, "Invalid topic0 format"],
    [{ address: "0x12" }, "Invalid address format"],
    [{ offset: "1001" }, "Invalid offset format"],
    [{ page: "0" }, "Invalid page format"],
  ])("refuses %j", async (changes, message) => {
    expect(await ask(changes)).toEqual({
      status: "0",
      message: expect.stringContaining(message),
      result: null,
    });
  });
});
