import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { createClient } from "@redis/client";
import { sql } from "kysely";
import { vi } from "vitest";
import { contract } from "@/lib/contract";
import { log } from "@/lib/log";
import { AppMetrics } from "@/lib/runtime/metrics";
import { processState } from "@/lib/runtime/process";
import { backend } from "@/lib/testing/backends";
import type { Harness, TestUser } from "@/lib/testing/harness";
import type { Site } from "./world";

/** One thing that an operator has in hand. */
export interface Holding {
  /** Table, or what else it is from. */
  readonly source: string;
  /** Where it stands there: by the physical order of a table, by time elsewhere. */
  readonly text: string;
  /** Unix milliseconds, where it has a time of its own. */
  readonly at: number | null;
}

/** Keeps lines of the log, and counts requests. @returns what was kept */
export function listen(h: Harness): {
  readonly lines: readonly Holding[];
  readonly stop: () => Promise<string>;
} {
  const lines: Holding[] = [];
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...given: unknown[]) => {
      lines.push({ source: "log", text: JSON.stringify(given), at: h.services.now().getTime() });
    });
  const metrics = new AppMetrics(h.services);
  const before = processState().metrics;
  processState().metrics = metrics;
  return {
    lines,
    stop: async () => {
      processState().metrics = before;
      vi.restoreAllMocks();
      return await metrics.meters.text();
    },
  };
}

/** Everything of a site that its operator can look at. */
export async function holdingsOf(
  h: Harness,
  { topicId, polls }: Site,
  heard: ReturnType<typeof listen>,
): Promise<Holding[]> {
  const metrics = (await heard.stop()).split("\n").map((text) => ({ source: "metrics", text, at: null }));
  return [
    ...(await tables(h)),
    ...(await cache()),
    ...heard.lines,
    ...metrics,
    ...(await uploads(h.uploadsFolder)),
    ...(await answers(h, topicId, polls)),
  ];
}

async function tables(h: Harness): Promise<Holding[]> {
  const { rows: names } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(h.db);
  const held: Holding[] = [];
  for (const { name } of names) {
    // In the order in which they lie on the disk.
    const { rows } = await sql<{
      text: string;
    }>`select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(h.db);
    for (const { text } of rows) held.push({ source: name, text, at: timeIn(text) });
  }
  return held;
}

/** The earliest time that a row names. */
function timeIn(text: string): number | null {
  const times = [...text.matchAll(/"(\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00:00)?)"/g)].map(([, at = ""]) =>
    Date.parse(at),
  );
  const known = times.filter((at) => !Number.isNaN(at) && at > 0);
  return known.length > 0 ? Math.min(...known) : null;
}

/** The embedded cache is a table. */
async function cache(): Promise<Holding[]> {
  const settings = backend();
  if (settings.name === "embedded") return [];
  const client = createClient({ url: settings.cacheUrl });
  await client.connect();
  const held: Holding[] = [];
  for await (const keys of client.scanIterator())
    for (const key of [keys].flat()) {
      const value = (await client.type(key)) === "string" ? await client.get(key) : null;
      held.push({ source: "cache", text: `${key} ${value}`, at: null });
    }
  client.destroy();
  return held;
}

async function uploads(folder: string): Promise<Holding[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const held: Holding[] = [];
  for (const name of names.toSorted()) {
    const { mtimeMs, size } = await stat(path.join(folder, name));
    held.push({ source: "uploads", text: `${name} ${size}`, at: Math.floor(mtimeMs) });
  }
  return held;
}

async function answers(h: Harness, topicId: string, polls: readonly string[]): Promise<Holding[]> {
  const held: Holding[] = [];
  const hold = (source: string, rows: readonly unknown[]) => {
    for (const row of rows) held.push({ source, text: JSON.stringify(row), at: null });
  };
  const owner = await ownerOf(h, topicId);
  for (let cursor: string | undefined; ; ) {
    const page = await owner.call(contract.posts.list, { topicId, sort: "new", limit: 100, cursor });
    hold("GET posts", page.posts);
    for (const { id, anonymous } of page.posts)
      if (anonymous)
        hold("GET evidence", [(await h.guest.call(contract.anonymous.evidence, { postId: id })).evidence]);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  for (const postId of polls) {
    const { ballots } = await h.guest.call(contract.anonymous.ballots, { postId, limit: 100 });
    hold("GET ballots", ballots);
  }
  return held;
}

async function ownerOf(h: Harness, topicId: string): Promise<TestUser["api"]> {
  const { nickname } = await h.db
    .selectFrom("memberships as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select("u.nickname")
    .where("m.topic_id", "=", topicId)
    .where("m.role", "=", "owner")
    .executeTakeFirstOrThrow();
  return (await h.login(nickname ?? undefined)).api;
}
