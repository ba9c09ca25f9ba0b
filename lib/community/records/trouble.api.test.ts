import { createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "@/db/client";
import { openTransactions, replaceSignature } from "@/lib/chain/journal";
import type { SenderStep } from "@/lib/chain/steps";
import { contract } from "@/lib/contract";
import { testDatabase } from "@/lib/testing/backends";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { refusalOf } from "../testing";
import { sweepRecords } from "./keeper";
import { numbersOf, oldPost, recordsOf, recordTopic } from "./testing";

let world: RecordWorld;
let database: OpenDatabase;
let h: Harness;
let wallet: { key: Hex; address: Hex };
let topic: Awaited<ReturnType<typeof recordTopic>>;
let member: TestUser;
let post: { id: string };
/** Done when a step is reached, once. */
let at: { step: SenderStep; work: () => Promise<void> } | undefined;
const checkpoint = async (step: SenderStep) => {
  if (step !== at?.step) return;
  const { work } = at;
  at = undefined;
  await work();
};

beforeAll(async () => {
  [world, database] = await Promise.all([startRecordWorld(), testDatabase()]);
});
afterAll(async () => {
  await database.close();
  await world.stop();
});

/** Another process of the same installation. */
const sameDatabase = (recording: Parameters<RecordWorld["options"]>[1] = {}) =>
  createHarness({
    ...world.options(wallet.key, { waitMs: 0, ...recording }),
    database: { ...database, close: async () => undefined },
  });

/** An installation of its own for each test, with a wallet whose transactions wait until they are mined by hand. */
async function begin(
  changes: Parameters<RecordWorld["options"]>[1] = {},
  more: Partial<Parameters<typeof createHarness>[0]> = {},
  balance?: bigint,
) {
  wallet = await world.wallet(balance);
  h = await createHarness({
    ...world.options(wallet.key, { waitMs: 0, checkpoint, ...changes }),
    database: { ...database, close: async () => undefined },
    ...more,
  });
  topic = await recordTopic(h, 1);
  [member = expect.fail()] = topic.people;
  post = await oldPost(h, topic);
}
afterEach(async () => {
  at = undefined;
  await h.close();
  await world.control.setAutomine(true);
});

const record = (postId = post.id) => member.api.call(contract.records.record, { postId });
const sweep = () => sweepRecords(h.services);
const mine = () => world.control.mine({ blocks: 1 });
const events = () => world.events(wallet.address);
const statuses = async () => (await recordsOf(h, member.userId)).rows.map(({ status }) => status);
const used = async () => (await recordsOf(h, member.userId)).used;
/** Looks, and counts. */
async function confirmed(): Promise<number> {
  await sweep();
  return (await statuses()).filter((status) => status === "confirmed").length;
}
const counted = async () => (await member.api.call(contract.posts.get, { postId: post.id })).post.recordCount;

/** A record that is written down and sent, and not mined. */
async function pending() {
  await world.control.setAutomine(false);
  const { record: made } = await record();
  expect(made).toMatchObject({ status: "pending", txHash: null, recordCount: 0 });
  return made;
}
/** The newest signed form of the newest transaction. */
async function newest() {
  const row = await h.db
    .selectFrom("chain_signatures as s")
    .innerJoin("chain_transactions as t", "t.id", "s.transaction_id")
    .select(["s.hash", "t.nonce", "t.state"])
    .where("t.wallet", "=", wallet.address)
    .orderBy("t.nonce", "desc")
    .orderBy("s.created_at", "desc")
    .executeTakeFirstOrThrow();
  const hash: Hex = `0x${row.hash.slice(2)}`;
  return { ...row, hash };
}

/** Signed forms of everything this wallet sent. */
async function signatures() {
  const rows = await h.db
    .selectFrom("chain_signatures as s")
    .innerJoin("chain_transactions as t", "t.id", "s.transaction_id")
    .select("s.hash")
    .where("t.wallet", "=", wallet.address)
    .execute();
  return rows.length;
}

describe("a chain that takes no record: 503, and nothing is used up", () => {
  const expectUnavailable = async () => {
    expect(await refusalOf(record())).toMatchObject({ status: 503, code: "record_unavailable" });
    const said = await member.api.call(contract.records.status, { postId: post.id });
    expect(said).toMatchObject({ allowed: false, code: "record_unavailable", cost: null, leftToday: 3 });
    expect(await recordsOf(h, member.userId)).toEqual({ rows: [], used: 0 });
    expect(await numbersOf(h, wallet.address)).toEqual([]);
    const { post: edited } = await topic.author.api.call(contract.posts.update, {
      postId: post.id,
      title: "still mine",
    });
    expect(edited.title).toBe("still mine");
  };

  it("because it is away", async () => {
    const { deployment } = world.options("0x");
    const chains = deployment?.chains?.map((chain) => ({ ...chain, rpcUrl: "http://127.0.0.1:1" }));
    await begin({}, { deployment: { ...deployment, chains } });
    await expectUnavailable();
  });

  it("because the wallet is empty", async () => {
    await begin({}, {}, 0n);
    await expectUnavailable();
  });

  it("because there is no board at the address", async () => {
    const { deployment } = world.options("0x");
    const recordBoard = { chainId: 8453, address: (await world.wallet()).address };
    await begin({}, { deployment: { ...deployment, recordBoard } });
    await expectUnavailable();
  });

  it("because it is another chain", async () => {
    const { deployment } = world.options("0x");
    const chains = deployment?.chains?.map((chain) => ({ ...chain, id: 1 }));
    const recordBoard = { chainId: 1, address: world.board };
    await begin({}, { deployment: { ...deployment, chains, recordBoard } });
    await expectUnavailable();
  });

  it("because what is on its way needs all the wallet has", async () => {
    await begin();
    await pending();
    const { maxFeePerGas = 0n, gas } = await world.control.getTransaction({ hash: (await newest()).hash });
    await world.control.setBalance({ address: wallet.address, value: (maxFeePerGas * gas * 3n) / 2n });
    // Another process: this one takes the price of a few seconds ago for that of now.
    const second = await sameDatabase();
    const other = await oldPost(h, topic);
    const call = second.clientFor(member.token).call(contract.records.record, { postId: other.id });
    expect(await refusalOf(call)).toMatchObject({ code: "record_unavailable" });
    expect([await used(), await numbersOf(h, wallet.address)]).toEqual([1, [0]]);
  });
});

describe("a record that is on its way", () => {
  it("is a record already; the post cannot be edited; the lists do not show it", async () => {
    await begin();
    const { id } = await pending();
    expect(await refusalOf(record())).toMatchObject({ code: "record_already" });
    const edit = topic.author.api.call(contract.posts.update, { postId: post.id, title: "new" });
    expect(await refusalOf(edit)).toMatchObject({ status: 409, code: "post_recorded" });
    const listed = await member.api.call(contract.records.list, { postId: post.id });
    expect(listed).toMatchObject({ records: [], recordCount: 0, userRecorded: false });
    await mine();
    await sweep();
    const shown = await member.api.call(contract.records.list, { postId: post.id });
    expect(shown).toMatchObject({ records: [{ id, contentHashMatch: true }], recordCount: 1 });
  });

  it("is confirmed, and told of once, however many look at once", async () => {
    await begin();
    await pending();
    await mine();
    await Promise.all([sweep(), sweep(), sweep()]);
    expect([await statuses(), await counted(), (await events()).length]).toEqual([["confirmed"], 1, 1]);
    const told = await h.db
      .selectFrom("notifications")
      .select("id")
      .where("kind", "=", "post_recorded")
      .where("post_id", "=", post.id)
      .execute();
    expect(told.length).toBe(1);
  });

  it("survives that its post is deleted", async () => {
    await begin();
    await pending();
    await topic.author.api.call(contract.posts.delete, { postId: post.id });
    await mine();
    await sweep();
    expect([await statuses(), await counted()]).toEqual([["confirmed"], 1]);
    const { postEdited } = await member.api.call(contract.records.list, { postId: post.id });
    expect(postEdited).toBe(true);
  });

  it("goes with its topic; its number is used up all the same, and the next one follows", async () => {
    await begin();
    await pending();
    await topic.author.api.call(contract.topics.delete, { topicId: topic.topicId });
    expect(await statuses()).toEqual([]);
    await mine();
    await sweep();
    expect(await newest()).toMatchObject({ nonce: 0, state: "succeeded" });
    topic = await recordTopic(h, 1);
    [member = expect.fail()] = topic.people;
    post = await oldPost(h, topic);
    await world.control.setAutomine(true);
    await record();
    await expect.poll(confirmed).toBe(1);
    expect(await numbersOf(h, wallet.address)).toEqual([0, 1]);
  });

  it("of a topic that is deleted while it is waited for: 404", async () => {
    await begin({ waitMs: 10_000 });
    await world.control.setAutomine(false);
    at = {
      step: "broadcast",
      work: async () => {
        await topic.author.api.call(contract.topics.delete, { topicId: topic.topicId });
      },
    };
    expect(await refusalOf(record())).toMatchObject({ code: "post_not_found" });
  });
});

describe("a transaction that is not mined", () => {
  it("because the node lost it: it is sent again, the same", async () => {
    await begin();
    await pending();
    const { hash } = await newest();
    await world.control.dropTransaction({ hash });
    await mine();
    expect(await events()).toEqual([]);
    await sweep();
    await mine();
    await sweep();
    expect((await events()).map((event) => event.hash)).toEqual([hash]);
    expect(await statuses()).toEqual(["confirmed"]);
  });

  it("because the node refused it: it leaves no gap, and goes once it is taken", async () => {
    await begin();
    await world.control.setAutomine(false);
    const setBalance = (value: bigint) => world.control.setBalance({ address: wallet.address, value });
    at = { step: "journaled", work: () => setBalance(0n) };
    expect((await record()).record.status).toBe("pending");
    await mine();
    expect(await events()).toEqual([]);
    await setBalance(10n ** 18n);
    // The next one has the next number and waits behind it.
    const other = await oldPost(h, topic);
    await record(other.id);
    await mine();
    expect(await events()).toEqual([]);
    await sweep();
    await mine();
    await sweep();
    expect([await statuses(), await numbersOf(h, wallet.address)]).toEqual([
      ["confirmed", "confirmed"],
      [0, 1],
    ]);
  });

  it("because its fee is too low: one with the same number and a higher fee takes its place, once", async () => {
    await begin({ replaceAfterMs: 0 });
    await pending();
    const cheap = await newest();
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 100n * 10n ** 9n });
    await mine();
    expect(await events()).toEqual([]);
    const second = await sameDatabase({ replaceAfterMs: 0 });
    const at = { chainId: 8453, address: wallet.address };
    const [seen = expect.fail()] = await openTransactions(h.db, at);
    await Promise.all([sweep(), sweepRecords(second.services)]);
    // Nor does a process replace it that still takes the cheap one for the newest.
    const late = await replaceSignature(h.db, at, seen, () => expect.fail("a second replacement"));
    expect([late, await signatures()]).toEqual([undefined, 2]);
    await mine();
    await sweep();
    const dear = await newest();
    expect([dear.nonce, dear.state, await statuses()]).toEqual([cheap.nonce, "succeeded", ["confirmed"]]);
    expect((await events()).map((event) => event.hash)).toEqual([dear.hash]);
    expect(dear.hash).not.toBe(cheap.hash);
    const { records } = await member.api.call(contract.records.list, { postId: post.id });
    expect(records[0]?.txHash).toBe(dear.hash);
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  });

  it("is left alone while it has not waited long, whatever its fee", async () => {
    await begin();
    await pending();
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 100n * 10n ** 9n });
    await mine();
    await sweep();
    expect(await signatures()).toBe(1);
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  });

  it("any more, since its block was reorganised away: it is sent again, and counts once", async () => {
    await begin({ waitMs: 10_000 });
    const snapshot = await world.control.snapshot();
    const { record: made } = await record();
    expect(made.status).toBe("confirmed");
    await world.control.revert({ id: snapshot });
    await mine();
    await mine();
    expect(await events()).toEqual([]);
    await sweep();
    await sweep();
    expect((await events()).length).toBe(1);
    expect([await statuses(), await counted(), await used()]).toEqual([["confirmed"], 1, 1]);
    const { records } = await member.api.call(contract.records.list, { postId: post.id });
    const { blockNumber } = await world.control.getTransactionReceipt({ hash: (await newest()).hash });
    expect(records[0]?.blockNumber).toBe(Number(blockNumber));
  });
});

describe("a transaction that records nothing frees its slot and its day", () => {
  const expectFreed = async () => {
    expect([await statuses(), await used(), await counted()]).toEqual([["failed"], 0, 0]);
    await topic.author.api.call(contract.posts.update, { postId: post.id, title: "edited again" });
    await world.control.setAutomine(true);
    await record();
    await expect.poll(confirmed).toBe(1);
    expect([await statuses(), await used(), await counted()]).toEqual([["failed", "confirmed"], 1, 1]);
    expect((await events()).length).toBe(1);
  };
  let code: Hex;
  const replaceBoard = async (by: Hex) => {
    code = (await world.control.getCode({ address: world.board })) ?? "0x";
    await world.control.setCode({ address: world.board, bytecode: by });
  };
  const restoreBoard = () => world.control.setCode({ address: world.board, bytecode: code });

  it("when it reverted", async () => {
    await begin();
    await pending();
    await replaceBoard("0xfe");
    await mine();
    await restoreBoard();
    await sweep();
    expect((await newest()).state).toBe("failed");
    await expectFreed();
  });

  it("when it succeeded without the board's event", async () => {
    await begin();
    await pending();
    await replaceBoard("0x00");
    await mine();
    await restoreBoard();
    await sweep();
    expect((await newest()).state).toBe("succeeded");
    await expectFreed();
  });

  it("when its number was used up by somebody else with the key", async () => {
    await begin({ lostAfterMs: 0 });
    await pending();
    const { hash, nonce } = await newest();
    await world.control.dropTransaction({ hash });
    const foreign = createWalletClient({
      account: privateKeyToAccount(wallet.key),
      chain: world.chain.chain,
      transport: http(world.chain.anvil.rpcUrl),
    });
    await foreign.sendTransaction({ to: wallet.address, nonce });
    await mine();
    // A node may be behind for a moment: it counts as lost at the second look.
    await sweep();
    expect(await statuses()).toEqual(["sent"]);
    await sweep();
    expect((await newest()).state).toBe("lost");
    await expectFreed();
    expect(await numbersOf(h, wallet.address)).toEqual([0, 1]);
  });

  it("and is refused with 503 when that shows while it is waited for", async () => {
    await begin({ waitMs: 10_000 });
    at = { step: "journaled", work: () => replaceBoard("0xfe") };
    expect(await refusalOf(record())).toMatchObject({ code: "record_unavailable" });
    await restoreBoard();
    await expectFreed();
  });
});
