import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { costOf, openWatched, type WatchedDatabase } from "@/lib/testing/scale/measure";
import { absentWord, hiddenScene, hiddenWord, questions } from "./testing";

/** The clock is read in hidden.assure.test.ts; what the database does is the same at every run. */
let watched: WatchedDatabase;
let scene: Awaited<ReturnType<typeof hiddenScene>>;
beforeAll(async () => {
  watched = await openWatched("pglite:memory");
  scene = await hiddenScene({ database: { db: watched.db, close: async () => undefined } }, 12);
  // Tables this small would be read from end to end.
  await sql.raw("set enable_seqscan = off").execute(watched.db);
});
afterAll(async () => {
  await scene?.h.close();
  await watched?.close();
});

async function workOf(question: string, word: string, token?: string) {
  const sent = await watched.watch(() => scene.ask(question, word, token));
  const { rows, queries } = await costOf(watched.db, sent);
  return { statements: sent.map((query) => query.sql), rows, queries };
}

describe.each(["a guest", "a member of other topics"])("security F9: for %s", (who) => {
  it.each(questions)("GET %s does the same for a word of a secret topic as for none", async (question) => {
    const token = who === "a guest" ? undefined : scene.outsider.token;
    expect(await workOf(question, hiddenWord, token)).toEqual(await workOf(question, absentWord, token));
  });
});

it("the measure detects a word that everyone may find", async () => {
  const found = await workOf("/api/feed?q=", "ordinary");
  expect(found.rows).toBeGreaterThan((await workOf("/api/feed?q=", absentWord)).rows);
});
