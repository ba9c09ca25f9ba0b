import { openDatabase } from "@/db/client";
import { LoadGenerator } from "../load";
import { postgresVersion } from "../machine";
import type { About } from "../report";
import type { Row } from "../row";
import { builtHome, type Closers, startBackEnds } from "../stage";
import { bareNext } from "./bare-next";
import type { MeasureName } from "./bodies";
import { measures } from "./measures";
import { CONNECTIONS, type Rates, ROUNDS, ratesOf } from "./rates";
import { startServers } from "./servers";
import { unreadRows } from "./unread";

export { measureNames } from "./measures";

interface ApiOptions {
  /** Numbers of posts, the smallest first. */
  readonly posts: readonly number[];
  readonly only: readonly MeasureName[];
  /** Of one round of one server. */
  readonly seconds?: number;
}

const SECONDS = 4;
/** Holds what is read often among a million posts; PostgreSQL advises a quarter of the memory. */
const SHARED_BUFFERS = "2GB";

/** Writes into one topic, compared with writes over many. */
const LEAST_BUSY = 0.8;
/** The largest number of posts, compared with the smallest. */
const LEAST_SCALED = 0.8;
/** Lists must be no slower than a route handler of Next that only returns the bytes. */
const LISTS: readonly MeasureName[] = ["list", "feed", "topics", "chat"];

/**
 * Measures operations of one process of the built app on PostgreSQL and Redis, beside (a) a Next route handler that
 * returns the same bytes and (b) a bare server that runs the same SQL.
 */
export async function* benchApi(
  { posts: sizes, only, seconds = SECONDS }: ApiOptions,
  about: About,
): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const home = await builtHome(closers);
    const next = await bareNext();
    closers.push(() => next.remove());
    await next.build();
    const { postgres, redis } = await startBackEnds(closers, about, SHARED_BUFFERS);
    const generator = new LoadGenerator();
    closers.push(async () => generator.close());
    about.notes.push(...notes(seconds));
    const first = new Map<MeasureName, Rates>();
    for (const posts of sizes) {
      const url = await postgres.createDatabase(`bench_${posts}`);
      const database = await openDatabase({ url });
      if (posts === sizes[0]) about.software.push(await postgresVersion(database.db));
      const servers = await startServers({ home, url, redisUrl: redis.url, database, posts, only, next });
      try {
        yield await unreadRows(database.db, posts);
        for (const name of only) {
          const rates = await ratesOf(name, { servers, db: database.db, generator, seconds });
          yield [...rowsOf(name, posts, rates), ...scaled(name, { posts, rates, few: first.get(name) })];
          if (!first.has(name)) first.set(name, rates);
        }
      } finally {
        await servers.close();
        await database.close();
      }
    }
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

function notes(seconds: number): string[] {
  return [
    `One process of the app, rate limits off, on PostgreSQL (a commit waits for the disk; ${SHARED_BUFFERS} of shared_buffers, else its default settings) and Redis. ${CONNECTIONS} connections from another process of the same machine; each sends its next request when it has the response.`,
    `A number is the median of ${ROUNDS} rounds of ${seconds} seconds, in which the servers take turns.`,
    "(a) is a route handler of an empty Next app that returns the same bytes. (b) is a `node:http` server that runs the recorded statements of such a request with `pg` (same number of connections, prepared, same transactions, also those after the response) and answers with `JSON.stringify` of the rows. It checks no signature, input or right, and uses no cache.",
    "1,000 members of 20 topics each send the requests. Writes go to 1,000 topics in turn, or into one.",
  ];
}

function rowsOf(name: MeasureName, posts: number, { ours, bare, next, busy }: Rates): Row[] {
  const { title, least } = measures[name];
  const label = `${title}, ${posts.toLocaleString("en")} posts`;
  const rows: Row[] = [
    { name: label, value: ours, unit: "/s" },
    { name: `${label}: (a) Next`, value: next, unit: "/s" },
    { name: `${label}: (b) pg`, value: bare, unit: "/s" },
    {
      name: `${label} / (a)`,
      value: ours / next,
      unit: "ratio",
      limit: LISTS.includes(name) ? { least: 1 } : undefined,
    },
    {
      name: `${label} / (b)`,
      value: ours / bare,
      unit: "ratio",
      limit: least === undefined ? undefined : { least },
    },
  ];
  if (busy === null) return rows;
  return [
    ...rows,
    { name: `${label}: into one topic`, value: busy, unit: "/s" },
    { name: `${label}: one topic / many`, value: busy / ours, unit: "ratio", limit: { least: LEAST_BUSY } },
  ];
}

/** Returns how many posts compare with few; nothing for the first number of posts. */
function scaled(
  name: MeasureName,
  { posts, rates, few }: { posts: number; rates: Rates; few: Rates | undefined },
): Row[] {
  if (!few) return [];
  const label = `${measures[name].title}: ${posts.toLocaleString("en")} posts / the fewest`;
  return [{ name: label, value: rates.ours / few.ours, unit: "ratio", limit: { least: LEAST_SCALED } }];
}
