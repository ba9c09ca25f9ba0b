import type { Db } from "@/db/schema";
import type { Unsubscribe } from "@/lib/cache";
import { log } from "@/lib/log";
import { accessChannel, type Bus, inboxChannel, postChannel, topicChannel } from "./bus";
import type { Feed, Signal } from "./index";
import { Room } from "./room";
import type { LiveSettings } from "./settings";
import type { LiveStream } from "./stream";
import { every } from "./timers";

/** Keys per poll query. */
const PER_QUERY = 500;

/** The rooms of this process: one per feed and key with followers, and one upstream subscription per channel. */
export class Hub {
  readonly #rooms = new Map<Feed, Map<string, Room>>();
  readonly #channels = new Map<string, { users: number; readonly subscribed: Promise<Unsubscribe> }>();
  #stopLooking: (() => void) | null = null;
  readonly #db: Db;
  readonly #bus: Bus;
  readonly #settings: LiveSettings;

  constructor(db: Db, bus: Bus, settings: LiveSettings) {
    this.#db = db;
    this.#bus = bus;
    this.#settings = settings;
  }

  /** Returns the room of a key. It stays while it has streams: add one synchronously. */
  room(feed: Feed, key: string): Room {
    this.#stopLooking ??= every(this.#settings.lookMs * (0.9 + Math.random() / 5), () => this.poll());
    const rooms = this.#rooms.get(feed) ?? new Map<string, Room>();
    this.#rooms.set(feed, rooms);
    const there = rooms.get(key);
    if (there) return there;
    const subscribed = Promise.all(channelsOf(feed, key).map((channel) => this.#listen(channel)));
    const room = new Room(feed, key, this.#db, {
      stateMs: this.#settings.stateMs,
      calmMs: this.#settings.calmMs,
      subscribed: subscribed.then(() => undefined),
    });
    rooms.set(key, room);
    return room;
  }

  /** Removes a stream from its room; an empty room is closed. */
  leave(stream: LiveStream<Room>): void {
    const { room } = stream;
    room.remove(stream);
    if (room.streams.size > 0 || room.closed) return;
    room.close();
    this.#rooms.get(room.feed)?.delete(room.key);
    for (const channel of channelsOf(room.feed, room.key)) this.#unlisten(channel);
  }

  /** Streams that may be in a topic, or all. */
  *streamsIn(topicId: string | undefined): Iterable<LiveStream<Room>> {
    for (const [feed, rooms] of this.#rooms) {
      if (topicId === undefined) for (const room of rooms.values()) yield* room.streams;
      else if (feed.keyedBy === "topic") yield* rooms.get(topicId)?.streams ?? [];
      // Which of them are about posts in this topic, only the database knows.
      else if (feed.keyedBy === "post") for (const room of rooms.values()) yield* room.streams;
    }
  }

  /** Handles a change, in this or another process. */
  receive(signal: Signal): void {
    for (const [feed, rooms] of this.#rooms) {
      if (signal.kind === "inbox" && feed.keyedBy === "user") {
        const followed = signal.userIds.filter((userId) => rooms.has(userId));
        if (followed.length > 0) void this.#poll(feed, rooms, followed);
      }
      if (signal.kind === "thread" && feed.keyedBy === "post") rooms.get(signal.postId)?.stateChanged();
      if (feed.keyedBy !== "topic") continue;
      if (signal.kind === "chat") rooms.get(signal.topicId)?.hint(signal.position, signal.calm);
      if (signal.kind === "presence") rooms.get(signal.topicId)?.stateChanged();
    }
  }

  /** Polls everything followed. */
  async poll(): Promise<void> {
    for (const [feed, rooms] of this.#rooms) await this.#poll(feed, rooms, [...rooms.keys()]);
  }

  stop(): void {
    this.#stopLooking?.();
  }

  async #poll(feed: Feed, rooms: ReadonlyMap<string, Room>, keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += PER_QUERY) {
      try {
        const looks = await feed.look(this.#db, keys.slice(from, from + PER_QUERY));
        for (const [key, look] of looks) rooms.get(key)?.saw(look);
      } catch (error) {
        log.warn({ err: error }, "could not poll feeds");
      }
    }
  }

  async #listen(channel: string): Promise<void> {
    const there = this.#channels.get(channel) ?? { users: 0, subscribed: this.#bus.listen(channel) };
    this.#channels.set(channel, there);
    there.users += 1;
    await there.subscribed;
  }

  #unlisten(channel: string): void {
    const there = this.#channels.get(channel);
    if (!there) return;
    there.users -= 1;
    if (there.users > 0) return;
    this.#channels.delete(channel);
    there.subscribed
      .then((end) => end())
      .catch((error: unknown) => log.warn({ err: error }, "could not unsubscribe"));
  }
}

function channelsOf({ keyedBy }: Feed, key: string): string[] {
  const own = { topic: topicChannel(key), post: postChannel(key), user: inboxChannel };
  return [own[keyedBy], accessChannel];
}
