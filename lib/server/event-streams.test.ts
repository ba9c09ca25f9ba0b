import { EventEmitter, once } from "node:events";
import http from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EventStream, FrameSink } from "@/lib/contract";
import { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { eventsReply } from "@/lib/http/events";
import { errorReply } from "@/lib/http/reply";
import { portOf } from "@/lib/testing/port";
import { eventStreams } from "./event-streams";

/** A stream that the test controls. */
class HeldStream extends EventEmitter implements EventStream {
  readonly opened = once(this, "opened").then(([sink]): FrameSink => sink);
  readonly ended = once(this, "ended");
  openings = 0;
  closings = 0;
  open(sink: FrameSink) {
    this.openings += 1;
    this.emit("opened", sink);
  }
  closed() {
    this.closings += 1;
    this.emit("ended");
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const topicId = "0b9f6b8e-6a6f-4d0b-9d55-0c2b9d3b8a01";
let held: HeldStream;
let asked: { request: Request; params: unknown } | undefined;
let refuse = false;
const toNext: string[] = [];

const carry = eventStreams([
  {
    op: contract.chat.subscribe,
    handle: async (request, { params }) => {
      asked = { request, params: await params };
      if (refuse) return errorReply(new Refusal("not_a_member"), "r1", "chat.subscribe", new Headers());
      return eventsReply(held, "r1", new Headers({ "ratelimit-limit": "60" }));
    },
  },
]);
const server = http.createServer((request, response) => {
  if (carry(request, response)) return;
  toNext.push(`${request.method} ${request.url}`);
  response.end("next");
});
let port = 0;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = portOf(server);
});
beforeEach(() => {
  held = new HeldStream();
  refuse = false;
  toNext.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const url = (path: string) => `http://127.0.0.1:${port}${path}`;
const chat = `/api/topics/${topicId}/chat/subscribe`;

/** Sends these bytes unchanged. @returns the response until the server is silent or closes */
async function raw(text: string): Promise<string> {
  const socket = net.connect(port, "127.0.0.1");
  socket.end(text);
  let got = "";
  for await (const part of socket) got += String(part);
  return got;
}

describe("event streams past Next", () => {
  it("are opened after the head, and carry frames until the stream ends", async () => {
    const response = await fetch(url(`${chat}?a=1`), {
      headers: { "last-event-id": "m1", cookie: "a=b", authorization: "Bearer x" },
    });
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
    expect(asked?.params).toEqual({ topicId });
    expect(new URL(asked?.request.url ?? "").search).toBe("?a=1");
    expect(Object.fromEntries(asked?.request.headers ?? [])).toMatchObject({
      "last-event-id": "m1",
      cookie: "a=b",
      authorization: "Bearer x",
    });
    const sink = await held.opened;
    sink.send(bytes("data: 1\n\n"));
    sink.send(bytes("data: 2\n\n"));
    sink.end();
    sink.send(bytes("data: 3\n\n"));
    expect(await response.text()).toBe("data: 1\n\ndata: 2\n\n");
    await held.ended;
    expect(held.closings).toBe(1);
    expect(toNext).toEqual([]);
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

  it("say how much a client that does not read has not taken", async () => {
    const socket = net.connect(port, "127.0.0.1");
    socket.write(`GET ${chat} HTTP/1.1\r\nhost: a\r\n\r\n`);
    const sink = await held.opened;
    socket.pause();
    const frame = bytes(`data: ${"x".repeat(100_000)}\n\n`);
    let waiting = 0;
    for (let i = 0; i < 1_000 && waiting < 1_000_000; i += 1) {
      waiting = sink.send(frame);
      if (i % 50 === 49) await sleep(1);
    }
    expect(waiting).toBeGreaterThanOrEqual(1_000_000);
    socket.destroy();
    await held.ended;
  });

  it("leave refusals as the route answered them", async () => {
    refuse = true;
    const response = await fetch(url(chat));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "not_a_member", requestId: "r1" });
  });

  it("leave every other request to Next", async () => {
    await fetch(url(chat), { method: "POST" });
    await fetch(url(chat), { method: "HEAD" });
    await fetch(url(`/api/topics/${topicId}/chat`));
    await fetch(url("/api/topics/a%2Fb/chat/subscribe"));
    expect(await raw("GET // HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")).toContain("next");
    expect(await raw("GET http://[/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")).toContain("next");
    expect(toNext).toEqual([
      `POST ${chat}`,
      `HEAD ${chat}`,
      `GET /api/topics/${topicId}/chat`,
      "GET /api/topics/a%2Fb/chat/subscribe",
      "GET //",
      "GET http://[/",
    ]);
  });
});

describe("event streams on a web response", () => {
  it("are opened by the first read, and closed by whoever stops", async () => {
    const response = eventsReply(held, "r1", new Headers());
    const reader = response.body?.getReader();
    const read = reader?.read();
    const sink = await held.opened;
    expect(sink.send(bytes("one"))).toBe(0);
    expect(sink.send(bytes("four"))).toBe(4);
    expect((await read)?.value).toEqual(bytes("one"));
    expect((await reader?.read())?.value).toEqual(bytes("four"));
    const next = reader?.read();
    sink.send(bytes("six"));
    expect((await next)?.value).toEqual(bytes("six"));
    expect(held.openings).toBe(1);
    await reader?.cancel();
    expect(held.closings).toBe(1);
    expect(sink.send(bytes("late"))).toBe(0);
    sink.end();
    expect(held.closings).toBe(1);
  });

  it("end after what was sent", async () => {
    const response = eventsReply(held, "r1", new Headers());
    const text = response.text();
    const sink = await held.opened;
    sink.send(bytes("one"));
    sink.end();
    expect(await text).toBe("one");
    expect(held.closings).toBe(1);
  });
});
