import { createTestClient, createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { account, startLocalChain } from "@/contracts/local-chain";
import { Journal } from "@/lib/chain/journal";
import { contract } from "@/lib/contract";
import { createHarness } from "@/lib/testing/harness";
import { refusalOf } from "../testing";
import { sweepRecords } from "./settle";
import { oldPost, recordScene } from "./testing";

const s = recordScene();

describe("a transaction that is not mined", () => {
  it("because the node lost it: the same transaction is sent again", async () => {
    await s.begin();
    await s.pending();
    const { hash } = await s.newest();
    await s.world.control.dropTransaction({ hash });
    await s.mine();
    expect(await s.events()).toEqual([]);
    await s.sweep();
    await s.mine();
    await s.sweep();
    expect((await s.events()).map((event) => event.hash)).toEqual([hash]);
    expect(await s.statuses()).toEqual(["confirmed"]);
  });

  it("because the node refused it: it leaves no gap, and is sent once the node accepts it", async () => {
    await s.begin();
    await s.world.control.setAutomine(false);
    const setBalance = (value: bigint) => s.world.control.setBalance({ address: s.wallet.address, value });
    s.at = { step: "journaled", work: () => setBalance(0n) };
    expect((await s.record()).record.status).toBe("pending");
    await s.mine();
    expect(await s.events()).toEqual([]);
    await setBalance(10n ** 18n);
    // The next one has the next number and waits behind it.
    const other = await oldPost(s.h, s.topic);
    await s.record(other.id);
    await s.mine();
    expect(await s.events()).toEqual([]);
    await s.sweep();
    await s.mine();
    await s.sweep();
    expect([await s.statuses(), await s.numbers()]).toEqual([
      ["confirmed", "confirmed"],
      [0, 1],
    ]);
  });

  it("because its fee is too low: one with the same number and a higher fee takes its place, once", async () => {
    await s.begin({ replaceAfterMs: 0 });
    await s.pending();
    const cheap = await s.newest();
    await s.world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 100n * 10n ** 9n });
    await s.mine();
    expect(await s.events()).toEqual([]);
    const second = await s.sameDatabase({ replaceAfterMs: 0 });
    const at = { chainId: 8453, address: s.wallet.address };
    const journal = new Journal(s.h.db);
    const [seen = expect.fail()] = await journal.open(at);
    await Promise.all([s.sweep(), sweepRecords(second.services)]);
    // Neither does a process that still considers the cheap one the newest.
    const late = await journal.replace(at, seen, () => expect.fail("a second replacement"));
    expect([late, (await s.signed()).length]).toEqual([undefined, 2]);
    await s.mine();
    await s.sweep();
    const dear = await s.newest();
    expect([dear.nonce, dear.state, await s.statuses()]).toEqual([cheap.nonce, "succeeded", ["confirmed"]]);
    expect((await s.events()).map((event) => event.hash)).toEqual([dear.hash]);
    expect(dear.hash).not.toBe(cheap.hash);
    const { records } = await s.member.api.call(contract.records.list, { postId: s.post.id });
    expect(records[0]?.txHash).toBe(dear.hash);
    await s.world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  });

  it("is left alone while it has not waited long, whatever its fee", async () => {
    await s.begin();
    await s.pending();
    await s.world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 100n * 10n ** 9n });
    await s.mine();
    await s.sweep();
    expect((await s.signed()).length).toBe(1);
    await s.world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  });

  it("any more, since its block was reorganized away: it is sent again, and counts once", async () => {
    await s.begin({ waitMs: 10_000 });
    const snapshot = await s.world.control.snapshot();
    const { record: made } = await s.record();
    expect(made.status).toBe("confirmed");
    await s.world.control.revert({ id: snapshot });
    await s.mine();
    await s.mine();
    expect(await s.events()).toEqual([]);
    await s.sweep();
    // The node answers before it has mined what was sent again.
    await s.world.control.waitForTransactionReceipt({ hash: (await s.newest()).hash });
    await s.sweep();
    expect((await s.events()).length).toBe(1);
    expect([await s.statuses(), await s.counted(), await s.used()]).toEqual([["confirmed"], 1, 1]);
    const { records } = await s.member.api.call(contract.records.list, { postId: s.post.id });
    const { blockNumber } = await s.world.control.getTransactionReceipt({ hash: (await s.newest()).hash });
    expect(records[0]?.blockNumber).toBe(Number(blockNumber));
  });
});

describe("a remote signer", () => {
  it("signs what is recorded; while it does not, nothing is recorded and nothing used up", async () => {
    await s.begin();
    const { address } = account(7);
    const [{ rpcUrl }, { database }] = [s.world.chain.anvil, s.h.services];
    const signing = (url: string) => {
      const options = s.world.options("0x");
      const env = { RECORD_SIGNER_URL: url, RECORD_SIGNER_ADDRESS: address };
      return createHarness({ ...options, env, database });
    };
    const record = async (url: string) => {
      const h = await signing(url);
      const call = contract.records.record;
      return await h.clientFor(s.member.token).call(call, { postId: s.post.id });
    };
    expect(await refusalOf(record("http://127.0.0.1:9"))).toMatchObject({
      ...{ status: 503, code: "record_unavailable" },
    });
    expect([await s.statuses(), await s.used()]).toEqual([[], 0]);
    expect((await record(rpcUrl)).record.status).toBe("confirmed");
    expect(await s.world.events(address)).toHaveLength(1);
  });
});

describe("a transaction that records nothing frees its slot and its day", () => {
  const expectFreed = async () => {
    expect([await s.statuses(), await s.used(), await s.counted()]).toEqual([["failed"], 0, 0]);
    await s.topic.author.api.call(contract.posts.update, { postId: s.post.id, title: "edited again" });
    await s.world.control.setAutomine(true);
    await s.record();
    await expect.poll(() => s.confirmed()).toBe(1);
    expect([await s.statuses(), await s.used(), await s.counted()]).toEqual([["failed", "confirmed"], 1, 1]);
    expect((await s.events()).length).toBe(1);
  };
  /** Another program with the key. */
  const foreign = () =>
    createWalletClient({
      account: privateKeyToAccount(s.wallet.key),
      chain: s.world.chain.chain,
      transport: http(s.world.chain.anvil.rpcUrl),
    });
  let code: Hex;
  const replaceBoard = async (by: Hex) => {
    code = (await s.world.control.getCode({ address: s.world.board })) ?? "0x";
    await s.world.control.setCode({ address: s.world.board, bytecode: by });
  };
  const restoreBoard = () => s.world.control.setCode({ address: s.world.board, bytecode: code });

  it("when it reverted", async () => {
    await s.begin();
    await s.pending();
    await replaceBoard("0xfe");
    await s.mine();
    await restoreBoard();
    await s.sweep();
    expect((await s.newest()).state).toBe("failed");
    await expectFreed();
  });

  it("when it reverted, and stays failed when its block is reorganized away and it succeeds in another", async () => {
    await s.begin();
    const snapshot = await s.world.control.snapshot();
    await s.pending();
    await replaceBoard("0xfe");
    await s.mine();
    await s.sweep();
    expect((await s.newest()).state).toBe("failed");
    await s.world.control.revert({ id: snapshot });
    await s.mine();
    await s.sweep();
    expect((await s.newest()).state).toBe("open");
    await s.mine();
    await s.sweep();
    expect([(await s.newest()).state, (await s.events()).length]).toEqual(["succeeded", 1]);
    expect([await s.statuses(), await s.used(), await s.counted()]).toEqual([["failed"], 0, 0]);
    await s.world.control.setAutomine(true);
    await s.record();
    await expect.poll(() => s.confirmed()).toBe(1);
    expect(await s.numbers()).toEqual([0, 1]);
  });

  it("when it succeeded without the board's event", async () => {
    await s.begin();
    await s.pending();
    await replaceBoard("0x00");
    await s.mine();
    await restoreBoard();
    await s.sweep();
    expect((await s.newest()).state).toBe("succeeded");
    await expectFreed();
  });

  it("when another program with the key used its number", async () => {
    await s.begin({ lostAfterMs: 0 });
    await s.pending();
    const { hash, nonce } = await s.newest();
    await s.world.control.dropTransaction({ hash });
    await foreign().sendTransaction({ to: s.wallet.address, nonce });
    await s.mine();
    // A node may be behind for a moment: it counts as lost at the second look.
    await s.sweep();
    expect(await s.statuses()).toEqual(["sent"]);
    await s.sweep();
    expect((await s.newest()).state).toBe("lost");
    await expectFreed();
    expect(await s.numbers()).toEqual([0, 1]);
  });

  it("or was used up before we came: ours is the next", async () => {
    await s.begin({ waitMs: 10_000 });
    await foreign().sendTransaction({ to: s.wallet.address });
    expect((await s.record()).record.status).toBe("confirmed");
    expect(await s.numbers()).toEqual([1]);
  });

  it("but not when a node of another chain says that it was used up", async () => {
    await s.begin();
    await s.pending();
    const other = await startLocalChain(1);
    const control = createTestClient({ mode: "anvil", transport: http(other.anvil.rpcUrl) });
    await control.setNonce({ address: s.wallet.address, nonce: 5 });
    const { deployment, ...options } = s.world.options(s.wallet.key, { lostAfterMs: 0 });
    const chains = deployment?.chains?.map((chain) => ({ ...chain, rpcUrl: other.anvil.rpcUrl }));
    const database = { db: s.h.db, close: async () => undefined };
    const misled = await createHarness({ ...options, deployment: { ...deployment, chains }, database });
    await sweepRecords(misled.services);
    await sweepRecords(misled.services);
    await other.stop();
    expect(await s.statuses()).toEqual(["sent"]);
    await s.mine();
    await expect.poll(() => s.confirmed()).toBe(1);
  });

  it("and is refused with 503 when that shows while it is waited for", async () => {
    await s.begin({ waitMs: 10_000 });
    s.at = { step: "journaled", work: () => replaceBoard("0xfe") };
    expect(await refusalOf(s.record())).toMatchObject({ code: "record_unavailable" });
    await restoreBoard();
    await expectFreed();
  });
});
