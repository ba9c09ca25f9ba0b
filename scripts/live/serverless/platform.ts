import { EventEmitter, once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import pg from "pg";
import { z } from "zod";
import type { Environment } from "@/lib/settings/read";
import { portOf } from "@/lib/testing/port";
import { ROOT } from "../../stack/settings";
import type { AppHome, AppProcess } from "../app-process";

/** Vercel's, for a request: https://vercel.com/docs/functions/limitations */
const BODY_BYTES = 4_500_000;
/** What is loaded into each process; in the build, from where Node finds the packages. */
const INSIDE = path.join(ROOT, ".next", "serverless-inside.mjs");

export interface PlatformOptions {
  readonly home: AppHome;
  readonly env: Environment;
  /** PostgreSQL, past the bridge. */
  readonly postgresUrl: string;
  readonly bridgePort: number;
  readonly pushPort: number;
  /** After which a response is cut and its process ended. */
  readonly limitMs: number;
}

/**
 * A serverless platform on this machine: `next start` in two processes that share no memory, behind a front. A process
 * runs while a request or what it handed to `after` is under way, and is frozen (SIGSTOP) right after. It is started by
 * the first request, and by the first one after its end.
 */
export class Platform {
  /** What must not happen: responses that were cut, and processes that were frozen in a transaction. */
  readonly faults: string[] = [];
  /** The largest body that reached the app, in bytes. */
  largest = 0;
  readonly #front = http.createServer((request, response) => {
    void this.#pass(request, response).catch(() => response.destroy());
  });
  readonly #reports = net.createServer((socket) => this.#listen(socket));
  readonly #changed = new EventEmitter();
  #instances: readonly Instance[] = [];
  #limitMs = 0;
  #requests = 0;
  #witness: pg.Client | undefined;

  /** Listens, so that the app's address is known. */
  async listen(): Promise<string> {
    for (const server of [this.#front, this.#reports]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
    return `http://127.0.0.1:${portOf(this.#front)}`;
  }

  async open({ home, env, postgresUrl, bridgePort, pushPort, limitMs }: PlatformOptions): Promise<void> {
    await build({
      entryPoints: [path.join(import.meta.dirname, "inside.ts")],
      outfile: INSIDE,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      logLevel: "warning",
    });
    const witness = new pg.Client(postgresUrl);
    await witness.connect();
    this.#witness = witness;
    this.#limitMs = limitMs;
    const hosted = {
      ...env,
      NODE_OPTIONS: `--import=${pathToFileURL(INSIDE).href}`,
      PLATFORM_PORTS: JSON.stringify([bridgePort, pushPort, portOf(this.#reports)]),
    };
    this.#instances = ["one", "two"].map((name) => {
      const url = `vercel+${postgresUrl}?application_name=${name}`;
      return new Instance(name, {
        start: () => home.start({ ...hosted, DATABASE_URL: url }, "next start"),
        frozen: () => this.#examine(name),
        changed: () => this.#changed.emit("change"),
      });
    });
  }

  /** Kills a process, or both, between requests or in one. @param name as in the header `x-served-by` */
  async kill(name?: string): Promise<void> {
    const chosen = this.#instances.filter((instance) => name === undefined || instance.name === name);
    await Promise.all(chosen.map((instance) => instance.kill()));
  }

  /** Resolves when every process is frozen or dead. */
  async idle(): Promise<void> {
    while (!this.#instances.every((instance) => instance.isAtRest)) await once(this.#changed, "change");
    await Promise.all(this.#instances.map((instance) => instance.examined));
  }

  async close(): Promise<void> {
    await this.kill();
    await this.idle();
    this.#front.closeAllConnections();
    this.#front.close();
    this.#reports.close();
    await this.#witness?.end();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of request) {
      size += part.length;
      if (size <= BODY_BYTES) parts.push(part);
    }
    if (size > BODY_BYTES) {
      response.writeHead(413, { "content-type": "text/plain" }).end("FUNCTION_PAYLOAD_TOO_LARGE");
      return;
    }
    this.largest = Math.max(this.largest, size);
    this.#requests += 1;
    const instance = this.#instances[this.#requests % this.#instances.length];
    if (!instance) throw new Error("the platform is not open");
    const app = await instance.wake();
    const { "transfer-encoding": _, ...given } = request.headers;
    const upstream = http.request({
      host: "127.0.0.1",
      port: app.port,
      path: request.url,
      method: request.method,
      agent: false,
      headers: {
        ...given,
        ...(size > 0 && { "content-length": size }),
        "x-forwarded-for": [given["x-forwarded-for"], request.socket.remoteAddress]
          .filter(Boolean)
          .join(", "),
        "x-platform-request": "1",
      },
    });
    const limit = setTimeout(() => {
      this.faults.push(`cut: ${request.method} ${request.url}`);
      response.destroy();
      void instance.kill();
    }, this.#limitMs);
    response.once("close", () => {
      clearTimeout(limit);
      upstream.destroy();
    });
    upstream.once("response", (answer) => {
      const { connection: _c, "transfer-encoding": _t, ...headers } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...headers, "x-served-by": instance.name });
      response.flushHeaders();
      pipeline(answer, response, () => undefined);
    });
    upstream.once("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    upstream.end(Buffer.concat(parts));
  }

  #listen(socket: net.Socket): void {
    socket.on("error", () => undefined);
    createInterface({ input: socket }).on("line", (line) => {
      const report = reportSchema.parse(JSON.parse(line));
      for (const instance of this.#instances) instance.report(report);
    });
  }

  /** A frozen process must hold no lock: its transactions would stay open until somebody thaws it. */
  async #examine(name: string): Promise<void> {
    const text = `select state, query from pg_stat_activity
      where application_name = $1 and xact_start is not null`;
    for (;;) {
      const rows = sessions.parse((await this.#witness?.query(text, [name]))?.rows);
      const held = rows.find(({ state }) => state !== "active");
      if (held) this.faults.push(`frozen in a transaction after: ${held.query}`);
      if (held || rows.length === 0) return;
      // A single statement that the server still runs ends by itself.
      await sleep(5);
    }
  }
}

const reportSchema = z.object({ pid: z.int(), seen: z.int(), busy: z.int() });
const sessions = z.array(z.object({ state: z.string(), query: z.string() }));

interface Hooks {
  start(): Promise<AppProcess>;
  /** Called while it is frozen. */
  frozen(): Promise<void>;
  changed(): void;
}

/** A place for one process. */
class Instance {
  /** Resolves when the process that was frozen last has been looked at; it stays frozen until then. */
  examined: Promise<void> = Promise.resolve();
  readonly #hooks: Hooks;
  #app: Promise<AppProcess> | undefined;
  #running: AppProcess | undefined;
  #isFrozen = false;
  /** Requests for this process, and those of them that still wait for it. */
  #given = 0;
  #waiting = 0;

  constructor(
    readonly name: string,
    hooks: Hooks,
  ) {
    this.#hooks = hooks;
  }

  get isAtRest(): boolean {
    return this.#waiting === 0 && (this.#app === undefined || this.#isFrozen);
  }

  /** Returns the process for one more request: starts or thaws it. */
  async wake(): Promise<AppProcess> {
    this.#given += 1;
    this.#waiting += 1;
    try {
      this.#app ??= this.#hooks.start();
      const app = await this.#app;
      await this.examined;
      this.#running = app;
      if (this.#isFrozen) {
        this.#isFrozen = false;
        app.signal("SIGCONT");
      }
      return app;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Freezes the process when it says that everything it was given is done. */
  report({ pid, seen, busy }: z.infer<typeof reportSchema>): void {
    if (pid !== this.#running?.pid || seen < this.#given || busy > 0 || this.#isFrozen) return;
    this.#running.signal("SIGSTOP");
    this.#isFrozen = true;
    this.examined = this.#hooks.frozen();
    this.#hooks.changed();
  }

  async kill(): Promise<void> {
    const app = await this.#app;
    if (!app) return;
    await app.kill("SIGKILL");
    this.#app = undefined;
    this.#running = undefined;
    this.#isFrozen = false;
    this.#given = this.#waiting;
    this.#hooks.changed();
  }
}
