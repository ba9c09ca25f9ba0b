import { afterAll, beforeAll, expect, it } from "vitest";
import { logStaffAct } from "@/lib/community/moderation/log";
import { fullOrShort } from "@/lib/testing/assure";
import { fill } from "@/lib/testing/scale/fill";
import { type BackupWorld, startBackupWorld } from "./testing";

const POSTS = fullOrShort(1_000_000, 5_000);
const MOST_MINUTES = 10;
/** Entries of a log, which `fill` makes without their hashes. */
const ACTS = 1_000;

let world: BackupWorld;
beforeAll(async () => {
  world = await startBackupWorld();
});
afterAll(() => world.close());

it("a million posts are restored, with all checks, in ten minutes at most", async () => {
  const { environment, h } = await world.install("postgres");
  const { topicId, userId } = await fill(h.db, POSTS);
  await h.db.deleteFrom("moderation_log").execute();
  await h.db.transaction().execute(async (trx) => {
    for (let act = 0; act < ACTS; act += 1)
      await logStaffAct(trx, { topicId, actorId: userId, action: "post_pinned", now: new Date(act) });
  });
  const minutes = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return (performance.now() - started) / 60_000;
  };
  const to = world.newFolder();
  const written = await minutes(() => world.backUp(environment, to));
  const target = await world.emptyPlace("postgres");
  const restored = await minutes(async () => {
    const checks = await world.restore(to, target);
    for (const { what, ok, found } of checks) expect(ok, `${what}: ${found}`).toBe(true);
  });
  console.log(
    `${POSTS} posts: backed up in ${written.toFixed(1)} min, restored and checked in ${restored.toFixed(1)} min`,
  );
  await h.close();
  expect(restored).toBeLessThanOrEqual(MOST_MINUTES);
});
