import { sql } from "kysely";
import pTimeout from "p-timeout";
import { log } from "@/lib/log";
import { Meters, type MetricsAddress, RequestMeter, type Row, serveMetrics } from "@/lib/metrics";
import { remembered } from "@/lib/remembered";
import type { Services } from "./assemble";
import { type Counts, processState } from "./process";

type Sources = Pick<Services, "database" | "db" | "guestAnswers" | "now" | "pageReads" | "streams">;

/** How long a count of the database is reused. */
const COUNTED_MS = 5_000;
/** Time limit of the query. */
const QUERY_MS = 2_000;
/** From here on a count only says that it is large: counting a backlog row by row would add to it. */
const MAX_COUNT = 10_000;

/** Work in the database that waits, of all processes. */
interface Backlog {
  readonly pushes: number;
  /** Seconds since the oldest push was due. */
  readonly pushDelay: number;
  readonly records: number;
  /** Seconds since the oldest open record was sent. */
  readonly recordDelay: number;
  readonly deltas: number;
}

/** Counts what the app does, for Prometheus. */
export class AppMetrics implements Counts {
  readonly meters = new Meters();
  readonly #requests = new RequestMeter(this.meters);
  readonly #refused = this.meters.counter("app_refusals_total", "Requests refused", ["code"]);

  constructor(sources: Sources) {
    const { database, guestAnswers, pageReads, streams } = sources;
    if (database.connections) this.meters.pool(database.connections);
    this.meters.gauge("app_streams", "Open event streams", () => streams().streams);
    this.meters.gauge("app_stream_members", "Members with an open event stream", () => streams().members);
    this.meters.totals("app_cache_reads_total", "Reads of what is kept for guests", ["cache", "result"], () =>
      [
        { cache: "pages", ...pageReads },
        { cache: "answers", ...guestAnswers.reads },
      ].flatMap(({ cache, hit, miss }): Row<"cache" | "result">[] => [
        [{ cache, result: "hit" }, hit],
        [{ cache, result: "miss" }, miss],
      ]),
    );
    const backlog = remembered(COUNTED_MS, () => countBacklog(sources));
    this.meters.gauge("app_database_up", "1 if the database answered within two seconds", async () =>
      (await backlog()) ? 1 : 0,
    );
    const waiting = (name: string, help: string, field: keyof Backlog) =>
      this.meters.gauge(name, help, async () => (await backlog())?.[field] ?? Number.NaN);
    waiting("app_push_deliveries", `Push messages to send, up to ${MAX_COUNT}`, "pushes");
    waiting("app_push_delay_seconds", "Time since the oldest push message was due", "pushDelay");
    waiting("app_records_open", "On-chain records that are not settled", "records");
    waiting("app_record_delay_seconds", "Age of the oldest record that is not settled", "recordDelay");
    waiting("app_counter_deltas", `Changes of counters to add up, up to ${MAX_COUNT}`, "deltas");
  }

  request(operation: string, status: number, ms: number): void {
    this.#requests.observe(operation, status, ms);
  }

  refused(code: string): void {
    this.#refused.inc({ code });
  }
}

/** Starts to count, and serves the metrics. @throws Error (EADDRINUSE) when the port is taken */
export async function startMetrics(services: Sources, address: MetricsAddress) {
  const metrics = new AppMetrics(services);
  const served = await serveMetrics(metrics.meters, address);
  processState().metrics = metrics;
  return served;
}

/** Counts what waits, by indexes. @returns null if the database does not answer: the other metrics are still of use */
async function countBacklog({ db, now }: Pick<Sources, "db" | "now">): Promise<Backlog | null> {
  const at = now();
  const age = (time: string) => sql`extract(epoch from ${at}::timestamptz - min(${sql.ref(time)}))`;
  const query = sql<Backlog>`select
    (select count(*)::int from (select from push_deliveries limit ${MAX_COUNT}) as one) as pushes,
    (select greatest(0, coalesce(${age("next_at")}, 0))::float8 from push_deliveries) as "pushDelay",
    (select count(*)::int from chain_transactions where state = 'open') as records,
    (select coalesce(${age("created_at")}, 0)::float8 from chain_transactions where state = 'open') as "recordDelay",
    (select count(*)::int from (select from topic_deltas limit ${MAX_COUNT}) as one)
      + (select count(*)::int from (select from post_deltas limit ${MAX_COUNT}) as one) as deltas`;
  try {
    const { rows } = await pTimeout(query.execute(db), { milliseconds: QUERY_MS });
    return rows[0] ?? null;
  } catch (error) {
    log.warn({ err: error }, "could not count waiting work");
    return null;
  }
}
