import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createEntryServer } from "@/lib/server/entry-server";
import { freePort, freePorts } from "../stack/ports";
import { deployFile, units } from "./manifests";
import { installed, startNginx, startProgram } from "./proxy-program";

const run = promisify(execFile);

const DOMAIN = "parley.localhost";
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
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name, bytes, forwarded, proto }));
  };
  const begin = async () => {
    const server = createEntryServer({ rest: echo, failed: () => undefined, graceMs: 5_000 });
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

/** A running proxy in front of two processes of app and prover. */
interface Proxy {
  readonly httpPort: number;
  readonly httpsPort: number;
  stop(): Promise<void>;
}

async function startCaddy(caddy: string, [one, two]: readonly [Upstream, Upstream]): Promise<Proxy> {
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const config = path.join(folder, "Caddyfile");
  const options = [
    "admin off",
    "local_certs",
    "skip_install_trust",
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
  ];
  await writeFile(config, `{\n${options.join("\n")}\n}\n${deployFile("Caddyfile")}`);
  const both = `127.0.0.1:${one.port} 127.0.0.1:${two.port}`;
  const env = {
    ...process.env,
    ...{
      DOMAIN,
      APP_UPSTREAMS: both,
      PROVER_UPSTREAMS: both,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    ...{ FILES_UPSTREAM: `127.0.0.1:${one.port}`, FACILITATOR_UPSTREAM: `127.0.0.1:${two.port}` },
  };
  await run(caddy, ["validate", "--adapter", "caddyfile", "--config", config], { env });
  const program = startProgram(caddy, ["run", "--adapter", "caddyfile", "--config", config], env);
  return { httpPort, httpsPort, stop: async () => void (await program.stop()) };
}

/** Returns whether Caddy is of this version or later. */
async function isCaddy(caddy: string, version: string): Promise<boolean> {
  const [found = "0"] = /\d+(\.\d+)+/.exec((await run(caddy, ["version"])).stdout) ?? [];
  return found.localeCompare(version, "en", { numeric: true }) >= 0;
}

async function startSite(nginx: string, [one, two]: readonly [Upstream, Upstream]): Promise<Proxy> {
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);
  const [certificate, key] = [path.join(folder, "certificate.pem"), path.join(folder, "key.pem")];
  const subject = ["-subj", `/CN=${DOMAIN}`, "-days", "1", "-keyout", key, "-out", certificate];
  await run("openssl", [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    ...subject,
  ]);
  const site = deployFile("nginx.conf")
    .replaceAll(/^\s*listen \[::\].*$/gm, "")
    .replaceAll("listen 80", `listen 127.0.0.1:${httpPort}`)
    .replaceAll("listen 443", `listen 127.0.0.1:${httpsPort}`)
    .replaceAll(/127\.0\.0\.1:300[01] /g, `127.0.0.1:${one.port} `)
    .replaceAll(/127\.0\.0\.1:301[01] /g, `127.0.0.1:${two.port} `)
    .replaceAll("parley.example", DOMAIN)
    .replaceAll(/ssl_certificate .*;/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key .*;/g, `ssl_certificate_key ${key};`);
  const program = await startNginx(nginx, folder, site);
  return { httpPort, httpsPort, stop: async () => void (await program.stop()) };
}

/** Sends a request through the proxy. */
async function send(
  { httpsPort }: Proxy,
  url: string,
  {
    host = DOMAIN,
    ...options
  }: { host?: string; method?: string; headers?: http.OutgoingHttpHeaders; body?: Uint8Array } = {},
): Promise<IncomingMessage> {
  const request = https.request({
    ...{ host: "127.0.0.1", port: httpsPort, path: url, servername: host, method: options.method ?? "GET" },
    headers: { ...options.headers, host },
    // The proxy's own certificate of this test.
    rejectUnauthorized: false,
    agent: false,
  });
  const answered = once(request, "response");
  request.end(options.body);
  const [response] = z
    .tuple([z.custom<IncomingMessage>((value) => value instanceof http.IncomingMessage)])
    .parse(await answered);
  return response;
}

async function echo(proxy: Proxy, url: string, options?: Parameters<typeof send>[2]) {
  const response = await send(proxy, url, options);
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body}`);
  return echoSchema.parse(JSON.parse(body));
}

const proxies = [
  ["Caddyfile", "caddy", startCaddy],
  ["nginx.conf", "nginx", startSite],
] as const;

describe.each(proxies)("deploy/%s (skipped where %s is not installed)", (_, program, start) => {
  const found = installed(program);
  let both: [Upstream, Upstream];
  let proxy: Proxy;
  beforeAll(async () => {
    if (!found) return;
    both = [await upstream("one"), await upstream("two")];
    proxy = await start(found, both);
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

  it.skipIf(!found)("sends HSTS for the prover; the app sends it itself", async () => {
    const ofProver = await send(proxy, "/", { host: `prover.${DOMAIN}` });
    expect(ofProver.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect((await send(proxy, "/")).headers["strict-transport-security"]).toBeUndefined();
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
