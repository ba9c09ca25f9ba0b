import { sql } from "kysely";
import { it } from "vitest";
import { type OpenDatabase, openDatabase } from "@/db/client";
import type { MemberContext } from "@/lib/context";
import type { Live } from "@/lib/live";
import { publicWeb } from "@/lib/preview/web";
import { createAppKeys } from "@/lib/session/app-keys";
import { createFactSeals } from "@/lib/session/fact-seals";
import type { TestPostgres } from "@/lib/sql/testing";
import { diskStorage } from "@/lib/storage/disk";
import { noSession } from "@/lib/testing/no-session";
import { assure, fullOrShort } from "./assure";
import { testDeployment } from "./deployment";
import { memoryDatabase } from "./template";

/** How many do the same thing at once (design/assurance.md). */
export const parallel = 100;

/** A database that races are run on. */
export interface Arena {
  readonly name: string;
  /** Undefined where the machine has no such database. */
  readonly open: (() => Promise<OpenDatabase>) | undefined;
  /** Rounds of each race: 20 in full. */
  readonly rounds: number;
}

/**
 * PGlite and, where the machine has it, a PostgreSQL with as many connections as its pool opens. The short form leaves
 * PGlite out where there is the other: its one connection lets nothing meet.
 */
export function arenas(postgres: TestPostgres | undefined, name: string): Arena[] {
  const embedded = { name: "PGlite", open: memoryDatabase, rounds: fullOrShort(20, 1) };
  return [
    ...(assure || !postgres ? [embedded] : []),
    {
      name: postgres ? "PostgreSQL" : "PostgreSQL (skipped: no `postgres` program on this machine)",
      open: postgres && (async () => await openDatabase({ url: await postgres.createDatabase(name) })),
      rounds: fullOrShort(20, 1),
    },
  ];
}

/**
 * How often transactions waited for each other in a circle. Those are run again, so nothing else shows it.
 * @param name the arena's database; its connections tell their numbers as they end, so they must be closed
 */
export async function deadlocksOf(postgres: TestPostgres, name: string): Promise<number> {
  const { db, close } = await openDatabase({ url: postgres.url, migrate: false });
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int from pg_stat_database where datname = ${name}`.execute(db);
  await close();
  return rows[0]?.deadlocks ?? Number.NaN;
}

/** A test that runs the same race again and again. */
export function race(name: string, rounds: number, round: () => Promise<void>): void {
  it(name, async () => {
    for (let i = 0; i < rounds; i += 1) await round();
  }, 300_000);
}

/** Tells nobody anything. */
const quietLive: Live = {
  publish: () => undefined,
  follow: async () => {
    throw new Error("nothing is followed here");
  },
  close: async () => undefined,
};

let users = 0;

/** New users of a database, as functions of lib/community see them: races are asked of the functions themselves. */
export function crowdOf({ db }: OpenDatabase) {
  async function newUser(): Promise<MemberContext> {
    users += 1;
    const userId = `u_${users}`;
    await db
      .insertInto("users")
      .values({
        id: userId,
        identity_hash: userId,
        nickname: userId,
        nickname_key: userId,
        nickname_set: true,
        profile_image: null,
        deleted_at: null,
      })
      .execute();
    const caller = {
      userId,
      nickname: userId,
      nicknameSet: true,
      verifiedAt: 0,
      at: new Date(),
      operator: null,
      session: noSession,
      automation: null,
    };
    return {
      caller,
      webhookSecretOf: () => "",
      apps: createAppKeys(new Uint8Array(32)),
      db,
      cache: {
        get: async () => null,
        set: async () => true,
        increment: async () => ({ value: 1, expiresInSeconds: 1 }),
        delete: async () => undefined,
        publish: async () => undefined,
        subscribe: async () => async () => undefined,
        close: async () => undefined,
      },
      storage: diskStorage({
        folder: "/nonexistent",
        env: "test",
        appUrl: "http://localhost:3000",
        secrets: [new Uint8Array(32)],
        now: () => new Date(),
      }),
      web: publicWeb(),
      changed: () => undefined,
      push: { publicKey: null, wake: () => undefined },
      live: quietLive,
      recorder: null,
      deployment: testDeployment(),
      adminUserIds: new Set(),
      anonymous: { minimum: 5, roundMs: 600_000, keyOf: () => "", verify: async () => false },
      facts: createFactSeals(new Uint8Array(32)),
      trust: { spamLimits: false, consumerAccounts: "allow" },
      acceptProof: async () => {
        throw new Error("no proof is sent here");
      },
      now: () => new Date(),
      later: (_name, work) => void work().catch(() => undefined),
    };
  }
  return {
    newUser,
    newUsers: (count: number) => Promise.all(Array.from({ length: count }, newUser)),
  };
}

/** How often each outcome came: the status or "done", or the code of the refusal. */
export async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(calls)) {
    const name =
      settled.status === "fulfilled"
        ? String(Object(settled.value).status ?? "done")
        : String(Object(settled.reason).code ?? settled.reason);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
