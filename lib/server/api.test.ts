import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OperationSpec } from "@/lib/contract";
import { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { Endpoint } from "@/lib/http/endpoint";
import type { Incoming } from "@/lib/http/incoming";
import { readBytes } from "@/lib/http/input";
import { bodyPlace } from "@/lib/http/large-bodies";
import { errorReply, eventsReply, jsonReply, type Reply } from "@/lib/http/reply";
import { frameOf, HeldStream } from "@/lib/testing/held-stream";
import { portOf } from "@/lib/testing/port";
import { api } from "./api";
import { askRaw } from "./testing";

const topicId = "0b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01";
let held: HeldStream;
/** What the last called operation received. */
let asked: Incoming | undefined;
/** Replies of operations that a test replaces; the default is their id. */
const replies = new Map<string, (incoming: Incoming) => Reply | Promise<Reply>>();
const toNext: string[] = [];

function endpointOf(op: OperationSpec): Endpoint {
  const reply = async (incoming: Incoming) => {
    asked = incoming;
    return (await replies.get(op.id)?.(incoming)) ?? jsonReply(200, op.id, "r1");
  };
  return Object.assign(async () => expect.fail("Next's way"), { op, reply });
}

const answers = api([
  { GET: endpointOf(contract.topics.get), PATCH: endpointOf(contract.topics.update) },
  { POST: endpointOf(contract.topics.join) },
  { GET: endpointOf(contract.topics.getInvite), POST: endpointOf(contract.topics.joinByInvite) },
  { GET: endpointOf(contract.chat.subscribe) },
  { GET: endpointOf(contract.feed.list) },
  { GET: endpointOf(contract.service.entrance) },
]);
const server = http.createServer((request, response) => {
  if (answers(request, response)) return;
  toNext.push(`${request.method} ${request.url}`);
  response.end("next");
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
beforeEach(() => {
  held = new HeldStream();
  asked = undefined;
  replies.clear();
  replies.set("chat.subscribe", () => eventsReply(held, "r1", new Headers({ "ratelimit-limit": "60" })));
  toNext.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const url = (path: string) => `http://127.0.0.1:${portOf(server)}${path}`;
const chat = `/api/topics/${topicId}/chat/subscribe`;

/** Sends these bytes unchanged. @returns the response until the server is silent or closes */
async function raw(text: string): Promise<string> {
  const socket = net.connect(portOf(server), "127.0.0.1");
  socket.end(text);
  let got = "";
  for await (const part of socket) got += String(part);
  return got;
}

describe("operations past Next", () => {
  it.each([
    ["GET", "/api", "service.entrance", {}],
    ["GET", "/api?x=1", "service.entrance", {}],
    ["GET", "/api/feed", "feed.list", {}],
    ["GET", "/api/feed?limit=5&limit=6", "feed.list", {}],
    ["GET", `/api/topics/${topicId}`, "topics.get", { topicId }],
    ["PATCH", `/api/topics/${topicId}`, "topics.update", { topicId }],
    ["POST", `/api/topics/${topicId}/join`, "topics.join", { topicId }],
    ["POST", "/api/topics/join/AbCdEf12", "topics.joinByInvite", { inviteCode: "AbCdEf12" }],
    ["GET", "/api/topics/a%2Fb", "topics.get", { topicId: "a/b" }],
  ])("%s %s is answered by %s", async (method, path, id, params) => {
    const response = await fetch(url(path), { method });
    expect(await response.json()).toBe(id);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-request-id": "r1",
      "x-frame-options": "DENY",
      vary: "Accept-Encoding",
    });
    expect(asked).toMatchObject({ method, url: path, params });
    expect(toNext).toEqual([]);
  });

  it("leaves other paths and methods to Next", async () => {
    const left = [
      "DELETE /api/feed",
      "OPTIONS /api/feed",
      "GET /api/feed/",
      "GET /api/feed/more",
      "GET /apiary",
      "GET /topics",
      "GET //api/feed",
      "GET /api/topics//join",
    ];
    for (const one of left) {
      const [method, path] = one.split(" ");
      await askRaw(server, { method, path });
    }
    expect(await raw("GET http://[/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")).toContain("next");
    expect(toNext).toEqual([...left, "GET http://[/"]);
  });

  it("responds to HEAD with the head of GET", async () => {
    const response = await fetch(url("/api/feed"), { method: "HEAD" });
    expect(response.headers.get("content-length")).toBe(String(JSON.stringify("feed.list").length));
    expect(await response.text()).toBe("");
    expect(asked).toMatchObject({ method: "HEAD" });
  });

  it("passes headers on as clients sent them, joined where they are repeated", async () => {
    const lines = [
      "x-request-id: one",
      "cookie: a=b",
      "cookie: c=d",
      "x-forwarded-for: 1",
      "x-forwarded-for: 2",
    ];
    await raw(`GET /api/feed HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines.join("\r\n")}\r\n\r\n`);
    const got = (name: string) => asked?.headers.get(name);
    expect([got("x-request-id"), got("cookie"), got("x-forwarded-for")]).toEqual(["one", "a=b; c=d", "1, 2"]);
    expect([asked?.headers.has("cookie"), asked?.headers.has("origin"), got("origin")]).toEqual([
      true,
      false,
      null,
    ]);
  });

  it("destroys the connection of a response that failed midway", async () => {
    replies.set("feed.list", () => ({
      status: 200,
      headers: new Headers(),
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(frameOf("begun"));
          controller.error(new Error("midway"));
        },
      }),
    }));
    await expect(fetch(url("/api/feed")).then((response) => response.text())).rejects.toThrow();
  });
});

describe("bodies past Next", () => {
  const echo = async ({ headers, body }: Incoming) => {
    const bytes = await readBytes({ headers, body }, 1000, bodyPlace());
    return jsonReply(200, { had: body !== null, text: bytes.toString() }, "r1");
  };
  const join = `/api/topics/${topicId}/join`;
  beforeEach(() => {
    replies.set("topics.join", (incoming) =>
      echo(incoming).catch((error: unknown) => errorReply(error, "r1", "topics.join")),
    );
  });

  it("are read whole, by length or in chunks; a request without one has none", async () => {
    const send = async (init: RequestInit & { duplex?: "half" }) =>
      await (await fetch(url(join), { method: "POST", ...init })).json();
    expect(await send({ body: "by length" })).toEqual({ had: true, text: "by length" });
    const parts = new Blob(["in ", "chunks"]).stream();
    expect(await send({ body: parts, duplex: "half" })).toEqual({ had: true, text: "in chunks" });
    expect(await send({})).toEqual({ had: false, text: "" });
  });

  it("that are too large are refused, and the connection serves the next request", async () => {
    const large = "x".repeat(5000);
    const head = `POST ${join} HTTP/1.1\r\nhost: a\r\n`;
    const next = "GET /api/feed HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    const byLength = await raw(`${head}content-length: 5000\r\n\r\n${large}${next}`);
    expect(byLength).toMatch(/ 413 [\s\S]*body_too_large[\s\S]* 200 [\s\S]*feed\.list/);
    const chunked = `${head}transfer-encoding: chunked\r\n\r\n1388\r\n${large}\r\n0\r\n\r\n${next}`;
    expect(await raw(chunked)).toMatch(/ 413 [\s\S]*body_too_large[\s\S]* 200 [\s\S]*feed\.list/);
  });

  it("that nobody reads to their end do not keep the connection from its next request", async () => {
    const bytes = 20_000_000;
    for (const framing of [`content-length: ${bytes}`, "transfer-encoding: chunked"]) {
      const socket = net.connect(portOf(server), "127.0.0.1");
      let got = "";
      socket.on("data", (part) => {
        got += String(part);
      });
      const isChunked = framing.startsWith("transfer");
      socket.write(`POST ${join} HTTP/1.1\r\nhost: a\r\n${framing}\r\n\r\n`);
      if (isChunked) socket.write(`${bytes.toString(16)}\r\n`);
      for (let sent = 0; sent < bytes; sent += 1_000_000) socket.write("x".repeat(1_000_000));
      if (isChunked) socket.write("\r\n0\r\n\r\n");
      socket.write("GET /api/feed HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
      await once(socket, "close");
      expect(got, framing).toMatch(/ 413 [\s\S]*body_too_large[\s\S]* 200 [\s\S]*feed\.list/);
    }
  });

  it("that break off end their request", async () => {
    const ended = new Promise<unknown>((resolve) => {
      replies.set("topics.join", (incoming) =>
        echo(incoming).catch((error: unknown) => {
          resolve(error);
          return errorReply(error, "r1", "topics.join");
        }),
      );
    });
    const socket = net.connect(portOf(server), "127.0.0.1");
    socket.write(`POST ${join} HTTP/1.1\r\nhost: a\r\ncontent-length: 900\r\n\r\nbegun`);
    await expect.poll(() => asked).toBeDefined();
    socket.destroy();
    expect(await ended).toMatchObject({ code: "invalid_request" });
  });
});

describe("compression past Next", () => {
  const long = "long ".repeat(1000);
  const ask = (encodings?: string) =>
    askRaw(server, { path: "/api/feed", headers: encodings ? { "accept-encoding": encodings } : {} });
  beforeEach(() => {
    replies.set("feed.list", () => jsonReply(200, long, "r1"));
  });

  it.each(["gzip", "br, gzip;q=0.5", "deflate, GZIP"])(
    "is for clients that accept it: %s",
    async (encodings) => {
      const { headers, body } = await ask(encodings);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(headers["content-length"]).toBe(String(body.length));
      expect(JSON.parse(gunzipSync(body).toString())).toBe(long);
    },
  );

  it.each([undefined, "identity", "gzip;q=0", "br, gzip; q=0.0"])(
    "is for nobody else: %s",
    async (encodings) => {
      const { headers, body } = await ask(encodings);
      expect(headers["content-encoding"]).toBeUndefined();
      expect(JSON.parse(body.toString())).toBe(long);
    },
  );

  it("is not for short responses", async () => {
    replies.clear();
    expect((await ask("gzip")).headers["content-encoding"]).toBeUndefined();
  });
});

describe("event streams past Next", () => {
  it("are opened after the head, and carry frames until the stream ends", async () => {
    const response = await fetch(url(`${chat}?a=1`), { headers: { "last-event-id": "m1" } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-request-id": "r1",
      "ratelimit-limit": "60",
    });
    expect(asked).toMatchObject({ url: `${chat}?a=1`, params: { topicId } });
    const sink = await held.opened;
    sink.send(frameOf("data: 1\n\n"));
    sink.send(frameOf("data: 2\n\n"));
    sink.end();
    sink.send(frameOf("data: 3\n\n"));
    expect(await response.text()).toBe("data: 1\n\ndata: 2\n\n");
    await held.ended;
    expect(held.closings).toBe(1);
  });

  it("do not keep what the client sent along", async () => {
    const requests: http.IncomingMessage[] = [];
    server.prependListener("request", (request) => requests.push(request));
    await fetch(url(chat), { headers: { authorization: "Bearer canary" } });
    await held.opened;
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(requests.map(({ headers, rawHeaders }) => [headers, rawHeaders]))).not.toContain(
      "canary",
    );
  });

  it("are closed when the client goes", async () => {
    const aborted = new AbortController();
    await fetch(url(chat), { signal: aborted.signal });
    await held.opened;
    aborted.abort();
    await held.ended;
    expect(held.closings).toBe(1);
  });

  it("are not opened for HEAD", async () => {
    const response = await fetch(url(chat), { method: "HEAD" });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await held.ended;
    expect([held.openings, held.closings]).toEqual([0, 1]);
  });

  it("say how much a client that does not read has not taken", async () => {
    const socket = net.connect(portOf(server), "127.0.0.1");
    socket.write(`GET ${chat} HTTP/1.1\r\nhost: a\r\n\r\n`);
    const sink = await held.opened;
    socket.pause();
    const frame = frameOf(`data: ${"x".repeat(100_000)}\n\n`);
    let waiting = 0;
    for (let i = 0; i < 1_000 && waiting < 1_000_000; i += 1) {
      waiting = sink.send(frame);
      if (i % 50 === 49) await sleep(1);
    }
    expect(waiting).toBeGreaterThanOrEqual(1_000_000);
    socket.destroy();
    await held.ended;
  });

  it("leave refusals as the operation answered them", async () => {
    replies.set("chat.subscribe", () => errorReply(new Refusal("not_a_member"), "r1", "chat.subscribe"));
    const response = await fetch(url(chat));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "not_a_member", requestId: "r1" });
  });
});
