import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { Changes } from "@/lib/runtime/changes";
import type { EntryServer } from "@/lib/runtime/process";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { type GuestPageParts, guestPages } from "./guest-pages";
import { askRaw } from "./testing";

let h: Harness;
let owner: TestUser;
let topicId: string;
let server: http.Server;
/** What Next was asked for: path and cookies. */
const rendered: string[] = [];
/** What Next answers; by default a page with its number, path and cookies. */
let next: EntryServer["render"];

const scripts = ["self.__next_f=[]", 'self.__next_f.push("a")', 'document.title="later"', "$RC()"] as const;
const external = '<script src="/_next/static/a.js" async=""></script>';
const htmlOf = (text: string) =>
  `<html><head>${external}</head><body>${text}${external}` +
  `<script>${scripts[0]}</script><script>${scripts[1]}</script><div hidden id="S:0"></div>` +
  `<script id="x">${scripts[2]}</script>${external}<script>${scripts[3]}</script></body></html>`;

const page = (html: string, status = 200) => ({
  status,
  headers: {
    "content-type": "text/html; charset=utf-8",
    vary: "rsc",
    "cache-control": "no-store",
    link: "</a>",
  },
  body: Buffer.from(html),
});

beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());
beforeEach(async () => {
  rendered.length = 0;
  next = async (url, { cookie }) => {
    rendered.push(`${url} ${cookie}`);
    return page(htmlOf(`${rendered.length} ${url} ${cookie}`));
  };
  server = await serverOf(h);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serverOf({ services }: Harness, parts: Partial<GuestPageParts> = {}): Promise<http.Server> {
  const pages = await guestPages({
    services,
    render: (...asked) => next(...asked),
    maxAgeMs: 600_000,
    ...parts,
  });
  const made = http.createServer((request, response) => {
    if (!pages(request, response)) response.end("next");
  });
  made.listen(0, "127.0.0.1");
  await once(made, "listening");
  return made;
}

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  askRaw(server, { path, headers, method });
const textOf = async (path: string, headers?: Record<string, string>) =>
  (await ask(path, headers)).body.toString();

describe("which requests", () => {
  it.each(["/", "/?sort=new", "/?view=my", "/topics", "/topics?sort=top"])(
    "%s is rendered once",
    async (path) => {
      const [first] = await Promise.all([textOf(path), textOf(path), textOf(path)]);
      expect(await textOf(path)).toBe(first);
      expect(rendered).toEqual([
        `${path} parley-language=en; parley-theme=system; parley-density=comfortable`,
      ]);
    },
  );

  it("those of a topic and a post, too", async () => {
    const { id } = await makePost(owner, topicId);
    for (const path of [`/topics/${topicId}`, `/topics/${topicId}?tab=about`, `/posts/${id}`]) {
      await textOf(path);
      await textOf(path);
    }
    expect(rendered).toHaveLength(3);
  });

  it.each([
    ["a session's cookie", "/", { cookie: "a=b; zk-community-session=x" }],
    ["a part of one", "/", { cookie: "zk-community-session.0=x" }],
    ["a bearer token", "/", { authorization: "Bearer x" }],
    ["Next's own request", "/", { rsc: "1" }],
    ["a cursor", "/?cursor=abc", {}],
    ["a search", "/topics?q=cats", {}],
    ["two queries", "/?sort=new&view=my", {}],
    ["another page", "/settings", {}],
    ["a form for new topics", "/topics/new", {}],
    ["a tab of members", `/topics/${randomUUID()}/chat`, {}],
    ["an operation", "/api/feed", {}],
  ])("%s is left to Next", async (_, path, headers) => {
    expect(await textOf(path, headers)).toBe("next");
    expect((await ask("/", {}, "POST")).body.toString()).toBe("next");
  });

  it("language, theme and density make another page; no other cookie reaches it", async () => {
    const korean = { "accept-language": "ko-KR,ko;q=0.9" };
    const chosen = {
      cookie: "parley-theme=dark; other=1; parley-language=en; parley-density=compact",
      "accept-language": "ko",
    };
    const readers: Record<string, string>[] = [{}, korean, chosen, korean, { cookie: "other=2" }];
    for (const headers of readers) await textOf("/", headers);
    expect(rendered).toEqual([
      "/ parley-language=en; parley-theme=system; parley-density=comfortable",
      "/ parley-language=ko; parley-theme=system; parley-density=comfortable",
      "/ parley-language=en; parley-theme=dark; parley-density=compact",
    ]);
  });
});

describe("the response", () => {
  it("may be kept for a second by caches, and asked for again by its tag", async () => {
    const { headers } = await ask("/");
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, s-maxage=1, must-revalidate",
      vary: "rsc, Cookie, Accept-Language, Accept-Encoding",
      link: "</a>",
    });
    const etag = headers.etag ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask("/", { "if-none-match": known });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers["content-security-policy"]).toBeUndefined();
    }
    expect((await ask("/", { "if-none-match": '"other"' })).status).toBe(200);
    h.services.changed("everything");
    expect((await ask("/", { "if-none-match": etag })).status).toBe(200);
  });

  it("is compressed as the client accepts it, under a tag of its own", async () => {
    const plain = await ask("/");
    const brotli = await ask("/", { "accept-encoding": "gzip, deflate, br" });
    const gzipped = await ask("/", { "accept-encoding": "gzip;q=0.5, br;q=0" });
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gzipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzipped.body)).toEqual(plain.body);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3);
    const head = await ask("/", { "accept-encoding": "br" }, "HEAD");
    expect([head.headers["content-length"], head.body.length]).toEqual([String(brotli.body.length), 0]);
  });

  it("allows its inline scripts by hash, and no others", async () => {
    const { headers, body } = await ask("/");
    expect(body.toString()).toContain(`${external}<script>${scripts[0]};${scripts[1]}</script><div`);
    expect(body.toString()).toContain(`</script>${external}<script>${scripts[3]}</script></body>`);
    const hashes = [`${scripts[0]};${scripts[1]}`, scripts[2], scripts[3]].map(
      (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    );
    expect(headers["content-security-policy"]).toContain(`script-src 'self' ${hashes.join(" ")};`);
    expect(headers["content-security-policy"]).toContain("style-src 'self';");
  });

  it("is not kept when there is no such page", async () => {
    next = async (url) => {
      rendered.push(url);
      return page("none", 404);
    };
    for (const _ of [1, 2]) {
      const { status, headers } = await ask(`/posts/${randomUUID()}`);
      expect([status, headers["cache-control"], headers.etag]).toEqual([404, "no-store", undefined]);
      expect(headers["content-security-policy"]).toContain("script-src 'self'");
    }
    expect(rendered).toHaveLength(2);
  });

  it("is forgotten when others need its memory", async () => {
    const own = await serverOf(h, { maxBytes: 5_000 });
    const read = async (path: string) => (await askRaw(own, { path })).body.toString();
    const first = await read("/");
    expect(await read("/")).toBe(first);
    for (const sort of ["new", "top", "hot", "best"]) await read(`/?sort=${sort}`);
    expect(await read("/")).not.toBe(first);
    own.closeAllConnections();
    own.close();
  });

  it("is 500 when rendering fails, and the page works again afterwards", async () => {
    const working = next;
    next = async () => Promise.reject(new Error("broken"));
    expect((await ask("/")).status).toBe(500);
    next = async () => ({ ...page("a"), headers: { "set-cookie": ["a=b"] } });
    expect((await ask("/")).status).toBe(500);
    next = working;
    expect((await ask("/")).status).toBe(200);
  });
});

describe("changes", () => {
  it("show at once: an operation has a page rendered again, a failed or personal one does not", async () => {
    const { id } = await makePost(owner, topicId);
    const other = await makePost(owner, topicId);
    await h.idle();
    const paths = ["/", `/topics/${topicId}`, `/posts/${id}`, `/posts/${other.id}`];
    const seen = async () => {
      rendered.length = 0;
      for (const path of paths) await textOf(path);
      await h.idle();
      return rendered.map((line) => line.split(" ")[0]);
    };
    expect(await seen()).toEqual(paths);
    expect(await seen()).toEqual([]);
    await owner.api.call(contract.posts.vote, { postId: id, value: 1 });
    await h.idle();
    expect(await seen()).toEqual(paths.slice(0, 3));
    await owner.api.call(contract.posts.bookmark, { postId: id });
    await owner.api.call(contract.chat.send, { topicId, message: "hello" });
    await expect(owner.api.call(contract.posts.vote, { postId: randomUUID(), value: 1 })).rejects.toThrow();
    expect(await seen()).toEqual([]);
    await owner.api.call(contract.topics.update, { topicId, description: "Another description." });
    expect(await seen()).toEqual(paths);
  });

  it("that come all the time render a page a few times, and the last one shows within a second", async () => {
    const since = performance.now();
    for (let n = 0; n < 200; n += 1) {
      h.services.changed("lists");
      await textOf("/");
    }
    const seconds = (performance.now() - since) / 1000;
    expect(rendered.length).toBeGreaterThanOrEqual(5);
    expect(rendered.length).toBeLessThanOrEqual(5 + 2 * seconds);
    const before = rendered.length;
    h.services.changed("lists");
    await sleep(600);
    expect(await textOf("/")).toContain(`>${before + 1} /`);
  });

  it("during a rendering are not shown by it", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fast = next;
    const started = new Promise<void>((resolve) => {
      next = async (...asked) => {
        resolve();
        await released;
        return await fast(...asked);
      };
    });
    const slow = textOf("/");
    await started;
    h.services.changed("everything");
    next = fast;
    expect(await textOf("/")).toContain(">1 /");
    release();
    expect(await slow).toContain(">2 /");
    // The one that was started earlier does not replace the later one.
    expect(await textOf("/")).toContain(">1 /");
  });

  it("that nothing tells of show after a while", async () => {
    const own = await serverOf(h, { maxAgeMs: 50 });
    const read = async () => (await askRaw(own, { path: "/" })).body.toString();
    expect(await read()).toContain(">1 /");
    await expect.poll(read).toContain(">2 /");
    own.closeAllConnections();
    own.close();
  });

  it("of other processes count, and those while no messages came", async () => {
    // The tests before have changes that are told late.
    const apart = await createHarness();
    const here = new Changes(apart.services.cache);
    const there = new Changes(apart.services.cache);
    const leave = await here.follow();
    const postId = randomUUID();
    there.note({ postId });
    await expect.poll(() => here.latest(postId)).toBe(1);
    expect(here.latest(randomUUID())).toBe(0);
    there.note("lists");
    await expect.poll(() => here.latest()).toBe(2);
    expect(here.latest(postId)).toBe(1);
    for (let n = 0; n < 200; n += 1) there.note({ postId: randomUUID() });
    await expect.poll(() => here.latest(postId)).toBe(3);
    here.note("everything");
    await sleep(200);
    expect(here.latest()).toBe(4);
    await leave();
    await apart.close();
  });
});

describe("views", () => {
  it("of a post's cached page count, but not prefetches, copies and lists", async () => {
    const { id } = await makePost(owner, topicId);
    const path = `/posts/${id}`;
    const { etag = "" } = (await ask(path)).headers;
    await ask(path);
    await ask(path, { "if-none-match": etag });
    await ask(path, { "sec-purpose": "prefetch" });
    await ask(path, { "x-parley-saving": "1" });
    await ask(path, {}, "HEAD");
    await ask("/");
    await h.idle();
    const { view_count } = await h.db
      .selectFrom("posts")
      .select("view_count")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(view_count).toBe(3);
  });
});

describe("limits", () => {
  it("count what is rendered, and nothing that is in memory", async () => {
    const limited = await createHarness({ env: { RATE_LIMITS: "on", TRUST_PROXY: "1" } });
    const own = await serverOf(limited);
    const from = (path: string, address: string) =>
      askRaw(own, { path, headers: { "x-forwarded-for": address } });
    try {
      for (let n = 0; n < 700; n += 1) expect((await from("/", "192.0.2.1")).status).toBe(200);
      next = async () => page("none", 404);
      const answers: (number | undefined)[] = [];
      for (let n = 0; n < 605; n += 1) {
        answers.push((await from(`/posts/${randomUUID()}`, "192.0.2.1")).status);
      }
      expect(answers.filter((status) => status === 429)).toHaveLength(6);
      expect((await from(`/posts/${randomUUID()}`, "192.0.2.2")).status).toBe(404);
      expect((await from("/", "192.0.2.1")).status).toBe(200);
    } finally {
      own.closeAllConnections();
      own.close();
      await limited.close();
    }
  });
});
