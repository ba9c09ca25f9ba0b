import { describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { refusalOf } from "../testing";
import { oldPost, recordScene, recordsOf } from "./testing";

const s = recordScene();

describe("a chain that accepts no record: 503, and nothing is used up", () => {
  const expectUnavailable = async () => {
    expect(await refusalOf(s.record())).toMatchObject({ status: 503, code: "record_unavailable" });
    const said = await s.member.api.call(contract.records.status, { postId: s.post.id });
    expect(said).toMatchObject({ allowed: false, code: "record_unavailable", cost: null, leftToday: 3 });
    expect(await recordsOf(s.h, s.member.userId)).toEqual({ rows: [], used: 0 });
    expect(await s.numbers()).toEqual([]);
    const { post: edited } = await s.topic.author.api.call(contract.posts.update, {
      postId: s.post.id,
      title: "still mine",
    });
    expect(edited.title).toBe("still mine");
  };

  it("because it is away", async () => {
    const { deployment } = s.world.options("0x");
    const chains = deployment?.chains?.map((chain) => ({ ...chain, rpcUrl: "http://127.0.0.1:1" }));
    await s.begin({}, { deployment: { ...deployment, chains } });
    await expectUnavailable();
  });

  it("because the wallet is empty", async () => {
    await s.begin({}, {}, 0n);
    await expectUnavailable();
  });

  it("because there is no board at the address", async () => {
    const { deployment } = s.world.options("0x");
    const recordBoard = { chainId: 8453, address: (await s.world.wallet()).address };
    await s.begin({}, { deployment: { ...deployment, recordBoard } });
    await expectUnavailable();
  });

  it("because it is another chain", async () => {
    const { deployment } = s.world.options("0x");
    const chains = deployment?.chains?.map((chain) => ({ ...chain, id: 1 }));
    const recordBoard = { chainId: 1, address: s.world.board };
    await s.begin({}, { deployment: { ...deployment, chains, recordBoard } });
    await expectUnavailable();
  });

  it("because what is on its way needs all the wallet has", async () => {
    await s.begin();
    await s.pending();
    const { maxFeePerGas = 0n, gas } = await s.world.control.getTransaction({
      hash: (await s.newest()).hash,
    });
    await s.world.control.setBalance({ address: s.wallet.address, value: (maxFeePerGas * gas * 3n) / 2n });
    // Another process, since this one caches the price for a few seconds.
    const second = await s.sameDatabase();
    const other = await oldPost(s.h, s.topic);
    const call = second.clientFor(s.member.token).call(contract.records.record, { postId: other.id });
    expect(await refusalOf(call)).toMatchObject({ code: "record_unavailable" });
    expect([await s.used(), await s.numbers()]).toEqual([1, [0]]);
  });
});

describe("a record that is on its way", () => {
  it("is a record already; the post cannot be edited; the lists do not show it", async () => {
    await s.begin();
    const { id } = await s.pending();
    expect(await refusalOf(s.record())).toMatchObject({ code: "record_already" });
    const edit = s.topic.author.api.call(contract.posts.update, { postId: s.post.id, title: "new" });
    expect(await refusalOf(edit)).toMatchObject({ status: 409, code: "post_recorded" });
    const listed = await s.member.api.call(contract.records.list, { postId: s.post.id });
    expect(listed).toMatchObject({ records: [], recordCount: 0, userRecorded: false });
    await s.mine();
    await s.sweep();
    const shown = await s.member.api.call(contract.records.list, { postId: s.post.id });
    expect(shown).toMatchObject({ records: [{ id, contentHashMatch: true }], recordCount: 1 });
  });

  it("is confirmed and notified once, by concurrent processes", async () => {
    await s.begin();
    await s.pending();
    await s.mine();
    await Promise.all([s.sweep(), s.sweep(), s.sweep()]);
    expect([await s.statuses(), await s.counted(), (await s.events()).length]).toEqual([["confirmed"], 1, 1]);
    const told = await s.h.db
      .selectFrom("notifications")
      .select("id")
      .where("kind", "=", "post_recorded")
      .where("post_id", "=", s.post.id)
      .execute();
    expect(told.length).toBe(1);
  });

  it("survives that its post is deleted", async () => {
    await s.begin();
    await s.pending();
    await s.topic.author.api.call(contract.posts.delete, { postId: s.post.id });
    await s.mine();
    await s.sweep();
    expect([await s.statuses(), await s.counted()]).toEqual([["confirmed"], 1]);
    const { postEdited } = await s.member.api.call(contract.records.list, { postId: s.post.id });
    expect(postEdited).toBe(true);
  });

  it("is deleted with its topic; its number is used up anyway, and the next one follows", async () => {
    await s.begin();
    await s.pending();
    await s.topic.author.api.call(contract.topics.delete, { topicId: s.topic.topicId });
    expect(await s.statuses()).toEqual([]);
    await s.mine();
    await s.sweep();
    expect(await s.newest()).toMatchObject({ nonce: 0, state: "succeeded" });
    await s.beginAnew();
    await s.world.control.setAutomine(true);
    await s.record();
    await expect.poll(() => s.confirmed()).toBe(1);
    expect(await s.numbers()).toEqual([0, 1]);
  });

  it("of a topic that is deleted while it is waited for: 404", async () => {
    await s.begin({ waitMs: 10_000 });
    await s.world.control.setAutomine(false);
    s.at = {
      step: "broadcast",
      work: async () => {
        await s.topic.author.api.call(contract.topics.delete, { topicId: s.topic.topicId });
      },
    };
    expect(await refusalOf(s.record())).toMatchObject({ code: "post_not_found" });
  });
});
