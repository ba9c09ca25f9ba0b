import { describe, expect, it } from "vitest";
import { MAX_ENTRIES, PAGE_SIZE } from "./log";
import { Room } from "./room";
import { at, entry, ME, mine, network, offline, Refused, server } from "./testing";

const ids = (room: Room) => room.snapshot().log.entries.map(({ id }) => id);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("a chat room", () => {
  it("goes on after the last entry of the page, and shows nothing twice", () => {
    const { room, say, resumedFrom } = server(3);
    room.open(null);
    expect(resumedFrom()).toBe("id-2");
    say(entry(3));
    say(entry(3));
    expect(ids(room)).toEqual(["id-0", "id-1", "id-2", "id-3"]);
  });

  it("puts a late entry in its place", () => {
    const { room, say } = server(3);
    room.open(null);
    say(entry(5));
    say(entry(4));
    expect(ids(room)).toEqual(["id-0", "id-1", "id-2", "id-4", "id-5"]);
  });

  it("loads what is older, once, until there is no more", async () => {
    const { room, lists } = server(PAGE_SIZE + 7);
    expect(room.snapshot().log.hasOlder).toBe(true);
    await Promise.all([room.loadOlder(), room.loadOlder()]);
    expect(lists()).toBe(1);
    expect(ids(room)).toHaveLength(PAGE_SIZE + 7);
    expect(new Set(ids(room)).size).toBe(PAGE_SIZE + 7);
    expect(room.snapshot().log.hasOlder).toBe(false);
  });

  it("keeps no more than it can show, and loads both ends again", async () => {
    const { room, say } = server(MAX_ENTRIES + 200);
    room.open(null);
    while (room.snapshot().log.hasOlder) await room.loadOlder();
    expect(ids(room)).toHaveLength(MAX_ENTRIES);
    expect(ids(room)[0]).toBe("id-0");
    expect(room.snapshot().log.hasNewer).toBe(true);
    room.attend(true);
    say(entry(MAX_ENTRIES + 200));
    expect(ids(room)).not.toContain(`id-${MAX_ENTRIES + 200}`);
    while (room.snapshot().log.hasNewer) await room.loadNewer();
    expect(ids(room)).toHaveLength(MAX_ENTRIES);
    expect(ids(room).at(-1)).toBe(`id-${MAX_ENTRIES + 200}`);
    expect(room.snapshot().log.hasOlder).toBe(true);
    // In order, without gaps.
    expect(ids(room)).toEqual(Array.from({ length: MAX_ENTRIES }, (_, n) => `id-${n + 201}`));
    await room.loadOlder();
    await room.toLatest();
    expect(ids(room).at(-1)).toBe(`id-${MAX_ENTRIES + 200}`);
    expect(room.snapshot().log.hasNewer).toBe(false);
  });

  it("jumps to a message far back with what surrounds it, goes on from there, and back to the end", async () => {
    const { room, say, lists } = server(MAX_ENTRIES * 3);
    room.open(null);
    expect(await room.jumpTo("id-400")).toBeNull();
    expect(lists()).toBe(2);
    expect(room.snapshot().target).toEqual({ id: "id-400" });
    const around = Array.from({ length: 2 * PAGE_SIZE }, (_, n) => `id-${n + 400 - PAGE_SIZE}`);
    expect(ids(room)).toEqual(around);
    expect(room.snapshot().log).toMatchObject({ hasOlder: true, hasNewer: true });
    // What arrives meanwhile is not put behind a gap.
    say(entry(MAX_ENTRIES * 3));
    expect(ids(room)).toEqual(around);
    await room.loadNewer();
    expect(ids(room).at(-1)).toBe(`id-${399 + 2 * PAGE_SIZE}`);
    room.unmark();
    expect(room.snapshot().target).toBeNull();
    await room.toLatest();
    expect(ids(room).at(-1)).toBe(`id-${MAX_ENTRIES * 3}`);
  });

  it("jumps to what it has without loading, and to the first message of all", async () => {
    const { room, lists } = server(PAGE_SIZE * 3);
    room.open(null);
    const last = `id-${PAGE_SIZE * 3 - 1}`;
    expect(await room.jumpTo(last)).toBeNull();
    expect(lists()).toBe(0);
    const first = room.snapshot().target;
    await room.jumpTo(last);
    // Another jump to the same message is another jump.
    expect(room.snapshot().target).not.toBe(first);
    await room.jumpTo("id-0");
    expect(ids(room)[0]).toBe("id-0");
    expect(room.snapshot().log.hasOlder).toBe(false);
  });

  it("keeps what arrives while it jumps to a message near the end", async () => {
    const { room, say } = server(PAGE_SIZE + 5);
    room.open(null);
    const jump = room.jumpTo("id-2");
    say(entry(PAGE_SIZE + 5));
    await jump;
    while (room.snapshot().log.hasNewer) await room.loadNewer();
    expect(ids(room)).toEqual(Array.from({ length: PAGE_SIZE + 6 }, (_, n) => `id-${n}`));
  });

  it("says why it cannot jump, and keeps what it shows", async () => {
    const room = new Room(
      {
        me: ME,
        latest: [entry(9)],
        presence: { users: [], count: 0 },
        muted: null,
        abilities: { own: [], others: [] },
      },
      offline,
    );
    expect(await room.jumpTo("id-1")).toEqual(network.failure);
    expect(ids(room)).toEqual(["id-9"]);
    expect(room.snapshot()).toMatchObject({ loading: null, target: null });
  });

  it("does not count messages that fold away as new", () => {
    const { room, say } = server(2, 2, undefined, ["blocked"]);
    room.open(null);
    room.attend(true);
    room.attend(false);
    say(entry(2, { userId: "blocked" }));
    expect(room.snapshot().unseen).toBe(0);
    say(entry(3));
    expect(room.snapshot().unseen).toBe(1);
  });

  it("fetches what a stream cannot replay any more", async () => {
    const { room, history, tell } = server(2);
    room.open(null);
    history.push(entry(2), entry(3));
    tell({ name: "reset", data: {} });
    await settle();
    expect(ids(room)).toEqual(["id-0", "id-1", "id-2", "id-3"]);
  });

  it("shows the end where too much was missed", async () => {
    const { room, history, tell } = server(2);
    room.open(null);
    for (let n = 2; n < MAX_ENTRIES + 10; n++) history.push(entry(n));
    tell({ name: "reset", data: {} });
    await settle();
    expect(ids(room)).toHaveLength(PAGE_SIZE);
    expect(ids(room).at(-1)).toBe(`id-${MAX_ENTRIES + 9}`);
    expect(room.snapshot().log.hasOlder).toBe(true);
  });

  it("fetches what came between an empty page and the stream", async () => {
    const { room, state } = server(2, 0);
    room.open(null);
    state({ kind: "live" });
    await settle();
    expect(ids(room)).toEqual(["id-0", "id-1"]);
  });
});

describe("sending", () => {
  it("shows a message at once and once, whichever of answer and stream comes first", async () => {
    for (const streamFirst of [true, false]) {
      const { room, sends, say } = server(1);
      room.open(null);
      room.send("hello");
      expect(room.snapshot().outbox).toMatchObject([{ text: "hello", state: "sending" }]);
      await settle();
      const message = mine(1, "hello");
      if (streamFirst) {
        say(message);
        expect(room.snapshot().outbox).toMatchObject([{ hasArrived: true }]);
      }
      sends[0]?.done(message);
      await settle();
      if (!streamFirst) say(message);
      expect(ids(room)).toEqual(["id-0", "id-1"]);
      expect(room.snapshot().outbox).toEqual([]);
    }
  });

  it("sends one after the other, in order", async () => {
    const { room, sends } = server(0);
    room.open(null);
    room.send("a");
    room.send("b");
    await settle();
    expect(sends.map(({ text }) => text)).toEqual(["a"]);
    sends[0]?.done(mine(0, "a"));
    await settle();
    expect(sends.map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("repeats with the same key: by hand, and by itself once there is a network", async () => {
    const { room, sends, state } = server(1);
    room.open(null);
    room.send("hello");
    await settle();
    sends[0]?.fail(network);
    await settle();
    expect(room.snapshot().outbox).toMatchObject([{ state: "failed", error: "no network" }]);
    room.retry("key-1");
    await settle();
    sends[1]?.fail(network);
    await settle();
    state({ kind: "live" });
    await settle();
    expect(sends.map(({ key }) => key)).toEqual(["key-1", "key-1", "key-1"]);
    sends[2]?.done(mine(1, "hello"));
    await settle();
    expect(ids(room)).toEqual(["id-0", "id-1"]);
    expect(room.snapshot().outbox).toEqual([]);
  });

  it("does not repeat what the server refused, unless asked to", async () => {
    const { room, sends, state } = server(1);
    room.open(null);
    room.send("hello");
    await settle();
    sends[0]?.fail(new Refused({ sentence: "Too many.", code: "rate_limited", until: null }));
    await settle();
    state({ kind: "live" });
    await settle();
    expect(sends).toHaveLength(1);
    expect(room.snapshot().outbox).toMatchObject([{ state: "failed", error: "Too many." }]);
    room.discard("key-1");
    expect(room.snapshot().outbox).toEqual([]);
  });

  it("is no failure when only the answer got lost, before or after the message came over the stream", async () => {
    for (const streamFirst of [true, false]) {
      const { room, sends, say } = server(1);
      room.open(null);
      room.send("hello");
      await settle();
      if (streamFirst) say(mine(1, "hello"));
      sends[0]?.fail(network);
      await settle();
      if (!streamFirst) say(mine(1, "hello"));
      expect(room.snapshot().outbox).toEqual([]);
      expect(ids(room)).toEqual(["id-0", "id-1"]);
    }
  });

  it("knows that the reader is muted", async () => {
    const { room, sends } = server(0);
    room.open(null);
    room.send("hello");
    await settle();
    sends[0]?.fail(new Refused({ sentence: "Muted.", code: "muted", until: at(99) }));
    await settle();
    expect(room.snapshot().muted).toEqual({ reason: null, until: at(99) });
  });
});

describe("what is new", () => {
  it("begins after the last entry seen on an earlier visit", () => {
    const { room } = server(5);
    room.open(at(2));
    expect(room.snapshot().markId).toBe("id-3");
    const own = new Room(
      {
        me: ME,
        latest: [entry(2), mine(1, "mine"), entry(0)],
        presence: { users: [], count: 0 },
        muted: null,
        abilities: { own: [], others: [] },
      },
      offline,
    );
    own.open(at(0));
    expect(own.snapshot().markId).toBe("id-2");
  });

  it("is what arrives while the reader is elsewhere; the line stays when they are back, and moves when they go again", () => {
    const { room, say } = server(2);
    room.open(null);
    expect(room.attend(true)).toBe(at(1));
    say(entry(2));
    expect(room.snapshot()).toMatchObject({ markId: null, unseen: 0 });
    room.attend(true);
    room.attend(false);
    say(entry(3));
    say(entry(4));
    say(entry(5, { type: "join" }));
    expect(room.snapshot()).toMatchObject({ markId: "id-3", unseen: 2 });
    room.attend(true);
    expect(room.snapshot()).toMatchObject({ markId: "id-3", unseen: 0 });
    room.attend(false);
    say(entry(6));
    expect(room.snapshot()).toMatchObject({ markId: "id-6", unseen: 1 });
  });

  it("is never one's own", () => {
    const { room, say } = server(1);
    room.open(null);
    say(mine(1, "from another tab"));
    expect(room.snapshot()).toMatchObject({ markId: null, unseen: 0 });
  });

  it("is told for reading aloud: messages of others that arrive, once, and no history", async () => {
    const { room, say } = server(PAGE_SIZE + 5);
    const heard: string[] = [];
    room.onArrival(({ id }) => heard.push(id));
    room.open(null);
    await room.loadOlder();
    say(mine(100, "mine"));
    say(entry(101));
    say(entry(101));
    say(entry(102, { type: "leave" }));
    expect(heard).toEqual(["id-101"]);
  });
});
