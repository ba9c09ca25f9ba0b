import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { MemberContext } from "@/lib/context";
import { startPostgres } from "@/lib/sql/testing";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { noSession } from "@/lib/testing/no-session";
import { type Filled, fill } from "./fill";
import { RARE_BEGINNING, type Read, reads } from "./lists";
import { costOf, median, openWatched, type WatchedDatabase } from "./measure";

export interface ScaleOptions {
  readonly posts: number;
  /**
   * Plans without sequential scans where there is any other way. On small tables PostgreSQL reads some from end to
   * end because that is cheaper; what is left then has no index to use.
   */
  readonly avoidScans: boolean;
  /** Wall-clock ratios too; they mean something on large tables only. */
  readonly clock: boolean;
}

/** Rows of a page where the list is long enough. */
const pageRows = 20;
/** The page that is compared with the first. */
const deepPage = 10_000;
/** How much more it may cost (design/assurance.md). */
const mostRatio = 1.5;
/** Blocks that a page may touch more, whatever the ratio: a level of an index, a row that moved. */
const slackBlocks = 40;
const runs = 15;

/**
 * That every read of the API uses indexes, and that page 10,000 costs what page 1 costs, on a database with so many
 * posts: PostgreSQL where the machine has it, else PGlite.
 */
export function describeScale({ posts, avoidScans, clock }: ScaleOptions): void {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let watched: WatchedDatabase;
  let filled: Filled;
  let h: Harness;
  let cases: readonly Read[];
  let large: ReadonlySet<string>;

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = (await postgres?.createDatabase("scale")) ?? "pglite:memory";
    watched = await openWatched(url);
    filled = await fill(watched.db, posts);
    if (avoidScans) await withoutScans();
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and reltuples >= ${posts / 100}`.execute(watched.db);
    large = new Set(rows.map((row) => row.name));
    h = await createHarness({ database: { db: watched.db, close: async () => undefined } });
    const caller = {
      userId: filled.userId,
      nickname: "Nick1",
      nicknameSet: true,
      verifiedAt: 0,
      at: new Date(),
      operator: null,
      session: noSession,
      automation: null,
    };
    const ctx: MemberContext = { ...h.services, caller };
    cases = reads(ctx, filled);
  });
  afterAll(async () => {
    await h?.close();
    await watched?.close();
    await postgres?.close();
  });

  /** For every connection from here on, or for the only one. */
  async function withoutScans() {
    if (!postgres) return await sql.raw("set enable_seqscan = off").execute(watched.db);
    await sql.raw("alter database scale set enable_seqscan = off").execute(watched.db);
    await watched.close();
    const url = new URL(postgres.url);
    url.pathname = "scale";
    watched = await openWatched(url.toString());
  }

  const cost = async (work: () => Promise<unknown>) => costOf(watched.db, await watched.watch(work));

  /** The page to compare with the first: the 10,000th, of as many rows as the list allows. */
  async function deep(list: Read): Promise<{ limit: number; cursor: string; page: number }> {
    const rows = Math.floor(posts * list.share * 0.9);
    const limit = clock ? Math.max(1, Math.min(pageRows, Math.floor(rows / deepPage))) : pageRows;
    const page = Math.min(deepPage, Math.floor(rows / limit));
    const row = (page - 1) * limit;
    const cursor = list.cursorAfter
      ? await list.cursorAfter(row)
      : nextCursorOf(await list.read({ limit: 1, offset: row - 1 }));
    if (cursor === null) throw new Error(`${list.name} has fewer than ${row} rows`);
    return { limit, cursor, page };
  }

  it("every read uses indexes", async () => {
    const wrong: string[] = [];
    for (const { name, read } of cases) {
      const { scanned, queries, ms, blocks } = await cost(() => read({ limit: pageRows }));
      if (clock) console.log(`${name}: ${queries} queries, ${ms.toFixed(1)} ms, ${blocks} blocks`);
      for (const table of scanned) {
        if (large.has(table)) wrong.push(`${name} scans ${table}`);
      }
      if (queries === 0) wrong.push(`${name} asks nothing`);
    }
    expect(wrong).toEqual([]);
  });

  it.runIf(clock)("a word that begins few words is found by its index", async () => {
    const rare = cases.find(({ name }) => name === `search posts for ${RARE_BEGINNING}, guest`);
    if (!rare) throw new Error("no such read");
    const { blocks, rows } = await cost(() => rare.read({ limit: pageRows }));
    console.log(`${rare.name}: ${rows} rows, ${blocks} blocks`);
    expect(rows).toBeLessThan(posts / 50);
  });

  it("a page far in costs what the first costs", async () => {
    const wrong: string[] = [];
    for (const list of cases.filter(({ share }) => share > 0)) {
      const { limit, cursor, page } = await deep(list);
      const first = await cost(() => list.read({ limit }));
      const later = await cost(() => list.read({ limit, cursor }));
      let said = `${list.name}: page ${page} of ${limit} touches ${later.blocks} blocks, the first ${first.blocks}`;
      let fits = later.queries === first.queries && later.blocks <= first.blocks * mostRatio + slackBlocks;
      for (const table of later.scanned)
        if (large.has(table)) wrong.push(`${list.name} scans ${table} further in`);
      if (clock) {
        const ratio = await clockRatio(
          () => list.read({ limit }),
          () => list.read({ limit, cursor }),
        );
        said += `, and takes ${ratio.toFixed(2)} of its time`;
        fits &&= ratio <= mostRatio;
        console.log(said);
      }
      if (!fits) wrong.push(said);
    }
    expect(wrong).toEqual([]);
  });
}

/**
 * Median time of one over that of the other, run in turns. Asked again when it is too high: on a busy machine a few
 * milliseconds are easily one and a half times a few milliseconds, but not always.
 */
async function clockRatio(first: () => Promise<unknown>, later: () => Promise<unknown>): Promise<number> {
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && ratio > mostRatio; attempt += 1) {
    ratio = Math.min(ratio, await oneRatio(first, later));
  }
  return ratio;
}

async function oneRatio(first: () => Promise<unknown>, later: () => Promise<unknown>): Promise<number> {
  const times: { first: number[]; later: number[] } = { first: [], later: [] };
  for (let run = 0; run < runs; run += 1) {
    for (const [which, work] of [
      ["first", first],
      ["later", later],
    ] as const) {
      const began = performance.now();
      await work();
      times[which].push(performance.now() - began);
    }
  }
  return median(times.later) / median(times.first);
}

function nextCursorOf(page: unknown): string | null {
  return z.object({ nextCursor: z.string().nullable() }).parse(page).nextCursor;
}
