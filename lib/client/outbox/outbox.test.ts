import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { callAddress } from "../index";
import {
  discard,
  type Entry,
  forgetEntriesOf,
  pending,
  queue,
  sendAll,
  sendNow,
  syncTag,
  watchEntries,
} from "./index";
import { append, pathOf } from "./store";

const ada = "u_ada";
const bela = "u_bela";
const post = "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f00";
const topic = "6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f01";

/** STUB of the server: remembers keys like ours, and answers the next requests as `answers` says. */
class Server {
  readonly posts: { path: string; key: string; body: unknown }[] = [];
  readonly kept = new Map<string, unknown>();
  readonly answers: (Response | "lost" | "no network")[] = [];
  constructor(public user: string | null = ada) {}

  readonly fetch: typeof fetch = async (input, init) => {
    const path = String(input);
    if (path === "/api/auth/session") {
      return Response.json(this.user ? { userId: this.user } : { authenticated: false });
    }
    const key = new Headers(init?.headers).get("idempotency-key") ?? "";
    const answer = this.answers.shift();
    if (answer === "no network") throw new TypeError("Failed to fetch");
    const body: unknown = JSON.parse(String(init?.body));
    this.posts.push({ path, key, body });
    if (answer instanceof Response) return answer;
    this.kept.set(key, body);
    if (answer === "lost") throw new TypeError("Failed to fetch");
    return Response.json({}, { status: 201 });
  };
}

const refusal = (status: number, code: string, error = `Refused: ${code}`) =>
  Response.json({ error, code }, { status });
const comment = (content: string, userId = ada, triedKey: string | null = null) =>
  queue({ userId, kind: "comment", place: post, body: { content, parentId: null }, triedKey });
const texts = (entries: readonly Entry[]) => entries.map(({ body }) => body.content);

/** STUB of the browser's locks: one after the other. */
function locks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: <T>(_name: string, work: () => Promise<T>): Promise<T> => {
      const mine = last.then(work, work);
      last = mine;
      return mine;
    },
  };
}

const synced: string[] = [];
const sync = { register: async (tag: string) => void synced.push(tag) };

beforeEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.stubGlobal("navigator", { locks: locks(), serviceWorker: { getRegistration: async () => ({ sync }) } });
  await forgetEntriesOf(ada);
  await forgetEntriesOf(bela);
});

describe("the outbox", () => {
  it("sends in the order of writing, each under its own key, and keeps nothing", async () => {
    await comment("one");
    await queue({ userId: ada, kind: "post", place: topic, body: { title: "two" }, triedKey: null });
    await comment("three");
    const server = new Server();
    expect(await sendAll(ada, server.fetch)).toBe("done");
    expect(server.posts.map(({ path, body }) => [path, body])).toEqual([
      [`/api/posts/${post}/comments`, { content: "one", parentId: null }],
      [`/api/topics/${topic}/posts`, { title: "two" }],
      [`/api/posts/${post}/comments`, { content: "three", parentId: null }],
    ]);
    expect(new Set(server.posts.map(({ key }) => key)).size).toBe(3);
    expect(await pending(ada)).toEqual([]);
  });

  it("repeats a lost answer under the same key", async () => {
    const key = await comment("once");
    const server = new Server();
    server.answers.push("lost");
    expect(await sendAll(ada, server.fetch)).toBe("offline");
    expect(await pending(ada)).toHaveLength(1);
    expect(await sendAll(ada, server.fetch)).toBe("done");
    expect(server.posts.map((one) => one.key)).toEqual([key, key]);
    expect([...server.kept.values()]).toEqual([{ content: "once", parentId: null }]);
  });

  it("goes on under the key of the form's own attempt", async () => {
    await comment("tried", ada, "key-of-the-form");
    const server = new Server();
    await sendAll(ada, server.fetch);
    expect(server.posts.map(({ key }) => key)).toEqual(["key-of-the-form"]);
  });

  it("sends once however many ask at the same time", async () => {
    await comment("one");
    await comment("two");
    const server = new Server();
    await Promise.all([sendAll(ada, server.fetch), sendAll(ada, server.fetch), sendAll(null, server.fetch)]);
    expect(server.posts).toHaveLength(2);
  });

  it("asks the browser to wake the worker when the network is back", async () => {
    synced.length = 0;
    await comment("one");
    expect(synced).toEqual([syncTag]);
    sync.register = () => Promise.reject(new DOMException("forbidden", "NotAllowedError"));
    await expect(comment("two")).resolves.toEqual(expect.any(String));
  });

  it("stops at the first that cannot be sent, so that nothing overtakes", async () => {
    await comment("one");
    await comment("two");
    const server = new Server();
    server.answers.push("no network");
    expect(await sendAll(ada, server.fetch)).toBe("offline");
    expect(server.posts).toEqual([]);
    expect(texts(await pending(ada))).toEqual(["one", "two"]);
  });

  it.each([
    [429, "rate_limited", "later"],
    [409, "idempotency_in_progress", "later"],
    [401, "not_authenticated", "not-theirs"],
    [503, "unavailable", "offline"],
  ] as const)("waits on %i %s", async (status, code, ended) => {
    await comment("one");
    const server = new Server();
    server.answers.push(refusal(status, code));
    expect(await sendAll(ada, server.fetch)).toBe(ended);
    expect(await pending(ada)).toMatchObject([{ state: "waiting", problem: null }]);
  });

  it("takes a page of something in between for no answer", async () => {
    await comment("one");
    const server = new Server();
    server.answers.push(new Response("<html>Log in to the train's network</html>"));
    expect(await sendAll(ada, server.fetch)).toBe("offline");
    expect(await pending(ada)).toHaveLength(1);
  });

  it("keeps what is refused, with its text and the server's words, and sends the rest", async () => {
    await comment("one");
    await comment("two");
    const server = new Server();
    server.answers.push(refusal(403, "not_a_member", "You are not a member."));
    expect(await sendAll(ada, server.fetch)).toBe("done");
    expect(await pending(ada)).toMatchObject([
      {
        body: { content: "one" },
        state: "refused",
        code: "not_a_member",
        problem: "You are not a member.",
        triedAt: null,
      },
    ]);
    expect(server.kept.size).toBe(1);
    // It is not sent again automatically, only when its writer asks.
    await sendAll(ada, server.fetch);
    expect(server.posts).toHaveLength(2);
  });

  it("sends what was refused when its writer asks for it", async () => {
    const key = await comment("one");
    const server = new Server();
    server.answers.push(refusal(403, "muted"));
    await sendAll(ada, server.fetch);
    const [entry] = await pending(ada);
    vi.stubGlobal("fetch", server.fetch);
    expect(entry && (await sendNow(entry))).toBe("done");
    expect([...server.kept.keys()]).toEqual([key]);
    expect(await pending(ada)).toEqual([]);
  });

  it("asks its writer before a text is sent whose key the server may have forgotten", async () => {
    const key = await comment("old");
    const server = new Server();
    server.answers.push("lost");
    await sendAll(ada, server.fetch);
    vi.useFakeTimers({ now: Date.now() + 23.5 * 3_600_000, toFake: ["Date"] });
    expect(await sendAll(ada, server.fetch)).toBe("done");
    const [entry] = await pending(ada);
    expect(entry?.state).toBe("unsure");
    expect(server.posts).toHaveLength(1);
    vi.stubGlobal("fetch", server.fetch);
    expect(entry && (await sendNow(entry))).toBe("done");
    expect(server.posts[1]?.key).not.toBe(key);
  });

  it("does not age while the server only asks for patience", async () => {
    await comment("one");
    const server = new Server();
    server.answers.push(refusal(429, "rate_limited"));
    await sendAll(ada, server.fetch);
    expect(await pending(ada)).toMatchObject([{ triedAt: null }]);
  });

  it("is sent as its writer only, and shown to nobody else", async () => {
    await comment("of ada");
    const server = new Server(bela);
    expect(await sendAll(ada, server.fetch)).toBe("not-theirs");
    expect(await sendAll(null, server.fetch)).toBe("done");
    server.user = null;
    expect(await sendAll(ada, server.fetch)).toBe("not-theirs");
    expect(server.posts).toEqual([]);
    expect(await pending(bela)).toEqual([]);
    expect(texts(await pending(ada))).toEqual(["of ada"]);
  });

  it("is taken back, and forgotten with the account", async () => {
    const key = await comment("one");
    await comment("two");
    await comment("of bela", bela);
    await discard(key);
    expect(texts(await pending(ada))).toEqual(["two"]);
    await forgetEntriesOf(ada);
    expect(await pending(ada)).toEqual([]);
    expect(texts(await pending(bela))).toEqual(["of bela"]);
  });

  it("tells who watches", async () => {
    const seen = vi.fn();
    const stop = watchEntries(seen);
    const key = await comment("one");
    expect(seen).toHaveBeenCalled();
    stop();
    seen.mockClear();
    await discard(key);
    expect(seen).not.toHaveBeenCalled();
  });

  it("leaves out what is not an entry", async () => {
    const broken: Entry = { ...(await oneOf("fine")), place: "../elsewhere" };
    await append(broken);
    expect(texts(await pending(ada))).toEqual(["fine"]);
  });

  it("sends to where the operations are", () => {
    expect(pathOf({ kind: "comment", place: post })).toBe(
      callAddress(contract.comments.create, { postId: post }).path,
    );
    expect(pathOf({ kind: "post", place: topic })).toBe(
      callAddress(contract.posts.create, { topicId: topic }).path,
    );
  });
});

async function oneOf(content: string): Promise<Entry> {
  await comment(content);
  const [entry] = await pending(ada);
  if (!entry) throw new Error("nothing was kept");
  return entry;
}
