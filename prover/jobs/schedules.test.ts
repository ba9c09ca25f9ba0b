import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSettings } from "@/lib/settings/tools";
import { createModel, type Model } from "./testing/model";

const mine = { token: "mine" };
const other = { token: "other" };

/** What may happen, in any order. What else goes wrong meanwhile the model's dice decide, by the seed. */
const place = fc.nat(1);
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("send" as const), place, inputs: fc.constant(mine) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("send" as const), place, inputs: fc.constant(other) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("crash" as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stop" as const), place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("expire" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retention" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("time" as const), ticks: fc.integer({ min: 1, max: 12 }) }),
  },
);
const schedule = fc.record({
  seed: fc.integer(),
  events: fc.array(event, { minLength: 1, maxLength: 16, size: "max" }),
});

async function play(model: Model, events: (typeof event extends fc.Arbitrary<infer E> ? E : never)[]) {
  for (const each of events) {
    if (each.kind === "send") model.send(each.place, each.inputs);
    else if (each.kind === "crash") model.crash(each.place);
    else if (each.kind === "stop") model.stop(each.place);
    else if (each.kind === "expire") model.expire();
    else if (each.kind === "retention") await model.retention();
    else await model.pass(each.ticks);
  }
}

describe("a payment under random schedules of two processes, crashes, lost answers and failing proofs", () => {
  it("keeps the money invariant in 10,000 of them", { timeout: 240_000 }, async () => {
    const seen = { charged: 0, proven: 0, credited: 0, void: 0, given: 0, crashes: 0 };
    await fc.assert(
      fc.asyncProperty(schedule, async ({ seed, events }) => {
        const model = createModel(seed);
        await play(model, events);
        const last = await model.settleDown([mine, other]);
        const { charged, row, credit, given, answers } = model.state();

        expect(charged).toBeLessThanOrEqual(1);
        if (charged === 1) {
          // Whoever paid has his proof, or had it and its day is over.
          expect([last?.kind, last?.reason]).toEqual(
            last?.reason === "proof_removed" ? ["refused", "proof_removed"] : ["proof", undefined],
          );
          expect(row?.state).toBe("proven");
          if (row?.proof === null) expect(row.delivered_at).not.toBeNull();
          // Nobody who paid was told that nothing was charged.
          expect(answers.filter(({ status }) => status === 402)).toEqual([]);
        } else {
          // No proof without a charge.
          expect(given).toBe(0);
          expect(["void", undefined]).toContain(row?.state);
        }
        // One payment, one proof at a time; and what is owed is exactly what is credited.
        expect(given).toBeLessThanOrEqual(1);
        expect(credit === "owed").toBe(row?.state === "credited");

        seen.charged += charged;
        seen.given += given;
        if (credit !== "none") seen.credited += 1;
        if (row?.state === "proven" || row?.state === "void") seen[row.state] += 1;
        if (events.some(({ kind }) => kind === "crash")) seen.crashes += 1;
      }),
      { numRuns: testSettings().SCHEDULES },
    );
    // The schedules reached what they are about.
    expect(Object.entries(seen).filter(([, count]) => count < 25)).toEqual([]);
  });
});
