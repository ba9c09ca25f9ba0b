import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { NO_ROOT, rootHash } from "@/lib/proofs/anonymous/roots";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
import { FIELD_MODULUS } from "@/lib/proofs/words";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { dispatch } from "@/lib/testing/routes";
import { addTo, freshName, makeTopic, refusalOf, signIn } from "../testing";
import { publishRoots } from "./publish";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Three minutes into a round. */
const START = Date.UTC(2026, 10, 28, 12, 3);

let h: Harness;
let clock = START;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());
beforeEach(async () => {
  // An hour later for each test, and in the third minute of a round.
  clock += HOUR - ((clock - START) % (10 * MINUTE));
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});

const hex = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
let secrets = 1n;
/** A leaf of a secret that nobody else has. */
const freshLeaf = () => hex(leafOf(++secrets, 7n));

async function member(topic = topicId): Promise<TestUser> {
  const user = await signIn(h, "member");
  await addTo(h.db, topic, user);
  return user;
}
const enrol = async (user: TestUser, leaf = freshLeaf(), topic = topicId) =>
  (await user.api.call(contract.crowd.enrol, { topicId: topic, leaf })).crowd;
const crowdOf = async (user: TestUser) => (await user.api.call(contract.crowd.get, { topicId })).crowd;
const rootsOf = async (user: TestUser) => (await user.api.call(contract.crowd.roots, { topicId })).roots;
async function leavesOf(user: TestUser, number: number): Promise<string[]> {
  const path = `/api/topics/${topicId}/crowd/roots/${number}/leaves`;
  const request = new Request(new URL(path, "http://localhost"), {
    headers: { host: "localhost", authorization: `Bearer ${user.token}` },
  });
  const answer = await h.run(() => dispatch(request));
  const bytes = Buffer.from(await answer.arrayBuffer());
  return Array.from(
    { length: bytes.length / 32 },
    (_, i) => `0x${bytes.toString("hex", 32 * i, 32 * i + 32)}`,
  );
}
/** Goes on to the next round, and publishes. */
async function nextRound(): Promise<void> {
  clock += 10 * MINUTE;
  await publishRoots(h.services);
}

it("leaves of a large crowd come in parts, whole and in order", async () => {
  const size = 20_003;
  const gone = 12_345;
  await h.db.insertInto("crowds").values({ topic_id: topicId, number: 1, places: size }).execute();
  await sql`insert into crowd_leaves (topic_id, leaf, enrolled_at, counts_from, place, entered, gone)
    select ${topicId}::uuid, '0x' || lpad(to_hex(i + 1), 64, '0'), now(), now(), i, 1, case when i = ${gone} then 1 end
    from generate_series(0, ${size - 1}::int) i`.execute(h.db);
  const root = { root: hex(1n), size: size - 1, published_at: new Date(clock), hash: "0".repeat(64) };
  await h.db
    .insertInto("crowd_roots")
    .values({ topic_id: topicId, number: 1, ...root })
    .execute();
  const leaves = await leavesOf(owner, 1);
  expect(leaves).toHaveLength(size);
  expect(leaves.every((leaf, i) => leaf === hex(i === gone ? 0n : BigInt(i + 1)))).toBe(true);
});

describe("enrolling", () => {
  it("counts from the next round on, and not before", async () => {
    const user = await member();
    const leaf = freshLeaf();
    expect(await enrol(user, leaf)).toMatchObject({ latest: null, own: { leaf, isCounted: false } });
    await publishRoots(h.services);
    expect((await crowdOf(user)).latest).toBeNull();
    await nextRound();
    const crowd = await crowdOf(user);
    expect(crowd).toMatchObject({ latest: { number: 1, size: 1 }, own: { leaf, isCounted: true } });
    // At the round's own moment, whenever it was that a process came to it.
    expect(new Date(crowd.latest?.publishedAt ?? 0).getTime() % (10 * MINUTE)).toBe(0);
    expect(new Date(crowd.nextAt).getTime()).toBe(
      new Date(crowd.latest?.publishedAt ?? 0).getTime() + 10 * MINUTE,
    );
  });

  it("puts those of one round in places that do not say who came first", async () => {
    const leaves = Array.from({ length: 6 }, freshLeaf).sort().reverse();
    for (const leaf of leaves) await enrol(await member(), leaf);
    await nextRound();
    expect(await leavesOf(owner, 1)).toEqual(leaves.toReversed());
  });

  it("is one leaf per member, whatever comes at once", async () => {
    const user = await member();
    const leaves = Array.from({ length: 8 }, freshLeaf);
    await Promise.all(leaves.map((leaf) => enrol(user, leaf)));
    await nextRound();
    expect((await crowdOf(user)).latest).toMatchObject({ size: 1 });
    expect(leaves).toContain((await leavesOf(user, 1))[0]);
  });

  it("takes no leaf of someone else, no zero, and nothing that is no field element", async () => {
    const [one, other] = [await member(), await member()];
    const leaf = freshLeaf();
    await enrol(one, leaf);
    expect(await refusalOf(enrol(other, leaf))).toMatchObject({
      status: 409,
      code: "leaf_taken",
      field: "leaf",
    });
    // Nor one that somebody took out.
    await one.api.call(contract.crowd.withdraw, { topicId });
    expect(await refusalOf(enrol(other, leaf))).toMatchObject({ code: "leaf_taken" });
    for (const wrong of [
      hex(0n),
      hex(FIELD_MODULUS),
      hex(FIELD_MODULUS + 5n),
      "0x1",
      leaf.toUpperCase(),
      `${leaf}00`,
    ]) {
      expect(await refusalOf(enrol(other, wrong)), wrong).toMatchObject({ status: 400, field: "leaf" });
    }
    expect(await enrol(other, hex(FIELD_MODULUS - 1n))).toMatchObject({ own: { isCounted: false } });
  });

  it("is for members who may write", async () => {
    const outsider = await signIn(h, "outsider");
    expect(await refusalOf(enrol(outsider))).toMatchObject({ status: 403, code: "not_a_member" });
    const muted = await member();
    // The contract compares it with the real time, which is ahead of the clock here.
    const until = new Date(Date.now() + 365 * DAY).toISOString();
    await owner.api.call(contract.moderation.sanction, {
      topicId,
      userId: muted.userId,
      kind: "mute",
      until,
      reason: "r",
    });
    expect(await refusalOf(enrol(muted))).toMatchObject({ status: 403, code: "muted" });
  });
});

describe("roots", () => {
  it("are those of the tree of all leaves, in a list that is chained by hashes", async () => {
    const [first, second] = [await member(), await member()];
    await enrol(first);
    await nextRound();
    await enrol(second);
    await nextRound();
    await first.api.call(contract.crowd.withdraw, { topicId });
    await nextRound();
    const roots = await rootsOf(owner);
    expect(roots.map(({ number, size }) => [number, size])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ]);
    for (const { number, root } of roots) {
      const leaves = await leavesOf(owner, number);
      expect((await CrowdTree.of(leaves.map(BigInt))).root).toBe(BigInt(root));
    }
    let before = NO_ROOT;
    for (const { hash, publishedAt, ...root } of roots.toReversed()) {
      expect(hash).toBe(rootHash(before, { topicId, ...root, publishedAt: new Date(publishedAt) }));
      before = hash;
    }
  });

  it("stay as they were published, however the crowd goes on", async () => {
    const [first, second] = [await member(), await member()];
    await enrol(first);
    await nextRound();
    const before = await leavesOf(owner, 1);
    await first.api.call(contract.crowd.withdraw, { topicId });
    await enrol(second);
    await nextRound();
    expect(await leavesOf(owner, 1)).toEqual(before);
    expect(await leavesOf(owner, 2)).toEqual([hex(0n), expect.stringMatching(/^0x/)]);
  });

  it("come only where something changed", async () => {
    const user = await member();
    await enrol(user);
    await nextRound();
    await nextRound();
    await nextRound();
    expect(await rootsOf(user)).toHaveLength(1);
    // In and out again between two moments.
    const other = await member();
    await enrol(other);
    await other.api.call(contract.crowd.withdraw, { topicId });
    await nextRound();
    expect(await rootsOf(user)).toHaveLength(1);
  });

  it("come once, however many processes publish", async () => {
    for (let i = 0; i < 3; i++) await enrol(await member());
    clock += 10 * MINUTE;
    await Promise.all(Array.from({ length: 6 }, () => publishRoots(h.services)));
    expect(await rootsOf(owner)).toMatchObject([{ number: 1, size: 3 }]);
  });

  it("are read by whoever reads the topic, and page", async () => {
    const { id } = await makeTopic(owner, "private");
    const inside = await member(id);
    await enrol(inside, freshLeaf(), id);
    await nextRound();
    const outsider = await signIn(h, "outsider");
    for (const op of [contract.crowd.get, contract.crowd.roots]) {
      expect(await refusalOf(outsider.api.call(op, { topicId: id }))).toMatchObject({ code: "not_a_member" });
    }
    const path = `/api/topics/${id}/crowd/roots/1/leaves`;
    expect((await h.send("GET", path, { token: outsider.token })).status).toBe(403);
    expect((await h.send("GET", path, { token: inside.token })).headers.get("cache-control")).toMatch(
      /^private,/,
    );

    const user = await member();
    for (let i = 0; i < 3; i++) {
      await enrol(i % 2 ? owner : user);
      if (i === 2) await owner.api.call(contract.crowd.withdraw, { topicId });
      await nextRound();
    }
    const page = await user.api.call(contract.crowd.roots, { topicId, limit: 1 });
    const { roots } = await user.api.call(contract.crowd.roots, { topicId, cursor: page.nextCursor ?? "" });
    expect([...page.roots, ...roots]).toEqual(await rootsOf(user));
    const leaves = await h.send("GET", `/api/topics/${topicId}/crowd/roots/1/leaves`);
    expect(leaves.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    for (const number of ["99", "0", "-1", "1.5", "x", "9999999999"]) {
      const { body } = await h.send("GET", `/api/topics/${topicId}/crowd/roots/${number}/leaves`);
      expect(body, number).toMatchObject({ code: "root_not_found" });
    }
  });
});

describe("another leaf of the same person", () => {
  it("waits 30 days once a root had the one before, and the old one goes at once", async () => {
    const user = await member();
    await enrol(user);
    await nextRound();
    const { own } = await enrol(user);
    expect(new Date(own?.countsFrom ?? 0).getTime()).toBe(clock + 30 * DAY);
    await nextRound();
    expect((await crowdOf(user)).latest).toMatchObject({ number: 2, size: 0 });
    clock += 29 * DAY;
    await nextRound();
    const later = await h.login(user.nickname);
    expect((await crowdOf(later)).own).toMatchObject({ isCounted: false });
    clock += DAY;
    await nextRound();
    expect(await crowdOf(later)).toMatchObject({ latest: { number: 3, size: 1 }, own: { isCounted: true } });
  });

  it("does not wait as long as no root had one", async () => {
    const user = await member();
    await enrol(user);
    const { own } = await enrol(user);
    expect(new Date(own?.countsFrom ?? 0).getTime()).toBe(clock);
  });

  it("waits, too, after leaving and coming back; the same leaf does not", async () => {
    const user = await member();
    const leaf = freshLeaf();
    await enrol(user, leaf);
    await nextRound();
    await user.api.call(contract.topics.leave, { topicId });
    await nextRound();
    expect((await rootsOf(owner))[0]).toMatchObject({ size: 0 });
    await user.api.call(contract.topics.join, { topicId });
    const waiting = await enrol(user);
    expect(new Date(waiting.own?.countsFrom ?? 0).getTime()).toBe(clock + 30 * DAY);
    const same = await enrol(user, leaf);
    expect(new Date(same.own?.countsFrom ?? 0).getTime()).toBe(clock);
    await nextRound();
    expect((await crowdOf(user)).latest).toMatchObject({ size: 1 });
  });

  it("waits, too, when they withdrew their account and signed in anew", async () => {
    const nickname = freshName("returning");
    const user = await h.login(nickname);
    await addTo(h.db, topicId, user);
    const identity = { identity_hash: `identity of ${nickname}` };
    await h.db.updateTable("users").set(identity).where("id", "=", user.userId).execute();
    await enrol(user);
    await nextRound();
    await user.api.call(contract.profile.deleteAccount, {});
    await nextRound();
    expect((await rootsOf(owner))[0]).toMatchObject({ size: 0 });
    const left = await h.db
      .selectFrom("crowd_leaves")
      .select("user_id")
      .where("topic_id", "=", topicId)
      .execute();
    expect(left).toEqual([{ user_id: null }]);

    const again = await member();
    await h.db.updateTable("users").set(identity).where("id", "=", again.userId).execute();
    const { own } = await enrol(again);
    expect(new Date(own?.countsFrom ?? 0).getTime()).toBe(clock + 30 * DAY);
    const stranger = await enrol(await member());
    expect(new Date(stranger.own?.countsFrom ?? 0).getTime()).toBe(clock);
  });

  it("is forgotten to be another one a year after it went", async () => {
    const user = await member();
    await enrol(user);
    await nextRound();
    await user.api.call(contract.crowd.withdraw, { topicId });
    const identities = () =>
      h.db
        .selectFrom("crowd_leaves")
        .select("identity_hash")
        .where("topic_id", "=", topicId)
        .where("identity_hash", "is not", null)
        .execute();
    clock += 363 * DAY;
    await publishRoots(h.services);
    expect(await identities()).toHaveLength(1);
    clock += 2 * DAY;
    await publishRoots(h.services);
    expect(await identities()).toHaveLength(0);
  });
});

describe("a leaf goes out of the crowd with", () => {
  const gone = async () => {
    await nextRound();
    expect((await rootsOf(owner))[0]).toMatchObject({ number: 2, size: 0 });
    expect(await leavesOf(owner, 2)).toEqual([hex(0n)]);
  };
  async function counted(): Promise<TestUser> {
    const user = await member();
    await enrol(user);
    await nextRound();
    return user;
  }

  it("a removal by the staff", async () => {
    const user = await counted();
    await owner.api.call(contract.members.remove, { topicId, userId: user.userId });
    await gone();
  });

  it("a ban by name", async () => {
    const user = await counted();
    await owner.api.call(contract.moderation.sanction, {
      topicId,
      userId: user.userId,
      kind: "ban",
      reason: "r",
    });
    await gone();
  });

  it("a proof that lapses", async () => {
    const user = await counted();
    await h.db
      .updateTable("memberships")
      .set({ reprove_by: new Date(clock + MINUTE) })
      .where("user_id", "=", user.userId)
      .execute();
    clock += 2 * MINUTE;
    await publishRoots(h.services);
    await gone();
  });

  it("the member's own wish, twice as once", async () => {
    const user = await counted();
    for (let i = 0; i < 2; i++) {
      expect(await user.api.call(contract.crowd.withdraw, { topicId })).toEqual({ success: true });
      expect((await crowdOf(user)).own).toBeNull();
    }
    await gone();
  });
});
