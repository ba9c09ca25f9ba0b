import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addressKeysOf } from "@/lib/http/address";
import { type AppParts, processState } from "@/lib/runtime/process";
import { portOf } from "@/lib/testing/port";
import { config as proxyConfig } from "@/proxy";
import { createEntryServer, kindOf, type ServerParts } from "./entry-server";
import { headersOf } from "./node-answers";

const asked: string[] = [];
let server: http.Server | undefined;
beforeEach(() => {
  asked.length = 0;
});
afterEach(() => {
  processState().entry = undefined;
  server?.closeAllConnections();
  server?.close();
});

/** Records that it was called, and answers paths that begin with its name. */
const named = (name: string) => (request: IncomingMessage, response: ServerResponse) => {
  asked.push(name);
  if (!request.url?.startsWith(`/${name}`)) return false;
  response.end(name);
  return true;
};

const app: AppParts = {
  handlers: [named("guard"), named("events")],
  stop: async () => void asked.push(server?.listening ? "stop while listening" : "stop"),
  close: async () => void asked.push("close"),
};

function created(parts: Partial<ServerParts> = {}) {
  return createEntryServer({
    files: named("files"),
    rest: async (_, response) => void response.end("next"),
    failed: () => asked.push("failed"),
    keepAliveMs: 5_000,
    graceMs: 300,
    ...parts,
  });
}

async function started(parts: Partial<ServerParts> = {}) {
  const entry = created(parts);
  entry.attach(app);
  server = await entry.listen(0, "127.0.0.1");
  const port = portOf(server);
  return { entry, port, url: `http://127.0.0.1:${port}` };
}

const textOf = async (url: string) => await (await fetch(url)).text();

describe("the entry server", () => {
  it.each([
    ["/guard", "guard", ["guard"]],
    ["/events", "events", ["guard", "events"]],
    ["/files", "files", ["guard", "events", "files"]],
    ["/else", "next", ["guard", "events", "files"]],
  ])("asks the app's handlers in their order, then files, then Next: %s", async (path, text, order) => {
    const { url } = await started();
    expect(await textOf(url + path)).toBe(text);
    expect(asked).toEqual(order);
  });

  it("has Next render pages past all handlers, over a connection in memory", async () => {
    const headersSeen: http.IncomingHttpHeaders[] = [];
    const large = "x".repeat(300_000);
    const { entry, url } = await started({
      rest: async ({ url: path, headers }, response) => {
        headersSeen.push(headers);
        if (path === "/broken") throw new Error("broken");
        response.writeHead(path === "/none" ? 404 : 200, { "content-type": "text/html" });
        response.write(large);
        await sleep(5);
        response.end(path);
      },
    });
    const rendered = await Promise.all([
      entry.render("/guard?a=1", { cookie: "a=b" }),
      entry.render("/none", {}),
    ]);
    expect(rendered.map(({ status }) => status)).toEqual([200, 404]);
    expect(rendered[0].headers["content-type"]).toBe("text/html");
    expect(rendered[0].body.toString()).toBe(`${large}/guard?a=1`);
    await expect(entry.render("/broken", {})).rejects.toThrow();
    expect(asked).toEqual(["failed"]);
    expect(headersSeen[0]).toMatchObject({ cookie: "a=b", "x-parley-for-guests": "1" });
    await fetch(`${url}/else`, { headers: { "x-parley-for-guests": "1" } });
    expect(headersSeen.at(-1)).not.toHaveProperty("x-parley-for-guests");
  });

  it("takes no connection before the app is attached", async () => {
    const entry = created();
    let listens = false;
    const listening = entry.listen(0, "127.0.0.1").then((listener) => {
      listens = true;
      server = listener;
    });
    await sleep(50);
    expect(listens).toBe(false);
    entry.attach(app);
    await listening;
    expect(listens).toBe(true);
  });

  it("says when its address is taken", async () => {
    const { port } = await started();
    const second = created();
    second.attach(app);
    await expect(second.listen(port, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("security F19: overwrites what a client sends with the socket's own address", async () => {
    const { entry, url } = await started({
      rest: async (request, response) => void response.end(addressKeysOf(headersOf(request), 0).key),
    });
    processState().entry = entry;
    const headers = { "x-parley-socket-address": "6.6.6.6", "x-forwarded-for": "6.6.6.6" };
    expect(await (await fetch(url, { headers })).text()).toBe("127.0.0.1");
  });

  it("answers a failure with 500, and cuts off what has begun", async () => {
    const { url } = await started({
      rest: async (request, response) => {
        if (request.url === "/begun") response.write("part");
        throw new Error("no");
      },
    });
    expect((await fetch(url)).status).toBe(500);
    await expect(textOf(`${url}/begun`)).rejects.toThrow();
    expect(asked.filter((what) => what === "failed")).toHaveLength(2);
  });
});

it("keeps an idle connection as long as it was told", async () => {
  const { port } = await started({ keepAliveMs: 90_000 });
  const socket = net.connect(port, "127.0.0.1");
  socket.write("GET /next HTTP/1.1\r\nhost: a\r\n\r\n");
  const [bytes] = await once(socket, "data");
  socket.destroy();
  expect(String(bytes)).toContain("Keep-Alive: timeout=90");
});

describe("an upgrade", () => {
  const wish = "GET /socket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n";
  const forged = "x-parley-socket-address: 6.6.6.6\r\n\r\n";

  /** Sends the upgrade request. @returns the first bytes of the response */
  async function upgraded(port: number): Promise<string> {
    const socket = net.connect(port, "127.0.0.1");
    socket.write(wish + forged);
    const [bytes] = await once(socket, "data");
    socket.destroy();
    return String(bytes);
  }

  it("is a request like any other where nobody takes WebSockets", async () => {
    const { port } = await started();
    expect(await upgraded(port)).toMatch(/^HTTP\/1\.1 200 (.|\r\n)*next/);
    expect(asked).toEqual(["guard", "events", "files"]);
  });

  it("is stamped too where hot reload takes it", async () => {
    const { port } = await started({
      upgrade: (request, socket) => socket.end(String(request.headers["x-parley-socket-address"])),
    });
    expect(await upgraded(port)).toBe("127.0.0.1");
  });
});

describe("its end", () => {
  it("stops the app, waits for requests under way, then closes the app", async () => {
    let finish = () => {};
    const { entry, url, port } = await started({
      graceMs: 10_000,
      rest: async (_, response) => {
        finish = () => {
          asked.push("answered");
          response.end("late");
        };
        asked.push("under way");
      },
    });
    const late = textOf(url);
    await expect.poll(() => asked).toContain("under way");
    asked.length = 0;
    const stopped = entry.stop();
    await expect.poll(() => asked).toContain("stop");
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    expect(asked).toEqual(["stop"]);
    finish();
    expect(await late).toBe("late");
    await stopped;
    expect(asked).toEqual(["stop", "answered", "close"]);
  });

  it("accepts the connections that wait, for a proxy repeats no POST", async () => {
    const { entry, port } = await started();
    const post = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    // The system completes them at once; Node has accepted none when the server is told to stop, and accepts them one by one.
    const answers = Array.from({ length: 100 }, async () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.write(post);
      return await text(socket);
    });
    await entry.stop();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200/);
  });

  it("waits no longer than its grace", async () => {
    const { entry, url } = await started({ rest: async () => void asked.push("under way") });
    const cut = textOf(url).catch(() => "cut");
    await expect.poll(() => asked).toContain("under way");
    await entry.stop();
    expect(asked.slice(-2)).toEqual(["stop", "close"]);
    server?.closeAllConnections();
    expect(await cut).toBe("cut");
  });
});

describe("kinds of requests", () => {
  it("operations: a path is a page unless a route notes it or it is a file, as the proxy sees it too", () => {
    const proxied = new RegExp(`^${proxyConfig.matcher[0]?.source}$`);
    const kinds = {
      page: [
        "/",
        "/posts/1",
        "/topics/1",
        "/topics/x/feeds",
        "/apis",
        "/search?q=api/",
        "/uploaded",
        "/icon.svgs",
      ],
      static: ["/_next/static/a.js", "/icons/a.png", "/icon.svg", "/manifest.webmanifest", "/robots.txt"],
      route: ["/api/posts", "/api", "/cron/housekeeping", "/uploads/a", "/proving/keys/a", "/cards/site"],
      feed: ["/search/feed.xml", "/feed.xml", "/topics/1/atom.xml", "/sitemap.xml", "/sitemaps/1"],
    };
    for (const [kind, paths] of Object.entries(kinds)) {
      const expected = kind === "page" || kind === "static" ? kind : null;
      for (const path of paths) expect([path, kindOf(path)]).toEqual([path, expected]);
      for (const path of paths) expect([path, proxied.test(path)]).toEqual([path, kind === "page"]);
    }
  });
});
