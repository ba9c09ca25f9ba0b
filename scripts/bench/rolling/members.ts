import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "@/db/schema";
import { ApiError, createClient } from "@/lib/client";
import { followEvents } from "@/lib/client/events";
import { contract } from "@/lib/contract";
import { membersOf, type Seed } from "../api/seed";
import { type Meter, Shift } from "./meter";

const READERS = 4;
const VOTERS = 3;
const COMMENTERS = 3;
const ROOMS = 2;
const LISTENERS = 8;
/** Milliseconds between two requests of one client. */
const PAUSE_MS = 40;
/** Before a request that failed is sent again under the same key. */
const AGAIN_MS = 500;
const MOST_TRIES = 20;
const PATIENCE_MS = 60_000;

/** What was acknowledged and is not there, or is there more than once. */
interface Losses {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** A chat with one sender, whose messages are in the order in which they were acknowledged. */
interface Room {
  readonly topicId: string;
  /** Index of the member who speaks. */
  readonly sender: number;
  readonly sent: string[];
  /** What each listener got. */
  readonly heard: readonly string[][];
  /** Stops the listeners. */
  readonly stops: readonly (() => void)[];
}

interface World {
  /** The app, through the proxy. */
  readonly url: string;
  readonly meter: Meter;
  readonly seed: Seed;
}

/** Members and guests of a seeded community, who read, vote, comment and chat. */
export class Members {
  readonly #world: World;
  readonly #shift = new Shift();
  readonly #comments: string[] = [];
  readonly #votes: { readonly postId: string; readonly userId: string }[] = [];
  readonly #rooms: Room[] = [];
  /** Marks what this run writes. */
  readonly #run = randomUUID().slice(0, 8);
  #count = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** What was acknowledged so far. */
  get counts() {
    const messages = this.#rooms.reduce((sum, { sent }) => sum + sent.length, 0);
    const heard = this.#rooms.flatMap((room) => room.heard).reduce((sum, each) => sum + each.length, 0);
    return { comments: this.#comments.length, votes: this.#votes.length, messages, heard };
  }

  /** Starts everybody. Resolves when each listener has heard a first message. */
  async start(): Promise<void> {
    const { seed } = this.#world;
    for (let n = 0; n < ROOMS; n += 1) this.#rooms.push(await this.#open(n));
    for (let n = 0; n < READERS; n += 1) this.#shift.repeat(PAUSE_MS, () => this.#read());
    const posts = seed.posts.values();
    for (let n = 0; n < VOTERS; n += 1) this.#shift.repeat(PAUSE_MS, () => this.#vote(posts));
    for (let n = 0; n < COMMENTERS; n += 1) this.#shift.repeat(PAUSE_MS, () => this.#comment());
    for (const room of this.#rooms) this.#shift.repeat(PAUSE_MS, () => this.#say(room));
  }

  /** Ends what is under way, and waits until the listeners have everything, or for a minute. */
  async end(): Promise<void> {
    await this.#shift.end();
    const until = Date.now() + PATIENCE_MS;
    const isBehind = () =>
      this.#rooms.some(({ sent, heard }) => heard.some((each) => each.length < sent.length));
    while (isBehind() && Date.now() < until) await sleep(100);
    for (const stop of this.#rooms.flatMap(({ stops }) => stops)) stop();
  }

  /** Compares what was acknowledged with the database and with what listeners heard. */
  async losses(db: Db): Promise<Losses> {
    const lost: string[] = [];
    const doubled: string[] = [];
    const compare = (what: string, given: readonly string[], found: readonly string[]) => {
      const counts = new Map<string, number>();
      for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
      for (const each of given) if (!counts.has(each)) lost.push(`${what} ${each}`);
      for (const [each, count] of counts) if (count > 1) doubled.push(`${what} ${each}`);
    };
    const mine = `${this.#run} %`;
    const comments = await db
      .selectFrom("comments")
      .select("content")
      .where("content", "like", mine)
      .execute();
    compare(
      "comment",
      this.#comments,
      comments.map(({ content }) => content),
    );
    const votes = await db.selectFrom("votes").select(["post_id", "user_id"]).execute();
    compare(
      "vote",
      this.#votes.map(({ postId, userId }) => `${postId} ${userId}`),
      votes.map(({ post_id, user_id }) => `${post_id} ${user_id}`),
    );
    // A score is its votes, also those that are still to be added up.
    const { rows: wrong } = await sql<{ id: string; count: number; votes: number }>`
      select * from (select p.id,
        p.upvote_count + coalesce((select sum(d.votes) from post_deltas d where d.post_id = p.id), 0)::int as count,
        coalesce((select sum(v.value) from votes v where v.post_id = p.id), 0)::int as votes
        from posts p) scores where count <> votes`.execute(db);
    for (const { id, count, votes: cast } of wrong)
      (count < cast ? lost : doubled).push(`score of ${id}: ${count} with ${cast} votes`);
    for (const { topicId, sent, heard } of this.#rooms) {
      const rows = await db
        .selectFrom("chat_messages")
        .select(["position", "message"])
        .where("topic_id", "=", topicId)
        .orderBy("position")
        .execute();
      rows.forEach(({ position }, index) => {
        if (Number(position) !== index + 1) lost.push(`position ${index + 1} of ${topicId}`);
      });
      const stored = rows.map(({ message }) => message).filter((text) => text.startsWith(`${this.#run} `));
      compare("message in the database", sent, stored);
      for (const each of heard) compare("message at a listener", sent, each);
    }
    return { lost, doubled };
  }

  /** Opens a room with its listeners. */
  async #open(topic: number): Promise<Room> {
    const { url, meter, seed } = this.#world;
    const topicId = seed.topics[topic] ?? "";
    const [sender = 0, ...people] = membersOf(topic).slice(0, LISTENERS + 1);
    const heard = people.map((): string[] => []);
    const here = new Set<number>();
    const stops = people.map((person, index) =>
      followEvents(
        contract.chat.subscribe,
        { topicId },
        {
          baseUrl: url,
          token: () => seed.members[person]?.token,
          fetch: meter.fetch,
          onEvent: ({ name, data }) => {
            if (name !== "message" || !("type" in data) || data.type !== "message") return;
            if (data.message.startsWith(this.#run)) heard[index]?.push(data.message);
            else here.add(index);
          },
        },
      ),
    );
    const room = { topicId, sender, sent: [], heard, stops };
    // A listener can resume once it has heard something.
    for (const until = Date.now() + PATIENCE_MS; here.size < people.length; await sleep(100)) {
      if (Date.now() > until) throw new Error(`not everybody hears what is said in ${topicId}`);
      await this.#client(sender).call(contract.chat.send, { topicId, message: "Is everybody here?" });
    }
    return room;
  }

  #client(member: number) {
    const { url, meter, seed } = this.#world;
    return createClient({ baseUrl: url, token: () => seed.members[member]?.token, fetch: meter.fetch });
  }

  /** Returns a number, a member and a post in turn. */
  #next() {
    const { seed } = this.#world;
    this.#count += 1;
    const post = seed.posts[(this.#count * 7) % seed.posts.length];
    const member = membersOf(post?.topic ?? 0)[this.#count % 20] ?? 0;
    return { n: this.#count, member, postId: post?.id ?? "", topicId: seed.topics[post?.topic ?? 0] ?? "" };
  }

  async #read(): Promise<void> {
    const { url, meter } = this.#world;
    const { n, member, postId, topicId } = this.#next();
    const client = this.#client(member);
    const pages = ["/", `/topics/${topicId}`, `/posts/${postId}`];
    await this.#once(async () => {
      await client.call(contract.posts.list, { topicId });
      await client.call(contract.posts.get, { postId });
      const page = await meter.fetch(`${url}${pages[n % pages.length]}`);
      if (!page.ok) throw new ApiError(page.status, null, `a page got ${page.status}`);
    });
  }

  /** Each member votes once for a post, and never repeats a vote: a second one would take it back. */
  async #vote(posts: Iterator<Seed["posts"][number]>): Promise<void> {
    const { value: post } = posts.next();
    if (!post) return;
    for (const member of membersOf(post.topic).slice(0, 20)) {
      if (this.#shift.isOver) return;
      const userId = this.#world.seed.members[member]?.userId ?? "";
      await this.#once(async () => {
        const { vote } = await this.#client(member).call(contract.posts.vote, { postId: post.id, value: 1 });
        if (vote?.value !== 1) throw new Error(`a first vote of ${userId} for ${post.id} took one back`);
        this.#votes.push({ postId: post.id, userId });
      });
      await sleep(PAUSE_MS);
    }
  }

  async #comment(): Promise<void> {
    const { n, member, postId } = this.#next();
    const content = `${this.#run} comment ${n}`;
    await this.#again((idempotencyKey) =>
      this.#client(member).call(contract.comments.create, { postId, content }, { idempotencyKey }),
    );
    this.#comments.push(content);
  }

  async #say({ topicId, sender, sent }: Room): Promise<void> {
    const message = `${this.#run} message ${sent.length}`;
    await this.#again((idempotencyKey) =>
      this.#client(sender).call(contract.chat.send, { topicId, message }, { idempotencyKey }),
    );
    sent.push(message);
  }

  /** Does what cannot be repeated. The meter has counted a failure of the server; any other refusal is one, too. */
  async #once(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isFailure(error)) this.#world.meter.failures.push(String(error));
    }
  }

  /** Sends a request, and after a failure again under the same key. */
  async #again(send: (key: string) => Promise<unknown>): Promise<void> {
    const key = randomUUID();
    for (let tries = 1; ; tries += 1) {
      try {
        await send(key);
        return;
      } catch (error) {
        if (!isFailure(error) && !(error instanceof ApiError && error.code === "idempotency_in_progress"))
          throw error;
        if (tries === MOST_TRIES) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }
}

/** Whether an error is one that the meter counts: no answer, or a status of 500 or more. */
function isFailure(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
