import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { communityRelease } from "@/db/migrations";
import { migrate } from "@/lib/sql/migrate";
import { nginxVersion, postgresVersion } from "../machine";
import type { About } from "../report";
import { quantile, type Row } from "../row";
import type { Closers } from "../stage";
import { Buyers } from "./buyers";
import { type Installation, startInstallation } from "./installation";
import { Members } from "./members";
import { Meter } from "./meter";

interface RollingOptions {
  /** Of load before, between and after the replacements. */
  readonly seconds?: number;
}

const SECONDS = 10;
/** Proofs that are bought before the first process is replaced: both provers are warm then. */
const FIRST_PROOFS = 4;
const START_MS = 300_000;

/**
 * Replaces each process of an installation by the next release, one after the other, while people and agents use it through
 * the proxy, and counts what failed, got lost or happened twice.
 */
export async function* benchRolling(
  { seconds = SECONDS }: RollingOptions,
  about: About,
): AsyncGenerator<Row[]> {
  const closers: Closers = [];
  try {
    const installation = await startInstallation(closers, about);
    const { appUrl: url, deployment, stack, database, urls } = installation;
    about.software.push(await postgresVersion(database.db), nginxVersion());
    about.notes.push(...notes(seconds));
    const [ofApp, ofProver] = [new Meter(), new Meter()];
    const members = new Members({ url, meter: ofApp, seed: installation.members });
    const buyers = new Buyers({ deployment, stack, meter: ofProver });
    await buyers.start();
    await members.start();
    await until("the first proofs are bought", () => buyers.proofs >= FIRST_PROOFS);
    const windows = await replaceAll(installation, seconds);
    await Promise.all([members.end(), buyers.end()]);

    const { lost, doubled } = await members.losses(database.db);
    const books = await buyers.books(urls.prover);
    const failures = [...ofApp.failures, ...ofProver.failures];
    tell({ failures, lost, doubled, "lost payments": books.lost, "doubled payments": books.doubled });
    tell({ "purchases that were called again": buyers.broken });
    const during = ofApp.answered
      .filter(({ at }) => windows.some(({ from, to }) => at >= from && at <= to))
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    const { comments, votes, messages, heard } = members.counts;
    const most = { limit: { most: 0 }, unit: "count" } as const;
    yield [
      { name: "failed requests", value: failures.length, ...most },
      { name: "comments, votes and messages lost", value: lost.length, ...most },
      { name: "comments, votes and messages doubled", value: doubled.length, ...most },
      { name: "payments lost", value: books.lost.length, ...most },
      { name: "payments doubled", value: books.doubled.length, ...most },
      ...counts({
        "processes replaced": windows.length,
        requests: ofApp.requests + ofProver.requests,
        "requests to the app during replacements": during.length,
      }),
      { name: "requests to the app during replacements: p99", value: quantile(during, 0.99), unit: "ms" },
      {
        name: "longest replacement",
        value: Math.max(...windows.map(({ from, to }) => to - from)),
        unit: "ms",
      },
      ...counts({
        comments,
        votes,
        messages,
        "messages heard": heard,
        "proofs bought": books.proofs,
        "transfers on the chains": books.transfers,
        "credits owed": books.credits,
      }),
    ];
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Migrates as the next release would, and replaces each process. @returns when each replacement began and ended */
async function replaceAll({ database, processes }: Installation, seconds: number) {
  const windows: { from: number; to: number }[] = [];
  await sleep(seconds * 1000);
  await migrate(database.db, {
    ...communityRelease,
    migrations: {
      ...communityRelease.migrations,
      "999_of_the_next_release": {
        kind: "expand",
        up: async (db) => void (await sql`alter table posts add column of_the_next_release text`.execute(db)),
      },
    },
  });
  for (const { name, replace } of processes) {
    const from = performance.now();
    await replace();
    const to = performance.now();
    console.error(`replaced the ${name} in ${Math.round(to - from)} ms`);
    windows.push({ from, to });
    await sleep(seconds * 1000);
  }
  return windows;
}

function notes(seconds: number): string[] {
  return [
    "Two processes of the app, two provers, PostgreSQL and Redis, a facilitator and two local chains, with nginx and the rules of `deploy/nginx.conf` in front (without TLS). Clients on the same cores: readers, voters, commenters, chats with listeners, and buyers of proofs, by the facilitator and to the prover's own account, who follow the job's events or wait for the answer.",
    `Each process in turn gets SIGTERM; when it has ended, the next release starts in its place, and ${seconds} seconds after that is ready the next one is replaced. The next release is a copy of the build with another version; the app's database gets one more migration that expands, before the first process is replaced.`,
    "A failed request is a status of 500 or more or a broken connection, as a client of nginx sees it. Streams of events may end: their clients resume with the last event's id. A client repeats a failed request only with the same `Idempotency-Key` or payment.",
    "Lost is what was acknowledged and is not in the database, or did not reach a listener; a score counts its votes. Payments are the transfers on the chains, compared with the proofs that buyers have and with the books (`income`, `credits`).",
  ];
}

function counts(values: Readonly<Record<string, number>>): Row[] {
  return Object.entries(values).map(([name, value]) => ({ name, value, unit: "count" }));
}

/** Names what went wrong, for whoever looks for the cause. */
function tell(problems: Readonly<Record<string, readonly string[]>>): void {
  for (const [what, each] of Object.entries(problems))
    if (each.length > 0) console.error(`${what}:\n  ${each.slice(0, 20).join("\n  ")}`);
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + START_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${START_MS / 1000} seconds: ${what}`);
    await sleep(100);
  }
}
