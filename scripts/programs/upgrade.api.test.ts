import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "@/db/client";
import { communityRelease } from "@/db/migrations";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { type Migration, migrate } from "@/lib/sql";
import { startPostgres } from "@/lib/sql/testing";
import { bundleProgram } from "@/lib/testing/bundle";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { proverRelease } from "@/prover/store/migrations";

// Processes and servers: slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const postgres = await startPostgres();
const folder = await mkdtemp(path.join(os.tmpdir(), "parley-upgrade-"));
const program = await bundleProgram(path.join(import.meta.dirname, "run-migrate.ts"), folder);
afterAll(async () => {
  await postgres?.close();
  await rm(folder, { recursive: true, force: true });
});
const title = "an upgrade on PostgreSQL";

/** Runs `npm run migrate -- <program>` of this release, as every start of the program does first. */
async function startMigration(name: "app" | "prover", url: string) {
  const child = spawn(process.execPath, [program, "migrate", name], {
    env: { ...process.env, LOG_LEVEL: "info", DATABASE_URL: url, PROVER_DATABASE_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

const started = expect.objectContaining({ code: 0, stdout: expect.stringContaining('"msg":"migrated"') });

/** A migration of a release after this one. */
function later(kind: Migration["kind"], up: Migration["up"]): Migration {
  return { kind, up };
}

const release = (more: Record<string, Migration>) => ({
  ...communityRelease,
  migrations: { ...communityRelease.migrations, ...more },
});

describe.skipIf(!postgres)(postgres ? title : `${title} (skipped: no \`postgres\` program)`, () => {
  const newDatabase = async (name: string) => (await postgres?.createDatabase(name)) ?? expect.fail();

  it.each([
    ["app", communityRelease],
    ["prover", proverRelease],
  ] as const)("migrates the %s once when three processes start at once", async (program, { migrations }) => {
    const url = await newDatabase(`starts_${program}`);
    const all = await Promise.all(Array.from({ length: 3 }, () => startMigration(program, url)));
    expect(all).toEqual([started, started, started]);
    const lines = all.flatMap(({ stdout }) => stdout.trim().split("\n"));
    const done = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "migration done");
    const kinds = Object.entries(migrations).map(([migration, { kind }]) => ({ migration, kind }));
    // They take turns.
    expect(done.toSorted((a, b) => (a.migration < b.migration ? -1 : 1))).toMatchObject(kinds);
  });

  describe("to a release that expands", () => {
    let url: string;
    let h: Harness;
    beforeAll(async () => {
      url = await newDatabase("expand");
      h = await createHarness({ database: await openDatabase({ url }) });
    });
    afterAll(() => h?.close());

    it("lets this release serve and start before, during and after", async () => {
      const member = await signIn(h);
      const topic = await makeTopic(member);
      const first = await makePost(member, topic.id);
      let served = 0;
      let isOver = false;
      const serving = (async () => {
        while (!isOver) {
          await makePost(member, topic.id);
          await member.api.call(contract.posts.list, { topicId: topic.id });
          served += 1;
        }
      })();
      const servesMore = () => {
        const before = served;
        return vi.waitFor(() => expect(served).toBeGreaterThan(before + 2), { timeout: 60_000 });
      };
      await servesMore();

      const { db, close } = await openDatabase({ url });
      const whileOpen = later("expand", async (trx) => {
        await sql`create table moods (post_id uuid primary key, mood text not null)`.execute(trx);
        await servesMore();
        expect(await startMigration("app", url)).toEqual(started);
      });
      const column = later("expand", async (trx) => {
        await sql`alter table posts add column mood text`.execute(trx);
      });
      await migrate(db, release({ "900_add_moods": whileOpen, "901_add_mood": column }));

      // The later release writes what this one does not know, and this one's writes leave it alone.
      await sql`update posts set mood = 'glad' where id = ${first.id}`.execute(db);
      const edited = { postId: first.id, title: "Edited by the previous release" };
      await member.api.call(contract.posts.update, edited);
      const { rows } = await sql`select title, mood from posts where id = ${first.id}`.execute(db);
      expect(rows).toEqual([{ title: edited.title, mood: "glad" }]);
      await servesMore();
      expect(await startMigration("app", url)).toEqual(started);
      isOver = true;
      await serving;
      await close();
    });
  });

  it("to a release that contracts ends this one's starts, by a sentence that says what to do", async () => {
    const url = await newDatabase("contract");
    const { db, close } = await openDatabase({ url });
    const drop = later("contract", async (trx) => {
      await sql`alter table posts drop column summary`.execute(trx);
    });
    await migrate(db, release({ "900_drop_summaries": drop }));
    await close();
    const { code, stderr } = await startMigration("app", url);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^MigrationsRefusedError: the database of community .*: 900_drop_summaries \(contract\)\. Run a release that has them/,
    );
  });
});
