import { once } from "node:events";
import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Labels and the value that they have. */
export type Row<Label extends string> = [Record<Label, string>, number];

/** A pool's connections now. */
export interface PoolUse {
  readonly open: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
}

/** Seconds: from an answer out of memory to one that waits for a chain. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A program's metrics for Prometheus, with Node's own (event-loop delay, memory, garbage collection). Names and numbers only. */
export class Meters {
  readonly #registry = new Registry();
  readonly contentType = this.#registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Returns all metrics in the Prometheus text format. */
  async text(): Promise<string> {
    return await this.#registry.metrics();
  }

  /** Returns the name of every metric. */
  names(): string[] {
    return this.#registry.getMetricsAsArray().map(({ name }) => name);
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  /** @param buckets upper bounds, in seconds */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }

  /** Adds a gauge that is looked up at each reading. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  /** Adds a gauge whose labels and values are looked up at each reading. */
  table<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Row<Label>[] | Promise<Row<Label>[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      async collect() {
        const rows = await read();
        this.reset();
        for (const [labels, value] of rows) this.set(labels, value);
      },
    });
  }

  /** Adds counters that other code counts; their values are looked up at each reading. */
  totals<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Row<Label>[],
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }

  /** Adds the gauges of a database's connections. */
  pool(read: () => PoolUse): void {
    this.table("database_connections", "Connections to the database", ["state"], () => {
      const { open, idle } = read();
      return [
        [{ state: "used" }, open - idle],
        [{ state: "idle" }, idle],
      ];
    });
    this.gauge("database_waiting", "Queries that wait for a connection", () => read().waiting);
  }
}

interface OperationLabels {
  readonly operation: { readonly operation: string };
  readonly byStatus: Map<number, { readonly operation: string; readonly status: number }>;
}

/** Counts requests by operation and status. Labels are made once each: a request costs less than a microsecond. */
export class RequestMeter {
  readonly #count: Counter<"operation" | "status">;
  readonly #seconds: Histogram<"operation">;
  readonly #labels = new Map<string, OperationLabels>();

  constructor(meters: Meters) {
    this.#count = meters.counter("http_requests_total", "Requests answered", ["operation", "status"]);
    this.#seconds = meters.histogram(
      "http_request_duration_seconds",
      "Time until a request's answer was made; of an event stream, until it began",
      ["operation"],
      REQUEST_BUCKETS,
    );
  }

  /** @param operation from a closed list, never a path */
  observe(operation: string, status: number, ms: number): void {
    let labels = this.#labels.get(operation);
    if (!labels) {
      labels = { operation: { operation }, byStatus: new Map() };
      this.#labels.set(operation, labels);
    }
    let both = labels.byStatus.get(status);
    if (!both) {
      both = { operation, status };
      labels.byStatus.set(status, both);
    }
    this.#count.inc(both);
    this.#seconds.observe(labels.operation, ms / 1000);
  }
}

/** Where metrics are served. */
export interface MetricsAddress {
  readonly port: number;
  readonly host: string;
}

/**
 * Serves GET /metrics and nothing else, on an address of its own: metrics are for operators. Port 0 takes a free one.
 * @throws Error (EADDRINUSE) when the port is taken
 */
export async function serveMetrics(
  meters: Meters,
  { port, host }: MetricsAddress,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404, { "content-type": "text/plain" }).end("GET /metrics\n");
      return;
    }
    try {
      const text = await meters.text();
      response.writeHead(200, { "content-type": meters.contentType, "cache-control": "no-store" }).end(text);
    } catch {
      // If the prover's database is away, the scrape fails, and alerts watch for that.
      response.writeHead(503, { "content-type": "text/plain" }).end("the metrics could not be read\n");
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("not listening on a TCP port");
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound.port}/metrics`,
    async close() {
      const closed = once(server, "close");
      server.close();
      // Scrapers keep their connections.
      server.closeAllConnections();
      await closed;
    },
  };
}
