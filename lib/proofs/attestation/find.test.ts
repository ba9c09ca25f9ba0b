import { type Hex, keccak256, padHex } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { TrustUnavailableError } from "../errors";
import { AttestationWorld } from "../testing/attestation-world";
import { person, stranger } from "../testing/attestations";
import { type AttestedCircuit, attestedCircuits } from "../trust/attesters";
import { type AttestationQuery, findAttestation, hasAttestationSource } from "./find";
import { ATTESTATIONS_QUERY } from "./sources";

let world: AttestationWorld;
const find = (over: Partial<AttestationQuery> = {}) =>
  findAttestation({
    deployment: world.deployment,
    circuit: world.circuit,
    recipient: person.address,
    fetch: world.fetch,
    now: () => 1_900_000_000_000,
    ...over,
  });
/** What an index and an explorer say of somebody without attestations. */
const nothing = { data: { attestations: [] }, status: "0", message: "No logs found", result: [] };
const hosts = () => new Set(world.seen.map(({ host }) => host));

/** Index and explorer name one attestation of the person, made by this transaction. */
function lie(uid: Hex, transactionHash: Hex): void {
  const { contract, registry, schema } = world.attester;
  const topics = [
    "0x8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35",
    padHex(person.address, { size: 32 }),
    padHex(contract, { size: 32 }),
    schema,
  ];
  const row = { id: uid, attester: contract, recipient: person.address, schemaId: schema, time: 1 };
  const log = { address: registry, topics, data: uid, transactionHash, timeStamp: "0x1" };
  const said = {
    data: { attestations: [{ ...row, txid: transactionHash }] },
    ...{ status: "1", message: "OK", result: [log] },
  };
  for (const host of ["index.test", "explorer.test"]) world.answers.set(host, () => Response.json(said));
}

describe.each(attestedCircuits)("finding an attestation for %s", (circuit: AttestedCircuit) => {
  beforeEach(() => {
    world = new AttestationWorld(circuit);
  });

  it("gives the signed transaction as it was sent, although nodes give only its fields", async () => {
    await world.attest({ recipient: stranger.address });
    const made = await world.attest({ country: "KR" });
    expect(await find()).toEqual({
      uid: made.uids[0],
      transactionHash: made.hash,
      rawTransaction: made.raw,
      time: made.time,
      country: circuit === "partner_country_attestation" ? "KR" : null,
    });
  });

  it("takes the newest, whatever was made before and for whomever else", async () => {
    await world.attest();
    const newest = await world.attest();
    await world.attest({ recipient: stranger.address });
    await world.attest({ by: stranger.address });
    await world.attest({ schema: keccak256("0x01") });
    await world.attest({ reverted: true });
    expect(await find()).toMatchObject({ transactionHash: newest.hash });
  });

  it("puts those of one second in the order of the chain", async () => {
    const time = 1_800_000_100;
    for (let i = 0; i < 3; i++) await world.attest({ time });
    const last = await world.attest({ time, times: 2 });
    expect(await find()).toMatchObject({ transactionHash: last.hash, uid: last.uids[1] });
  });

  it("does not fall back to an older one when the newest was revoked or has run out", async () => {
    await world.attest();
    const newest = await world.attest();
    world.revoke(newest.uids[0] ?? "0x");
    await expect(find()).rejects.toMatchObject({ code: "ATTESTATION_REVOKED", field: "user_address" });
    await world.attest({ expirationTime: 1_900_000_000 });
    await expect(find()).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
    expect(await find({ now: () => 1_899_999_999_999 })).toBeDefined();
  });

  it("says so when there is none", async () => {
    await world.attest({ recipient: stranger.address });
    await expect(find()).rejects.toMatchObject({ code: "ATTESTATION_NOT_FOUND" });
  });

  it("asks the deployment's addresses only, and the node meant for the side that asks", async () => {
    await world.attest();
    const index = circuit === "regional_attestation" ? "explorer.test" : "index.test";
    await find();
    expect(hosts()).toEqual(new Set([index, "public-rpc.test"]));
    world.seen.length = 0;
    await find({ side: "server" });
    expect(hosts()).toEqual(new Set([index, "rpc.test"]));
  });

  it("takes nothing it cannot read for an answer", async () => {
    await world.attest();
    const index = circuit === "regional_attestation" ? "explorer.test" : "index.test";
    const bad = [
      () => new Response("<html>", { status: 200 }),
      () => new Response("{}", { status: 200 }),
      () => Response.json({ status: "0", message: "NOTOK", result: "Max rate limit reached" }),
      () => Response.json({ errors: [{ message: "no" }], data: null }),
      () =>
        Response.json({ data: { attestations: [{ id: "0x1" }] }, status: "1", message: "OK", result: [{}] }),
      () => Response.json({ ...nothing, jsonrpc: "2.0", id: 1, padding: "x".repeat(5 * 1024 * 1024) }),
      () => Promise.reject(new TypeError("fetch failed")),
    ];
    for (const host of [index, "public-rpc.test"]) {
      for (const answer of bad) {
        world.answers.set(host, answer);
        await expect(find(), `${host} ${answer}`).rejects.toBeInstanceOf(TrustUnavailableError);
      }
      world.answers.delete(host);
    }
    expect(await find()).toBeDefined();
  }, 60_000);

  it("reads only what it asked for, from an index that lists more", async () => {
    world.unfiltered = true;
    const made = await world.attest();
    await world.attest({ recipient: stranger.address });
    await world.attest({ by: stranger.address });
    await world.attest({ schema: keccak256("0x01") });
    await world.attest({ registry: stranger.address, unlisted: circuit !== "regional_attestation" });
    expect(await find()).toMatchObject({ transactionHash: made.hash });
  });

  it("does not believe an index that the chain contradicts", async () => {
    const older = await world.attest();
    const { uids } = await world.attest();
    const [uid = "0x"] = uids;
    // The older transaction passed off as the newest, and an attestation that does not exist.
    lie(uid, older.hash);
    await expect(find()).rejects.toThrow("do not agree");
    lie(padHex("0x01", { size: 32 }), older.hash);
    await expect(find()).rejects.toThrow("do not agree");
  });

  it("does not believe logs that the registry contradicts", async () => {
    const { uids } = await world.attest();
    for (const change of [
      { recipient: stranger.address },
      { attester: stranger.address },
      { schema: keccak256("0x01") },
      { uid: keccak256("0x01") },
    ]) {
      const [uid = "0x"] = uids;
      world.rewrite(uid, change);
      await expect(find()).rejects.toThrow("do not agree");
      const { contract, schema } = world.attester;
      world.rewrite(uid, { uid, recipient: person.address, attester: contract, schema });
    }
    expect(await find()).toBeDefined();
  });

  it("does not believe a node that answers about something else", async () => {
    await world.attest();
    const tampering: [string, Record<string, unknown>][] = [
      ["eth_getTransactionByHash", { gas: "0x1" }],
      ["eth_getTransactionByHash", { r: "0x1" }],
      ["eth_getTransactionReceipt", { transactionHash: keccak256("0x01") }],
      ["eth_getTransactionReceipt", { logs: [] }],
    ];
    for (const [method, change] of tampering) {
      world.tampered.set(method, change);
      await expect(find(), `${method} ${Object.keys(change)}`).rejects.toBeInstanceOf(TrustUnavailableError);
      world.tampered.delete(method);
    }
    world.tampered.set("eth_getTransactionByHash", { type: "0x0" });
    await expect(find()).rejects.toMatchObject({ code: "TRANSACTION_MALFORMED" });
  });

  it("follows no redirect", async () => {
    await world.attest();
    const redirects: unknown[] = [];
    const watching: typeof fetch = (input, init) => {
      redirects.push(init?.redirect);
      return world.fetch(input, init);
    };
    await find({ fetch: watching });
    expect(new Set(redirects)).toEqual(new Set(["error"]));
  });

  it("is not offered without a source or without the chain", async () => {
    const { deployment } = world;
    expect(hasAttestationSource(deployment, circuit)).toBe(true);
    const without = [
      { ...deployment, attestations: undefined },
      { ...deployment, attestations: { graphqlUrl: null, explorerUrl: null } },
      { ...deployment, chains: [] },
    ];
    for (const deployment of without) {
      expect(hasAttestationSource(deployment, circuit)).toBe(false);
      await expect(find({ deployment })).rejects.toBeInstanceOf(TrustUnavailableError);
    }
  });

  it("keeps what names the wallet out of its errors", async () => {
    const { raw, uids } = await world.attest();
    world.answers.set("public-rpc.test", () => new Response("no", { status: 500 }));
    const error = await find().catch((reason: unknown) => reason);
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error)).toLowerCase();
    for (const secret of [person.address, uids[0] ?? "?", raw.slice(2), keccak256(raw)]) {
      expect(told).not.toContain(secret.toLowerCase());
    }
    expect(error).not.toHaveProperty("cause");
  });

  it("stops when the caller does", async () => {
    await world.attest();
    const signal = AbortSignal.abort(new Error("left"));
    await expect(find({ signal })).rejects.toThrow("left");
  });
});

describe("the index", () => {
  it("is asked for this attester's attestations of this wallet, newest first, revoked ones too", async () => {
    world = new AttestationWorld("network_eligibility");
    await world.attest();
    const recipient = `0x${person.address.slice(2).toLowerCase()}` as const;
    await find({ recipient });
    const { contract, schema } = world.attester;
    expect(world.seen.find(({ host }) => host === "index.test")?.body).toEqual({
      query: ATTESTATIONS_QUERY,
      variables: {
        where: {
          schemaId: { equals: schema },
          recipient: { equals: person.address },
          attester: { equals: contract },
        },
        orderBy: [{ time: "desc" }],
        take: 100,
      },
    });
  });
});

describe("the explorer's pages", () => {
  beforeEach(() => {
    world = new AttestationWorld("regional_attestation");
  });

  it("are followed until a short one: the newest may stand on the last", async () => {
    for (let i = 0; i < 3; i++) await world.attest({ times: 1000, time: 1_800_000_000 + i });
    const newest = await world.attest();
    expect(await find()).toMatchObject({ transactionHash: newest.hash });
    const pages = world.seen.filter(({ host }) => host === "explorer.test");
    expect(pages.map(({ url }) => url.searchParams.get("page"))).toEqual(["1", "2", "3", "4"]);
    expect(Object.fromEntries(pages[0]?.url.searchParams ?? [])).toEqual({
      module: "logs",
      action: "getLogs",
      fromBlock: "0",
      toBlock: "latest",
      address: "0x4200000000000000000000000000000000000021",
      topic0: "0x8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35",
      topic1: padHex(person.address, { size: 32 }).toLowerCase(),
      topic2: padHex(world.attester.contract, { size: 32 }).toLowerCase(),
      topic3: world.attester.schema,
      topic0_1_opr: "and",
      topic0_2_opr: "and",
      topic0_3_opr: "and",
      topic1_2_opr: "and",
      topic1_3_opr: "and",
      topic2_3_opr: "and",
      page: "1",
      offset: "1000",
    });
  });

  it("that repeat themselves, or never end, are no list", async () => {
    await world.attest({ times: 1000 });
    const explorer = world.fetch;
    const firstPageOnly: typeof fetch = (input, init) =>
      explorer(String(input).replace(/page=\d+/, "page=1"), init);
    await expect(find({ fetch: firstPageOnly })).rejects.toBeInstanceOf(TrustUnavailableError);
    expect(world.seen.filter(({ host }) => host === "explorer.test")).toHaveLength(2);
  });
});
