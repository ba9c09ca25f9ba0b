import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import pg from "pg";
import type { Database } from "@/db/schema";
import type { Services } from "@/lib/runtime/assemble";
import { pgTypes } from "@/lib/sql/parsers";
import { runOn } from "@/lib/testing/backends";
import { createHarness } from "@/lib/testing/harness";
import type { RecordedGroup, RecordedStep, ResultRow } from "./program";

/** Work after responses that ends with one statement for many requests: no part of a single one. */
const SHARED_WORK: readonly string[] = ["view counts", "session seen"];

/** The API in this process, on a PostgreSQL and a Redis, whose statements are recorded. */
export type RecordedApi = Awaited<ReturnType<typeof recordedApi>>;

/** Opens the API on a migrated database. @param secret signs sessions */
export async function recordedApi(urls: { postgresUrl: string; cacheUrl: string }, secret: string) {
  runOn({ name: "postgres", ...urls });
  const recorder = new Recorder(urls.postgresUrl);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: recorder.pool() }) });
  const harness = await createHarness({
    database: { db, close: () => db.destroy() },
    env: { SESSION_SECRET: secret },
  });
  recorder.tellApart(harness.services);
  return {
    /** Sends a request. @returns its response, and what it asked the database then and later */
    async record(method: string, path: string, sent: { token: string; body?: unknown }) {
      recorder.start();
      const answer = await harness.send(method, path, sent);
      await harness.idle();
      return { status: answer.status, body: answer.body, groups: recorder.stop() };
    },
    close: () => harness.close(),
  };
}

interface OpenGroup extends RecordedGroup {
  readonly steps: RecordedStep[];
}

/** A pool of connections that keeps what is sent over them. */
class Recorder {
  readonly #pool: pg.Pool;
  readonly #afterwards = new AsyncLocalStorage<string>();
  #groups: OpenGroup[] | undefined;

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, types: pgTypes() });
  }

  /** Keeps statements from now on. */
  start(): void {
    this.#groups = [];
  }

  /** Returns what was kept: first what ran before the response. */
  stop(): RecordedGroup[] {
    const groups = this.#groups ?? [];
    this.#groups = undefined;
    return groups.toSorted((a, b) => Number(a.after) - Number(b.after));
  }

  /** Tells work after a response from the request itself. */
  tellApart(services: Services): void {
    const { later } = services;
    const named: Services["later"] = (name, work) => later(name, () => this.#afterwards.run(name, work));
    Object.assign(services, { later: named });
  }

  pool(): PostgresPool {
    return {
      options: {},
      end: () => this.#pool.end(),
      connect: async () => {
        const client = await this.#pool.connect();
        const work = this.#afterwards.getStore();
        if (!this.#groups || (work && SHARED_WORK.includes(work))) return client;
        const group: OpenGroup = { after: work !== undefined, steps: [] };
        this.#groups.push(group);
        return recordingClient(client, group);
      },
    };
  }
}

function recordingClient(client: pg.PoolClient, { steps }: OpenGroup): pg.PoolClient {
  const query = async (text: string, values: unknown[] = []) => {
    const result = await client.query<ResultRow>(text, values);
    steps.push({ text, values, rows: result.rows });
    return result;
  };
  return new Proxy(client, {
    get(target, property) {
      if (property === "query") return query;
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
