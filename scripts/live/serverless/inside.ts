import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import dns from "node:dns/promises";
import http, { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { neonConfig } from "@neondatabase/serverless";

/**
 * The platform's part inside each process of the app: platform.ts has Node load it before the app. It leads the driver
 * of @vercel/postgres to its bridge and push messages to their stub, and tells the platform what is under way: requests,
 * and work that the app handed over (Next's `after`).
 */

const ports: unknown = JSON.parse(process.env.PLATFORM_PORTS ?? "[]");
const [bridge, push, reports] = Array.isArray(ports) ? ports.map(Number) : [];

neonConfig.wsProxy = () => `localhost:${bridge}/`;
neonConfig.useSecureWebSocket = false;
neonConfig.pipelineTLS = false;
neonConfig.pipelineConnect = false;

/** lib/push/testing/stub-push-service.ts is there; the app sends to public addresses only. */
const PUSH_HOST = "push.example";
const { lookup } = dns;
const { request } = https;
Object.assign(dns, {
  lookup: async (host: string, options: object) =>
    host === PUSH_HOST ? [{ address: "9.9.9.9", family: 4 }] : await lookup(host, options),
});
Object.assign(https, {
  request: (
    address: string | URL,
    options: https.RequestOptions,
    done: (response: IncomingMessage) => void,
  ) => {
    if (!(address instanceof URL) || address.hostname !== PUSH_HOST) return request(address, options, done);
    const local = new URL(address.pathname, `http://127.0.0.1:${push}`);
    return http.request(local, { ...options, lookup: undefined }, done);
  },
});
syncBuiltinESMExports();

const platform = net.connect(reports ?? 0, "127.0.0.1").unref();
let seen = 0;
let busy = 0;

function began(): void {
  busy += 1;
}
function ended(): void {
  busy -= 1;
  platform.write(`${JSON.stringify({ pid: process.pid, seen, busy })}\n`);
}

/** What a host tells Next of itself: node_modules/next/dist/docs, "after", "Supporting `after` for serverless". */
const invocation = new AsyncLocalStorage<{ waitUntil(work: Promise<unknown>): void }>();
Object.assign(globalThis, { [Symbol.for("@next/request-context")]: { get: () => invocation.getStore() } });

subscribe("http.server.request.start", (message) => {
  if (typeof message !== "object" || message === null) return;
  if (!("request" in message && message.request instanceof IncomingMessage)) return;
  if (!("response" in message && message.response instanceof ServerResponse)) return;
  // Whoever waits for the process to start asks without it.
  if (message.request.headers["x-platform-request"] === undefined) return;
  seen += 1;
  began();
  message.response.once("close", ended);
  invocation.enterWith({
    waitUntil(work) {
      began();
      work.then(ended, ended);
    },
  });
});
