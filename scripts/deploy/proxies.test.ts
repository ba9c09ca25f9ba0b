import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import os from "node:os";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createEntryServer } from "@/lib/server/entry-server";
import { freePort } from "../stack/ports";
import { deployFile, units } from "./manifests";
import { DOMAIN, installed, type RunningProxy, send, startCaddy, startNginx } from "./testing/proxy";

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parley-proxy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const echoSchema = z.object({
  name: z.enum(["one", "two"]),
  bytes: z.int(),
  forwarded: z.string().optional(),
  proto: z.string().optional(),
});

/** A program behind the proxy: the app's entry server, which echoes requests. */
async function upstream(name: "one" | "two") {
  const port = await freePort();
  const streams = new Set<ServerResponse>();
  const echo = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      response.write("data: first\n\n");
      streams.add(response);
      response.once("close", () => streams.delete(response));
      return;
    }
    const bytes = (await buffer(request)).length;
    const { "x-forwarded-for": forwarded, "x-forwarded-proto": proto } = request.headers;
    response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
    response.end(JSON.stringify({ name, bytes, forwarded, proto }));
  };
  const begin = async () => {
    const server = createEntryServer({
      rest: echo,
      failed: () => undefined,
      keepAliveMs: 5_000,
      graceMs: 5_000,
    });
    const stop = async () => {
      for (const stream of streams) stream.end();
    };
    server.attach({ handlers: [], stop, close: async () => undefined });
    await server.listen(port, "127.0.0.1");
    return server;
  };
  let server = await begin();
  return {
    name,
    port,
    streams,
    stop: () => server.stop(),
    async start() {
      server = await begin();
    },
  };
}
type Upstream = Awaited<ReturnType<typeof upstream>>;

/** Returns whether Caddy is of this version or later. */
async function isCaddy(caddy: string, version: string): Promise<boolean> {
  const [found = "0"] = /\d+(\.\d+)+/.exec((await run(caddy, ["version"])).stdout) ?? [];
  return found.localeCompare(version, "en", { numeric: true }) >= 0;
}

async function echo(proxy: RunningProxy, url: string, options?: Parameters<typeof send>[2]) {
  const response = await send(proxy, url, options);
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body}`);
  return echoSchema.parse(JSON.parse(body));
}

const proxies = [
  ["Caddyfile", "caddy", startCaddy],
  ["nginx.conf", "nginx", startNginx],
] as const;

describe.each(proxies)("deploy/%s (skipped where %s is not installed)", (_, program, start) => {
  const found = installed(program);
  let both: [Upstream, Upstream];
  let proxy: RunningProxy;
  beforeAll(async () => {
    if (!found) return;
    both = [await upstream("one"), await upstream("two")];
    const ports = [both[0].port, both[1].port] as const;
    proxy = await start(found, folder, { app: ports, prover: ports });
    await vi.waitFor(() => echo(proxy, "/"), { timeout: 30_000, interval: 100 });
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all((both ?? []).map((each) => each.stop()));
  });

  it.skipIf(!found)("names the client and the scheme, whatever the client says", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http" };
    expect(await echo(proxy, "/", { headers })).toMatchObject({ forwarded: "127.0.0.1", proto: "https" });
    const plain = http.get({
      host: "127.0.0.1",
      port: proxy.httpPort,
      path: "/x",
      headers: { host: DOMAIN },
      agent: false,
    });
    const [response] = await once(plain, "response");
    expect([301, 308]).toContain(response.statusCode);
    expect(response.headers.location).toMatch(new RegExp(`^https://${DOMAIN}.*/x$`));
    response.resume();
  });

  it.skipIf(!found || program !== "nginx")(
    "logs requests, but no address that is a key, nor what is said without a name",
    async () => {
      const nameless = [
        "topics/KEY/anonymous",
        "topics/KEY/anonymous/posts",
        "topics/KEY/anonymous/pictures",
      ];
      nameless.push(
        "posts/KEY/anonymous/comments",
        "posts/KEY/anonymous/deletions",
        "posts/KEY/poll/ballots",
      );
      for (const place of [
        ...["/feeds/KEY/feed.xml", "/invite/KEY", "/api/topics/join/KEY"],
        ...nameless.map((one) => `/api/${one}`),
        "/posts/1",
      ]) {
        await echo(proxy, place);
      }
      const log = await vi.waitFor(async () => {
        const written = await readFile(path.join(folder, "access.log"), "utf8");
        expect(written).toContain("GET /posts/1 ");
        return written;
      });
      expect(log).not.toContain("KEY");
    },
  );

  it.skipIf(!found)("sends HSTS for the prover; the app sends it itself", async () => {
    const ofProver = await send(proxy, "/", { host: `prover.${DOMAIN}` });
    expect(ofProver.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect((await send(proxy, "/")).headers["strict-transport-security"]).toBeUndefined();
  });

  it.skipIf(!found || program !== "caddy")("lets the app's pages upload to the bucket", async () => {
    const options = { host: `files.${DOMAIN}`, headers: { origin: `https://${DOMAIN}` } };
    const asked = await send(proxy, "/parley/a.png", { ...options, method: "OPTIONS" });
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": `https://${DOMAIN}`,
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "content-type",
    });
    const put = await send(proxy, "/parley/a.png", { ...options, method: "PUT", body: Buffer.alloc(1_000) });
    // One value, although the bucket says something else.
    expect(put.headers["access-control-allow-origin"]).toBe(`https://${DOMAIN}`);
    expect(echoSchema.parse(JSON.parse(await text(put))).bytes).toBe(1_000);
  });

  it.skipIf(!found)("passes events on at once and uncompressed, and the client's leaving", async () => {
    const response = await send(proxy, "/events", { headers: { "accept-encoding": "gzip" } });
    expect(response.headers["content-encoding"]).toBeUndefined();
    const read = async () =>
      z
        .instanceof(Buffer)
        .parse((await once(response, "data"))[0])
        .toString();
    expect(await read()).toBe("data: first\n\n");
    const [stream] = both.flatMap(({ streams }) => [...streams]);
    const second = read();
    stream?.write("data: second\n\n");
    expect(await second).toBe("data: second\n\n");
    response.destroy();
    await vi.waitFor(() => expect(both.flatMap(({ streams }) => [...streams])).toEqual([]), {
      timeout: 15_000,
    });
  });

  it.skipIf(!found)("takes the largest post, and little more", async () => {
    const post = (bytes: number) => ({ method: "POST", body: Buffer.alloc(bytes) });
    expect(await echo(proxy, "/", post(14_500_000))).toMatchObject({ bytes: 14_500_000 });
    const refused = await send(proxy, "/", post(17_000_000)).then(
      ({ statusCode = 0 }) => statusCode,
      // It may hang up before the client has sent everything.
      () => 413,
    );
    expect(refused).toBeGreaterThanOrEqual(400);
  });

  it.skipIf(!found)("fails no request while one process after the other restarts", async () => {
    const answered = { one: 0, two: 0 };
    let isOver = false;
    const client = async () => {
      while (!isOver) answered[(await echo(proxy, "/")).name] += 1;
    };
    /** Waits until a process has answered twenty more requests. */
    const isUsed = async (name: keyof typeof answered) => {
      const enough = answered[name] + 20;
      await vi.waitFor(() => expect(answered[name]).toBeGreaterThan(enough), { timeout: 20_000 });
    };
    const posts = async () => {
      // Earlier ones have read the body when a process refuses: https://github.com/caddyserver/caddy/issues/7546
      if (program === "caddy" && !(await isCaddy(found ?? "", "2.11.2"))) return;
      const options = { method: "POST", body: Buffer.alloc(1_000) };
      await Promise.all(Array.from({ length: 8 }, () => echo(proxy, "/", options)));
    };
    const restarts = async () => {
      const [one, two] = both;
      for (const [each, other] of [[one, two] as const, [two, one] as const]) {
        await isUsed(each.name);
        await each.stop();
        await Promise.all([isUsed(other.name), posts()]);
        await each.start();
        await Promise.all([isUsed(each.name), posts()]);
      }
    };
    await Promise.all([
      ...Array.from({ length: 4 }, client),
      restarts().finally(() => {
        isOver = true;
      }),
    ]);
  });
});

describe("deploy/systemd (skipped where systemd-analyze is not installed)", () => {
  const analyze = installed("systemd-analyze");
  it.skipIf(!analyze)("has units that systemd takes", async () => {
    const copies = path.join(folder, "units");
    await mkdir(copies);
    for (const { file } of units) {
      // Its program must exist here.
      const unit = deployFile(path.join("systemd", file)).replace(
        /^ExecStart=\S+/m,
        `ExecStart=${process.execPath}`,
      );
      await writeFile(path.join(copies, file), unit);
    }
    const files = units.map(({ file }) => path.join(copies, file));
    const { stderr } = await run(analyze ?? "", ["verify", "--man=no", ...files]);
    expect(stderr).toBe("");
  });
});
