import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { type Cast, createCast } from "../testing";
import { eraseSnapshots } from "./forget";
import { withRole } from "./testing";

/** Reports lose their copies some time after the decision. */
const DAY = 24 * 60 * 60 * 1000;
const { snapshotDays } = LIMITS.moderation;
let cast: Cast;
let h: Harness;
let operator: TestUser;
const clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  h = cast.h;
  operator = await withRole(h, "operator");
});
afterAll(() => h.close());

/** A post that was reported to both; both decided. */
async function decided() {
  const at = await createWords(cast);
  await cast.outsider.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
  const { topicId } = at;
  const [forStaff] = (await cast.owner.api.call(contract.moderation.reports, { topicId })).reports;
  const [forDesk] = (await operator.api.call(contract.desk.reports, { topicId })).reports;
  const staffs = { topicId, reportId: forStaff?.id ?? "", action: "resolve" } as const;
  await cast.owner.api.call(contract.moderation.decideReport, staffs);
  const desks = { reportId: forDesk?.id ?? "", action: "dismiss", reason: "r" } as const;
  await operator.api.call(contract.desk.decide, desks);
  return at;
}

async function copies(topicId: string) {
  const desk = await h.db
    .selectFrom("desk_reports")
    .select(["snapshot", "snapshot_erased_at"])
    .where("topic_id", "=", topicId)
    .executeTakeFirstOrThrow();
  const staff = await h.db
    .selectFrom("reports")
    .select("snapshot")
    .where("topic_id", "=", topicId)
    .executeTakeFirstOrThrow();
  return {
    desk: desk.snapshot.title,
    erased: desk.snapshot_erased_at !== null,
    staff: staff.snapshot?.title ?? null,
  };
}
const sweep = (after: number) => eraseSnapshots(h.db, new Date(clock + after));
const kept = { desk: "Title", erased: false, staff: "Title" };
const erased = { desk: "", erased: true, staff: null };

describe("the copies of decided reports", () => {
  it(`are erased ${snapshotDays} days after the decision, and the reports stay`, async () => {
    const { topicId } = await decided();
    await sweep(snapshotDays * DAY - 1);
    expect(await copies(topicId)).toEqual(kept);
    await sweep(snapshotDays * DAY);
    expect(await copies(topicId)).toEqual(erased);
  });

  it("show as null then, with who decided what", async () => {
    const { topicId } = await decided();
    await sweep(snapshotDays * DAY);
    const { owner } = cast;
    const desk = await operator.api.call(contract.desk.reports, { topicId, status: "all" });
    expect(desk.reports).toMatchObject([{ snapshot: null, status: "dismissed", decision: "r" }]);
    const staff = await owner.api.call(contract.moderation.reports, { topicId, status: "all" });
    expect(staff.reports).toMatchObject([{ snapshot: null, status: "resolved" }]);
  });

  it("of open reports stay", async () => {
    const { topicId, postId } = await createWords(cast);
    await cast.outsider.api.call(contract.moderation.reportPost, { postId, reason: "illegal" });
    await sweep(10 * snapshotDays * DAY);
    expect(await copies(topicId)).toEqual(kept);
  });

  it.each(["post", "topic", "profile"] as const)("stay while a legal hold is on the %s", async (kind) => {
    const { topicId, postId } = await decided();
    const targetId = { post: postId, topic: topicId, profile: cast.member.userId }[kind];
    const { hold } = await operator.api.call(contract.desk.placeHold, {
      kind,
      targetId,
      reason: "An order.",
    });
    await sweep(snapshotDays * DAY);
    expect(await copies(topicId)).toEqual(kept);
    await operator.api.call(contract.desk.releaseHold, { holdId: hold.id, reason: "Over." });
    await sweep(snapshotDays * DAY);
    expect(await copies(topicId)).toEqual(erased);
  });

  it("are erased by housekeeping", async () => {
    const { topicId } = await decided();
    await sweepExpired({ ...h.services, now: () => new Date(clock + snapshotDays * DAY) });
    expect(await copies(topicId)).toEqual(erased);
  });
});
