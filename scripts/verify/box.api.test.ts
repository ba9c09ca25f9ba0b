import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crowdOf, type Insider, standInMemberships } from "@/lib/community/anonymous/testing";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract, type Poll } from "@/lib/contract";
import { proverOf } from "@/lib/proofs/anonymous/membership";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { testEngine } from "@/lib/proofs/testing/membership";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { fetchSavedBox, readBox, recount, type SavedBox } from "./box";

let clock = Date.UTC(2026, 10, 28, 12, 3);
const setClock = (at: number) => {
  clock = at;
};

/** A poll with as many voters, and its box as an auditor fetches it. */
async function voted(
  h: Harness,
  voters: number,
  cast: (one: Insider, poll: Poll, at: number) => Promise<unknown>,
) {
  const owner = await signIn(h, "owner");
  const topicId = (await makeTopic(owner)).id;
  const crowd = await crowdOf(h, topicId, voters, setClock);
  const poll = { options: ["Yes", "No"], isSecret: true };
  const { post } = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: "The plan?", content: "<p>Vote.</p>", poll },
  });
  if (!post.poll) throw new Error("no poll");
  for (const [at, one] of crowd.entries()) await cast(one, post.poll, at);
  const box = await fetchSavedBox(`http://localhost:3000/posts/${post.id}`, h.fetch);
  if (!box) throw new Error("no box");
  return { owner, topicId, box };
}
const choice = ({ options }: Poll, at: number) => [options[at % 2]?.id ?? ""];

describe("a ballot box", () => {
  let h: Harness;
  let saved: SavedBox;
  let named: string;
  beforeAll(async () => {
    const env = { ANONYMOUS_MINIMUM: "2" };
    h = await createHarness({ now: () => new Date(clock), env, memberships: standInMemberships });
    const { owner, topicId, box } = await voted(h, 5, (one, poll, at) => one.cast(poll, choice(poll, at)));
    saved = box;
    named = (await makePost(owner, topicId)).id;
  });
  afterAll(() => h.close());

  const faultIn = (box: Partial<SavedBox["box"]>, roots = saved.roots) =>
    recount({ box: { ...saved.box, ...box }, roots }, standInMemberships);
  const ballots = (change: (list: SavedBox["box"]["ballots"]) => SavedBox["box"]["ballots"]) => ({
    ballots: change(saved.box.ballots),
  });

  it("holds as it is published, saved and read again", async () => {
    expect(saved.box.ballots).toHaveLength(5);
    expect(saved.box.options.map(({ voteCount }) => voteCount)).toEqual([3, 2]);
    const again = readBox(JSON.stringify(saved));
    expect(again && (await recount(again, standInMemberships))).toBeNull();
    expect(readBox("{}")).toBeNull();
    expect(await fetchSavedBox(`http://localhost:3000/posts/${named}`, h.fetch)).toBeNull();
  });

  it("says what was changed, dropped, added or counted wrong", async () => {
    const [yes, no] = saved.box.options;
    const [first] = saved.box.ballots;
    if (!yes || !no || !first) throw new Error("no ballots");
    const flipped = first.optionIds[0] === yes.id ? [no.id] : [yes.id];
    const word = (at: number, value = 1) => ({
      ...first,
      publicInputs: first.publicInputs.with(at, `0x${"0".repeat(63)}${value}`),
    });
    const changes: [string, Promise<string | null>, string][] = [
      ["a choice", faultIn(ballots((list) => list.with(0, { ...first, optionIds: flipped }))), "ballot"],
      ["a counter", faultIn(ballots((list) => list.with(0, { ...first, counter: 1 }))), "ballot"],
      ["a ballot less", faultIn(ballots((list) => list.slice(1))), "count"],
      ["a ballot twice", faultIn(ballots((list) => [...list, first])), "twice"],
      ["another member's number", faultIn(ballots((list) => list.with(0, word(72)))), "proof"],
      ["another slot", faultIn(ballots((list) => list.with(0, word(71)))), "proof"],
      ["another root", faultIn(ballots((list) => list.with(0, word(0)))), "root"],
      ["another limit", faultIn(ballots((list) => list.with(0, word(3, 2)))), "ballot"],
      ["another scope", faultIn(ballots((list) => list.with(0, word(4)))), "ballot"],
      ["a week", faultIn(ballots((list) => list.with(0, word(6)))), "ballot"],
      ["no words", faultIn(ballots((list) => list.with(0, { ...first, publicInputs: [] }))), "proof"],
      ["no proof", faultIn(ballots((list) => list.with(0, { ...first, proof: "0x" }))), "proof"],
      ["a number", faultIn({ options: [{ ...yes, voteCount: yes.voteCount + 1 }, no] }), "count"],
      ["an option less", faultIn({ options: [yes] }), "choice"],
      ["another poll", faultIn({ pollId: named }), "ballot"],
      ["another topic", faultIn({ topicId: named }), "list"],
      ["a root that is none", faultIn({ root: 9 }), "root"],
      [
        "a list with a change",
        faultIn(
          {},
          saved.roots.map((root) => ({ ...root, size: 99 })),
        ),
        "list",
      ],
    ];
    for (const [what, fault, expected] of changes) expect(await fault, what).toBe(expected);
  });
});

it("a ballot box holds with real proofs, and not with another's", async () => {
  const engine = testEngine();
  const verifier = openMembershipVerifier();
  const prover = proverOf(engine);
  const h = await createHarness({ now: () => new Date(clock), env: { ANONYMOUS_MINIMUM: "2" } });
  try {
    const { box: saved } = await voted(h, 2, (one, poll, at) =>
      one.cast(poll, choice(poll, at), 0, { prover }),
    );
    expect(await recount(saved, verifier)).toBeNull();
    const [one, two] = saved.box.ballots;
    if (!one || !two) throw new Error("no ballots");
    const swapped = [{ ...one, proof: two.proof }, two];
    expect(await recount({ ...saved, box: { ...saved.box, ballots: swapped } }, verifier)).toBe("proof");
  } finally {
    await Promise.all([engine.close(), verifier.close(), h.close()]);
  }
}, 120_000);
