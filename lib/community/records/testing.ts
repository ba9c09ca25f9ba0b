import { sql } from "kysely";
import type { Hex } from "viem";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { OpenDatabase } from "@/db/client";
import type { SenderStep } from "@/lib/chain/sender";
import { contract } from "@/lib/contract";
import { testDatabase } from "@/lib/testing/backends";
import { createHarness, type Harness, type HarnessOptions, type TestUser } from "@/lib/testing/harness";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { addTo, makePost, makeTopic, signIn } from "../testing";
import { sweepRecords } from "./settle";

/** A topic with its author and some members. */
export async function recordTopic(h: Harness, members: number) {
  const author = await signIn(h, "author");
  const { id } = await makeTopic(author);
  const people: TestUser[] = [];
  for (let i = 0; i < members; i += 1) {
    const member = await signIn(h, "member");
    await addTo(h.db, id, member);
    people.push(member);
  }
  return { topicId: id, author, people };
}

/** A post that is so old; by itself old enough to be recorded. */
export async function oldPost(
  h: Harness,
  { topicId, author }: { readonly topicId: string; readonly author: TestUser },
  { content = "<p>recorded text 👋</p>", ageMs = 3_600_000 } = {},
) {
  const post = await makePost(author, topicId, "A post", content);
  const createdAt = new Date(h.services.now().getTime() - ageMs);
  await sql`update posts set created_at = ${createdAt} where id = ${post.id}`.execute(h.db);
  return post;
}

/** What one person has used up: rows and counters, which have to agree. */
export async function recordsOf(h: Harness, userId: string) {
  const rows = await h.db
    .selectFrom("records")
    .select(["id", "post_id", "status", "tx_hash", "content_hash"])
    .where("recorder_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const days = await h.db.selectFrom("record_days").select("count").where("user_id", "=", userId).execute();
  return { rows, used: days.reduce((sum, { count }) => sum + count, 0) };
}

/** Numbers of everything ever signed with a wallet, in order. */
export async function numbersOf(h: Harness, wallet: string): Promise<number[]> {
  const rows = await h.db
    .selectFrom("chain_transactions")
    .select("nonce")
    .where("wallet", "=", wallet)
    .orderBy("nonce")
    .execute();
  return rows.map(({ nonce }) => nonce);
}

type Recording = HarnessOptions["recording"];

/** A user who records one post on a chain that mines on demand. Create one per test file, since it sets hooks. */
export function recordScene() {
  return new RecordScene();
}

type Told = Awaited<ReturnType<typeof peopleOf>> & {
  readonly h: Harness;
  readonly wallet: Awaited<ReturnType<RecordWorld["wallet"]>>;
};

class RecordScene {
  #world: RecordWorld | undefined;
  #database: OpenDatabase | undefined;
  #told: Told | undefined;
  /** Done when a step is reached, once. */
  at: { readonly step: SenderStep; readonly work: () => Promise<void> } | undefined;

  constructor() {
    beforeAll(async () => {
      [this.#world, this.#database] = await Promise.all([startRecordWorld(), testDatabase()]);
    });
    afterEach(async () => {
      this.at = undefined;
      await this.h.close();
      await this.world.control.setAutomine(true);
    });
    afterAll(async () => {
      await this.#database?.close();
      await this.#world?.stop();
    });
  }

  /** An installation and a wallet for each test, and a post that may be recorded. Requests do not wait. */
  async begin(recording: Recording = {}, more: Partial<HarnessOptions> = {}, balance?: bigint) {
    const wallet = await this.world.wallet(balance);
    const h = await this.#open(wallet.key, recording, more);
    this.#told = { h, wallet, ...(await peopleOf(h)) };
  }

  /** Another topic, with a post and people of its own. */
  async beginAnew() {
    this.#told = { h: this.h, wallet: this.wallet, ...(await peopleOf(this.h)) };
  }

  /** Another process of the same installation. */
  async sameDatabase(recording: Recording = {}): Promise<Harness> {
    return await this.#open(this.wallet.key, recording, {});
  }

  async #open(key: Hex, recording: Recording, more: Partial<HarnessOptions>): Promise<Harness> {
    const { db, pglite } = this.#database ?? expect.fail();
    const checkpoint = async (step: SenderStep) => {
      if (step !== this.at?.step) return;
      const { work } = this.at;
      this.at = undefined;
      await work();
    };
    return await createHarness({
      ...this.world.options(key, { waitMs: 0, checkpoint, ...recording }),
      database: { db, pglite, close: async () => undefined },
      ...more,
    });
  }

  get world(): RecordWorld {
    return this.#world ?? expect.fail();
  }
  get h(): Harness {
    return (this.#told ?? expect.fail()).h;
  }
  get wallet() {
    return (this.#told ?? expect.fail()).wallet;
  }
  get topic() {
    return (this.#told ?? expect.fail()).topic;
  }
  get member(): TestUser {
    return (this.#told ?? expect.fail()).member;
  }
  get post() {
    return (this.#told ?? expect.fail()).post;
  }

  async record(postId = this.post.id) {
    return await this.member.api.call(contract.records.record, { postId });
  }
  /** A record that is written down and sent, and not mined. */
  async pending() {
    await this.world.control.setAutomine(false);
    const { record } = await this.record();
    expect(record).toMatchObject({ status: "pending", txHash: null, recordCount: 0 });
    return record;
  }
  async sweep() {
    await sweepRecords(this.h.services);
  }
  async mine() {
    await this.world.control.mine({ blocks: 1 });
  }
  async events() {
    return await this.world.events(this.wallet.address);
  }
  async statuses() {
    return (await recordsOf(this.h, this.member.userId)).rows.map(({ status }) => status);
  }
  async used() {
    return (await recordsOf(this.h, this.member.userId)).used;
  }
  /** Looks after records, and says how many are confirmed. */
  async confirmed() {
    await this.sweep();
    return (await this.statuses()).filter((status) => status === "confirmed").length;
  }
  /** What the post says. */
  async counted() {
    const { post } = await this.member.api.call(contract.posts.get, { postId: this.post.id });
    return post.recordCount;
  }
  async numbers() {
    return await numbersOf(this.h, this.wallet.address);
  }

  /** Signed forms of everything this wallet sent, the newest first. */
  async signed() {
    const rows = await this.h.db
      .selectFrom("chain_signatures as s")
      .innerJoin("chain_transactions as t", "t.id", "s.transaction_id")
      .select(["s.hash", "t.nonce", "t.state"])
      .where("t.wallet", "=", this.wallet.address)
      .orderBy("t.nonce", "desc")
      .orderBy("s.created_at", "desc")
      .execute();
    return rows.map((row) => ({ ...row, hash: hexOf(row.hash) }));
  }
  async newest() {
    const [newest] = await this.signed();
    return newest ?? expect.fail("nothing was signed");
  }
}

const hexOf = (text: string): Hex => `0x${text.slice(2)}`;

async function peopleOf(h: Harness) {
  const topic = await recordTopic(h, 1);
  const [member = expect.fail()] = topic.people;
  return { topic, member, post: await oldPost(h, topic) };
}
