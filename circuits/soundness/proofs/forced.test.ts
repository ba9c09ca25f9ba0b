import { describe, expect, it } from "vitest";
import { isRight, Tally } from "../groups/group";
import { tryAttempt } from "./forced";
import { plannedBuild, type Subject, type World } from "./world";

const id = "oidc_domain_attestation";
/** Keys and contracts are not looked at here. */
const subject: Subject = {
  ...plannedBuild(id, "production"),
  keys: Object.create(null),
  contracts: Object.create(null),
};
const attempt = { name: "an attempt", forced: { values: [1n], violated: [] } };

/** A bb and a chain that answer as they are told. */
function worldThat(answers: { proves: boolean; verifies: () => Promise<boolean> }, expected: "all" | "none") {
  const world: World = {
    subjects: new Map([[subject.name, subject]]),
    prove: async () => (answers.proves ? { proof: new Uint8Array(), publicInputs: [] } : undefined),
    verify: () => answers.verifies(),
    close: async () => undefined,
  };
  const tally = new Tally(id, "tried", expected);
  const unproven = new Tally(id, "bb gave no proof", "any");
  return { tally, unproven, done: tryAttempt(world, subject, attempt, tally, unproven) };
}

describe("circuits F7: a forced witness", () => {
  it("that bb gives no proof of is no refusal", async () => {
    const { tally, unproven, done } = worldThat({ proves: false, verifies: async () => false }, "none");
    await done;
    expect(tally).toMatchObject({ tried: 0, accepted: 0 });
    expect(unproven).toMatchObject({ tried: 1, accepted: 1, problems: [] });
    // A group in which bb proved nothing has shown nothing.
    expect([isRight(tally), isRight(unproven)]).toEqual([false, true]);
  });

  it("that is honest fails without a proof", async () => {
    const { tally, done } = worldThat({ proves: false, verifies: async () => false }, "all");
    await done;
    expect(isRight(tally)).toBe(false);
    expect(tally.problems).toHaveLength(2);
  });

  it("is refused by front and verifier", async () => {
    const { tally, unproven, done } = worldThat({ proves: true, verifies: async () => false }, "none");
    await done;
    expect(tally).toMatchObject({ tried: 2, accepted: 0 });
    expect(unproven).toMatchObject({ tried: 1, accepted: 0 });
    expect(isRight(tally)).toBe(true);
  });

  it("is not refused by a node that fails", async () => {
    const down = async () => Promise.reject(new Error("the node is down"));
    const { tally, done } = worldThat({ proves: true, verifies: down }, "none");
    await expect(done).rejects.toThrow("the node is down");
    expect(tally.tried).toBe(0);
  });
});
