import { sql } from "kysely";
import { openDatabase } from "@/db/client";
import type { Db } from "@/db/schema";
import { sessionCookieName } from "@/lib/session/cookie";
import { familyCpuMs, parentOf } from "../live/cpu";
import { measures } from "./api/measures";
import { headersOf, requestsOf } from "./api/requests";
import { type Seed, seed } from "./api/seed";
import { type Load, LoadGenerator } from "./load";
import { postgresVersion } from "./machine";
import type { About } from "./report";
import type { Row } from "./row";
import { builtHome, type Closers, startBackEnds } from "./stage";

interface CostsOptions {
  /** Of one load. */
  readonly seconds?: number;
}

const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 8;
const POSTS = 100_000;
const MEASURES = ["list", "detail", "feed", "search", "chat", "vote", "comment", "post", "message"] as const;

/** What a row of the first table takes along in others. */
const ROWS = {
  "member's account": ["users"],
  session: ["sessions"],
  membership: ["memberships"],
  "post with a tag": ["posts", "post_search", "post_tags", "topic_tags"],
  comment: ["comments", "comment_search"],
  vote: ["votes"],
  reaction: ["reactions", "reaction_counts"],
  "chat message": ["chat_messages"],
} as const;

/** Measures what one request costs in CPU time, and what one row takes on disk: the numbers behind docs/scale.md. */
export async function* benchCosts({ seconds = SECONDS }: CostsOptions, about: About): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    const { postgres, redis } = await startBackEnds(closers, about);
    const url = await postgres.createDatabase("bench_costs");
    const database = await openDatabase({ url });
    closers.push(() => database.close());
    const filled = await seed(database.db, home.tokens, POSTS);
    about.software.push(await postgresVersion(database.db));
    about.notes.push(
      `One process of the app, rate limits off, on PostgreSQL and Redis with ${POSTS.toLocaleString("en")} posts; ${CONNECTIONS} connections, ${seconds} seconds each. CPU time is that of the processes, divided by the responses; Redis and the kernel's own work are not in it.`,
      "Bytes on disk are those of the tables and their indexes, divided by the rows.",
    );
    yield await diskRows(database.db);
    const app = await home.start({ DATABASE_URL: url, CACHE_URL: redis.url });
    closers.push(() => app.kill("SIGTERM"));
    const generator = new LoadGenerator();
    closers.push(async () => generator.close());
    const server = await postmasterOf(database.db);
    for (const { title, ...load } of loadsOf(filled)) {
      const full = { ...load, port: app.port, connections: CONNECTIONS };
      await generator.run({ ...full, seconds: WARM_UP_SECONDS });
      if (load.reset) await sql.raw(load.reset).execute(database.db);
      const before = [app.cpuMs(), familyCpuMs(server)] as const;
      const { responses } = await generator.run({ ...full, seconds });
      yield [
        { name: `${title}: app`, value: ((app.cpuMs() - before[0]) / responses) * 1000, unit: "µs" },
        {
          name: `${title}: PostgreSQL`,
          value: ((familyCpuMs(server) - before[1]) / responses) * 1000,
          unit: "µs",
        },
      ];
    }
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

type CostLoad = Pick<Load, "requests" | "headers" | "status" | "once"> & {
  readonly title: string;
  /** SQL that makes room for the same requests again. */
  readonly reset?: string | undefined;
};

function loadsOf(filled: Seed): CostLoad[] {
  const cookies = filled.members.map(({ token }) => [`cookie: ${sessionCookieName}=${token}`]);
  const pages = cookies.map((_, headers) => ({ method: "GET" as const, path: "/", headers }));
  return [
    ...MEASURES.map((name) => {
      const { title, status, reset } = measures[name];
      const requests = requestsOf(name, filled);
      return { title, status, reset, requests, headers: headersOf(filled), once: reset !== undefined };
    }),
    { title: "home page, signed in", requests: pages, headers: cookies, status: 200, once: false },
    {
      title: "home page, guest",
      requests: [{ method: "GET", path: "/" }],
      headers: [[]],
      status: 200,
      once: false,
    },
  ];
}

/** Returns the process that started the server's others. */
async function postmasterOf(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return parentOf(rows[0]?.pid ?? 0);
}

async function diskRows(db: Db): Promise<Row[]> {
  await sql`vacuum analyze`.execute(db);
  const rows: Row[] = [];
  for (const [kind, tables] of Object.entries(ROWS)) {
    const sizes = await sql<{ bytes: number; count: number }>`select
        (select sum(pg_total_relation_size(name::regclass)) from unnest(${tables}::text[]) name)::float8 as bytes,
        (select count(*) from ${sql.table(tables[0])})::float8 as count`.execute(db);
    const [{ bytes, count } = { bytes: Number.NaN, count: 1 }] = sizes.rows;
    rows.push({ name: `${kind} on disk`, value: bytes / count, unit: "B" });
  }
  return rows;
}
