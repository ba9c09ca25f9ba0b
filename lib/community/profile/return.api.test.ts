import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { gate, makeTopic, membersOf, refusalOf, signIn, verified } from "../testing";
import { ban, comeBack, identityOf } from "./testing";

let h: Harness;
let owner: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const withdraw = (user: TestUser) => user.api.call(contract.profile.deleteAccount, {});

describe("someone who withdrew", () => {
  it("returns as an unrelated user, also where the same identity opened a gate", async () => {
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "kyc");
    const user = await signIn(h);
    const identity = await identityOf(h, user);
    const seat = {
      circuit: "network_eligibility",
      identityHash: "the same person",
      expiresAt: new Date(clock + 1e9),
    };
    await verified(h, user, seat);
    await user.api.call(contract.topics.join, { topicId: topic.id });
    await withdraw(user);
    const back = await comeBack(h, identity);
    expect(back.userId).not.toBe(user.userId);
    await verified(h, back, seat);
    await back.api.call(contract.topics.join, { topicId: topic.id });
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 2, rows: 2 });
  });

  it("cannot return where a ban is in force, gate or not, until it ends", async () => {
    const [open, gated] = [await makeTopic(owner), await makeTopic(owner)];
    await gate(h.db, gated.id, "kyc");
    const user = await signIn(h);
    const identity = await identityOf(h, user);
    const seat = {
      circuit: "network_eligibility",
      identityHash: "a banned person",
      expiresAt: new Date(clock + 1e9),
    };
    await verified(h, user, seat);
    await user.api.call(contract.topics.join, { topicId: gated.id });
    const until = new Date(clock + 60_000);
    await ban(h, open.id, user);
    await ban(h, gated.id, user, until);
    await withdraw(user);
    const back = await comeBack(h, identity);
    await verified(h, back, seat);
    const join = (topicId: string) => back.api.call(contract.topics.join, { topicId });
    expect(await refusalOf(join(open.id))).toMatchObject({ status: 403, code: "banned" });
    expect(await refusalOf(join(gated.id))).toMatchObject({ status: 403, code: "banned" });
    // Under another sign-in, with the same proof.
    const third = await signIn(h);
    await verified(h, third, seat);
    const asThird = third.api.call(contract.topics.join, { topicId: gated.id });
    expect(await refusalOf(asThird)).toMatchObject({ status: 409, code: "proof_used" });

    clock += 60_001;
    await sweepExpired(h.services);
    await join(gated.id);
    // The identity of an active account stays bound.
    await sweepExpired(h.services);
    const later = third.api.call(contract.topics.join, { topicId: gated.id });
    expect(await refusalOf(later)).toMatchObject({ code: "proof_used" });
    expect(await refusalOf(join(open.id))).toMatchObject({ code: "banned" });
    // An own second withdrawal does not help either.
    await withdraw(back);
    const again = await comeBack(h, identity);
    const asAgain = again.api.call(contract.topics.join, { topicId: open.id });
    expect(await refusalOf(asAgain)).toMatchObject({ code: "banned" });
  });
});
