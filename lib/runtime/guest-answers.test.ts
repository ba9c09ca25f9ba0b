import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { GuestAnswers } from "./guest-answers";

function answers(options?: ConstructorParameters<typeof GuestAnswers>[1]) {
  const changes = {
    isFollowing: true,
    everything: 0,
    posts: new Map<string, number>(),
    latest: (postId?: string) => Math.max(changes.everything, changes.posts.get(postId ?? "") ?? 0),
  };
  const kept = new GuestAnswers(changes, options);
  const made: string[] = [];
  const make = async (key: string) => `${key} ${made.push(key)} ${"x".repeat(100)}`;
  const read = async (key: string, postId?: string) => {
    const { text } = await kept.read({ key, postId }, () => make(key));
    return text.split(" x")[0];
  };
  return { changes, kept, made, read };
}

it("makes an answer once for many requests, one for each key", async () => {
  const { read, made } = answers();
  expect(await Promise.all([read("a"), read("a"), read("b")])).toEqual(["a 1", "a 1", "b 2"]);
  expect([await read("a"), await read("b")]).toEqual(["a 1", "b 2"]);
  expect(made).toHaveLength(2);
});

it("makes it again after each change that it may show", async () => {
  const { changes, read } = answers();
  expect([await read("a", "p1"), await read("b", "p2")]).toEqual(["a 1", "b 2"]);
  changes.posts.set("p1", 1);
  expect([await read("a", "p1"), await read("b", "p2")]).toEqual(["a 3", "b 2"]);
  changes.everything = 2;
  expect([await read("a", "p1"), await read("b", "p2")]).toEqual(["a 4", "b 5"]);
});

it("an answer that was being made when something changed goes only to those who asked before", async () => {
  const { changes, kept, read } = answers();
  let release = (_: string) => {};
  const old = new Promise<string>((resolve) => {
    release = resolve;
  });
  const slow = kept.read({ key: "a", postId: undefined }, () => old);
  changes.everything = 1;
  expect(await read("a")).toBe("a 1");
  release("old");
  expect((await slow).text).toBe("old");
  expect(await read("a")).toBe("a 1");
});

it("does not keep a failure", async () => {
  const { kept, read } = answers();
  const failing = () => kept.read({ key: "a", postId: undefined }, () => Promise.reject(new Error("broken")));
  await expect(failing()).rejects.toThrow("broken");
  await expect(failing()).rejects.toThrow("broken");
  expect(await read("a")).toBe("a 1");
});

it("keeps nothing where it does not learn of changes", async () => {
  const { changes, read } = answers();
  changes.isFollowing = false;
  expect([await read("a"), await read("a")]).toEqual(["a 1", "a 2"]);
});

it("forgets the ones used longest ago beyond its memory, and all after some time", async () => {
  const { read } = answers({ maxBytes: 500, maxAgeMs: 50 });
  expect([await read("a"), await read("b"), await read("a"), await read("c")]).toEqual([
    "a 1",
    "b 2",
    "a 1",
    "c 3",
  ]);
  expect(await read("a")).toBe("a 1");
  expect(await read("b")).toBe("b 4");
  await expect.poll(() => read("b")).toBe("b 5");
});

it("compresses an answer once", async () => {
  const { kept } = answers();
  const read = () => kept.read({ key: "a", postId: undefined }, async () => "text");
  const [first, second] = [(await read()).gzipped(), (await read()).gzipped()];
  expect(second).toBe(first);
  expect(gunzipSync(await first).toString()).toBe("text");
});
