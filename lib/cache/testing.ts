import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createClient } from "@redis/client";
import { z } from "zod";
import { freePort } from "@/lib/sql/testing";
import { portOf } from "@/lib/testing/port";

/** A Redis of a test run, or something that speaks for one. */
export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Starts `redis-server` on a free port, keeping nothing; undefined when the machine has none. */
export async function startRedis(): Promise<TestRedis | undefined> {
  if (!hasRedis) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-redis-"));
  const server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    cwd: folder,
  });
  for await (const line of server.stdout) if (String(line).includes("Ready to accept")) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const bridgeToken = "secret!";
const commandSchema = z.array(z.union([z.string(), z.number()]).transform(String));

/**
 * Upstash's REST in front of a Redis: a POSTed command array, its reply as {result}; a list of them at /pipeline; what
 * is published in a channel as an event stream at /subscribe/<channel>. The client asks for text as base64, which "OK"
 * is exempt from.
 * @returns the URL as CACHE_URL takes it
 */
export async function startRestBridge(target: string): Promise<TestRestBridge> {
  const client = createClient({ url: target });
  await client.connect();
  const encode = (reply: unknown): unknown => {
    if (Array.isArray(reply)) return reply.map(encode);
    return typeof reply === "string" && reply !== "OK" ? Buffer.from(reply).toString("base64") : reply;
  };
  const run = async (command: unknown) => ({
    result: encode(await client.sendCommand(commandSchema.parse(command))),
  });
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    if (request.headers.authorization !== `Bearer ${bridgeToken}`) {
      response.writeHead(401).end('{"error":"Unauthorized"}');
      return;
    }
    const channel = /^\/subscribe\/(.+)$/.exec(request.url ?? "")?.[1];
    if (channel !== undefined) return await streamOf(target, channel, response);
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const reply =
      request.url === "/pipeline"
        ? await Promise.all(z.array(z.unknown()).parse(sent).map(run))
        : await run(sent);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(reply));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  return {
    url: `upstash+http://:${encodeURIComponent(bridgeToken)}@127.0.0.1:${port}`,
    breakConnections: () => server.closeAllConnections(),
    async close() {
      server.close();
      server.closeAllConnections();
      await client.close();
    },
  };
}

/** The bridge, whose connections a test may break. */
export interface TestRestBridge extends TestRedis {
  breakConnections(): void;
}

async function streamOf(target: string, channel: string, response: http.ServerResponse): Promise<void> {
  const subscriber = createClient({ url: target });
  subscriber.on("error", () => response.destroy());
  response.on("close", () => subscriber.destroy());
  await subscriber.connect();
  response.writeHead(200, { "content-type": "text/event-stream" });
  await subscriber.subscribe(channel, (message) => response.write(`data: message,${channel},${message}\n\n`));
  response.write(`data: subscribe,${channel},1\n\n`);
}
