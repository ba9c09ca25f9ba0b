import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  failuresUntilCredit,
  IllegalTransitionError,
  type PaymentEvent,
  type PaymentProgress,
  paymentStates,
  reduce,
} from "./state";

const accepted: PaymentProgress = { state: "accepted", failures: 0, transaction: null, logIndex: null };
const tx = "0xaa" as const;

const event: fc.Arbitrary<PaymentEvent> = fc.oneof(
  fc.constant<PaymentEvent>({ type: "settlement-started" }),
  fc.constant<PaymentEvent>({ type: "settled", transaction: tx }),
  fc.constant<PaymentEvent>({ type: "voided" }),
  fc.constant<PaymentEvent>({ type: "proof-failed" }),
  fc.constant<PaymentEvent>({ type: "given-up" }),
  fc.constant<PaymentEvent>({ type: "proof-made" }),
  fc.constant<PaymentEvent>({ type: "refunded" }),
  fc.constant<PaymentEvent>({ type: "refund-failed" }),
);

/** Applies what is legal and skips the rest, as a program that is told "no" would. */
function run(events: PaymentEvent[]): PaymentProgress[] {
  const history = [accepted];
  for (const each of events) {
    const last = history.at(-1) ?? accepted;
    try {
      history.push(reduce(last, each));
    } catch (error) {
      expect(error).toBeInstanceOf(IllegalTransitionError);
    }
  }
  return history;
}

const isPaid = (p: PaymentProgress) => ["settled", "credited", "proven", "refunded"].includes(p.state);

describe("payment states", () => {
  it("leads a payment from acceptance to its proof", () => {
    const states = run([
      { type: "settlement-started" },
      { type: "settled", transaction: tx },
      { type: "proof-made" },
    ]).map((p) => p.state);
    expect(states).toEqual(["accepted", "settling", "settled", "proven"]);
  });

  it("never un-pays a paid payment, proves an unpaid one or loses a proof, whatever happens in whatever order", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const history = run(events);
        // One expectation for all steps: there are 200,000.
        const wrong = history.slice(1).filter((now, index) => {
          const before = history[index] ?? accepted;
          const follows =
            (!isPaid(before) || isPaid(now)) &&
            (before.state !== "proven" || now.state === "proven") &&
            // What was paid back buys nothing, unless the payback failed.
            (before.state !== "refunded" || ["refunded", "credited"].includes(now.state));
          const isSound = isPaid(now) === (now.transaction !== null) && paymentStates.includes(now.state);
          return !follows || !isSound;
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });

  it("owes a credit exactly after the third failure, and still takes a proof", () => {
    const failed = Array.from(
      { length: failuresUntilCredit },
      (): PaymentEvent => ({ type: "proof-failed" }),
    );
    const states = run([{ type: "settled", transaction: tx }, ...failed, { type: "proof-made" }]).map(
      (p) => p.state,
    );
    expect(states).toEqual(["accepted", "settled", "settled", "settled", "credited", "proven"]);
  });

  it("takes a transfer that appears after it was given up as payment", () => {
    expect(run([{ type: "voided" }, { type: "settled", transaction: tx }]).at(-1)?.state).toBe("settled");
  });

  it("repeats without effect", () => {
    const settled = reduce(accepted, { type: "settled", transaction: tx });
    expect(reduce(settled, { type: "settled", transaction: "0xbb" })).toEqual(settled);
    const proven = reduce(settled, { type: "proof-made" });
    expect(reduce(proven, { type: "proof-made" })).toEqual(proven);
  });
});
