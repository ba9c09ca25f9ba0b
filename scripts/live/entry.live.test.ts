import { rm } from "node:fs/promises";
import http, { type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "@/db/client";
import { homePaths } from "../stack/settings";
import { type AppHome, type AppProcess, appHome } from "./app-process";
import { Listener, marked } from "./listener";
import { type Crowd, makeCrowd } from "./people";

/** One process of the built app on an embedded database, behind our entry server and behind Next's own. */
describe.each(["entry", "next start"] as const)("the built app behind %s", (server) => {
  let home: AppHome;
  let crowd: Crowd;
  let app: AppProcess;
  beforeAll(async () => {
    home = await appHome();
    const database = await openDatabase({ url: `pglite:${homePaths(home.settings.home).appDatabase}` });
    crowd = await makeCrowd(database.db, home.tokens, 2);
    await database.close();
    app = await home.start({ RATE_LIMITS: "on" }, server);
  });
  afterAll(async () => {
    await app.kill("SIGKILL");
    await rm(home.settings.home, { recursive: true, force: true });
  });

  /** Asks on a connection of its own; a body is posted. */
  async function ask(
    path: string,
    headers: Record<string, string> = {},
    { from = "127.0.0.1", body = "" } = {},
  ) {
    const method = body ? "POST" : "GET";
    const options = {
      host: "127.0.0.1",
      port: app.port,
      path,
      method,
      headers,
      localAddress: from,
      agent: false,
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      http.request(options, resolve).on("error", reject).end(body);
    });
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return { status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() };
  }

  /** Requests that a guest at this address has left. */
  async function left(headers: Record<string, string>, from?: string): Promise<number> {
    const answer = await ask("/api/topics", headers, { from });
    expect(answer.status).toBe(200);
    return Number(answer.headers["ratelimit-remaining"]);
  }

  it("security F19: a client cannot write its own address", async () => {
    const first = await left({ "x-parley-socket-address": "6.6.6.6" });
    expect(await left({ "x-parley-socket-address": "7.7.7.7" })).toBe(first - 1);
    expect(await left({ "x-forwarded-for": "8.8.8.8" })).toBe(first - 2);
    // Only the entry server knows addresses; without it and without a trusted proxy guests share one limit.
    expect(await left({}, "127.0.0.2")).toBe(server === "entry" ? first : first - 3);
  });

  // Next's own server takes upgrades, and there the header is not read at all.
  if (server === "entry") {
    it("security F19: an upgrade is a request like any other", async () => {
      const first = await left({});
      const upgrade = { connection: "Upgrade", upgrade: "websocket", "x-parley-socket-address": "9.9.9.9" };
      expect(await left(upgrade)).toBe(first - 1);
    });
  }

  it("sends scripts compressed", async () => {
    const [, script = ""] = /src="(\/_next\/static\/[^"]+\.js)"/.exec((await ask("/")).text) ?? [];
    const { status, headers } = await ask(script, { "accept-encoding": "br, gzip" });
    expect([status, headers["content-encoding"]]).toEqual([200, server === "entry" ? "br" : "gzip"]);
  });

  it("SIGTERM ends open event streams and the process, and the next one finds everything", async () => {
    const chat = `/api/topics/${crowd.topicId}/chat`;
    const [owner = "", member = ""] = crowd.tokens;
    const listener = new Listener(app.port, `${chat}/subscribe`, member);
    await listener.connect();
    const headers = { authorization: `Bearer ${owner}`, "content-type": "application/json" };
    const body = JSON.stringify({ message: marked(0, performance.timeOrigin + performance.now()) });
    expect((await ask(chat, headers, { body })).status).toBe(201);
    await expect.poll(() => listener.next).toBe(1);
    const started = Date.now();
    await app.kill("SIGTERM");
    // Supervisors kill after ten seconds. Next's own server keeps connections for five after their last answer.
    expect(Date.now() - started).toBeLessThan(9_000);
    app = await home.start({ TRUST_PROXY: "1", RATE_LIMITS: "on" }, server);
    expect((await ask(chat, { authorization: `Bearer ${owner}` })).text).toContain(listener.lastEventId);
  });

  it("counts by the address that a trusted proxy, or the platform, has written", async () => {
    const first = await left({ "x-forwarded-for": "6.6.6.6, 192.0.2.7" });
    expect(await left({ "x-forwarded-for": "7.7.7.7, 192.0.2.7" })).toBe(first - 1);
    expect(await left({ "x-forwarded-for": "192.0.2.8", "x-parley-socket-address": "192.0.2.7" })).toBe(
      first,
    );
  });
});
