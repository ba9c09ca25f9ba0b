import { afterAll, expect, it } from "vitest";
import { testEngine, testMember } from "../testing/membership";
import { FIELD_MODULUS } from "../words";
import { tagOf } from "./hash";
import { openMembershipVerifier } from "./open-verifier";
import { type Circumstances, circuitInputs, publicWords, type Said, sayingOf } from "./statement";
import { PROOF_BYTES } from "./verifier";

const engine = testEngine();
const verifier = openMembershipVerifier();
afterAll(async () => {
  await Promise.all([engine.close(), verifier.close()]);
});

const { of, member } = await testMember();
const said = sayingOf(of, member);
const proof = await engine.prove(circuitInputs(of, member));

it("a real proof is accepted, by the app's verifier, which has one point of the ceremony", async () => {
  expect(proof).toHaveLength(PROOF_BYTES);
  expect(await verifier.verify(proof, publicWords(of, said))).toBe(true);
});

const [ban = { week: 0n, tag: 0n }] = of.bans;
const changed: [string, Partial<Circumstances>, Partial<Said>][] = [
  ["root", { root: of.root + 1n }, {}],
  ["topic", { topic: of.topic + 1n }, {}],
  ["epoch", { epoch: of.epoch + 1n }, {}],
  ["limit", { limit: of.limit + 1 }, {}],
  ["scope", { scope: of.scope + 1n }, {}],
  ["signal", { signal: of.signal + 1n }, {}],
  ["week", { week: of.week + 1n }, {}],
  ["list without a ban", { bans: [] }, {}],
  ["list with one more ban", { bans: [...of.bans, { week: 2_900n, tag: 6n }] }, {}],
  ["tag of a ban", { bans: [{ ...ban, tag: ban.tag + 1n }] }, {}],
  ["week of a ban", { bans: [{ ...ban, week: ban.week + 1n }] }, {}],
  ["slot nullifier", {}, { slotNullifier: said.slotNullifier + 1n }],
  ["scope nullifier", {}, { scopeNullifier: said.scopeNullifier + 1n }],
  ["tag commitment", {}, { tagCommitment: said.tagCommitment + 1n }],
];
it.each(changed)("a proof shows nothing with another %s", async (_what, other, words) => {
  expect(await verifier.verify(proof, publicWords({ ...of, ...other }, { ...said, ...words }))).toBe(false);
});

it("a nullifier above the modulus, which would be the same one a second time, never reaches the verifier", () => {
  const again = { ...said, slotNullifier: said.slotNullifier + FIELD_MODULUS };
  expect(() => publicWords(of, again)).toThrow("below the field modulus");
  expect(() => publicWords(of, { ...said, scopeNullifier: -1n })).toThrow("below the field modulus");
});

it("a banned member gets no proof, and the message does not say who", async () => {
  const banned = { ...of, bans: [{ week: of.week, tag: tagOf(member.secret, of.week) }] };
  await expect(engine.prove(circuitInputs(banned, member))).rejects.toThrow(
    /^the inputs do not satisfy the circuit$/,
  );
  await expect(engine.prove(circuitInputs(of, { ...member, slot: of.limit }))).rejects.toThrow(
    /^the inputs do not satisfy the circuit$/,
  );
});

it("malformed proofs are refused for as long as anyone sends them, and sound ones accepted in between", async () => {
  const words = publicWords(of, said);
  const wrong = [
    new Uint8Array(),
    proof.slice(32),
    new Uint8Array(PROOF_BYTES),
    proof.map((byte) => byte ^ 255),
  ];
  for (const one of wrong) expect(await verifier.verify(one, words)).toBe(false);
  // A commitment that is no point of the curve makes bb throw. It would run out of its stack at the seventieth.
  for (let i = 0; i < 120; i++) {
    const bad = proof.slice();
    const at = 32 * (8 + (i % 20)) + 31;
    bad[at] = (bad[at] ?? 0) ^ 1;
    expect(await verifier.verify(bad, words), `malformed proof ${i}`).toBe(false);
    if (i % 40 === 39) expect(await verifier.verify(proof, words)).toBe(true);
  }
}, 60_000);

it("of a flood of proofs a hundred wait, and the rest is told to come back", async () => {
  const words = publicWords(of, said);
  const results = await Promise.allSettled(Array.from({ length: 130 }, () => verifier.verify(proof, words)));
  const told = results.filter(({ status }) => status === "rejected");
  // One is being checked, and a hundred wait.
  expect(told).toHaveLength(29);
  for (const one of told) expect(one).toMatchObject({ reason: { name: "VerifierBusyError" } });
  expect(results).toContainEqual({ status: "fulfilled", value: true });
  expect(await verifier.verify(proof, words)).toBe(true);
}, 60_000);

it("proofs are made and checked while the calling thread goes on", async () => {
  const words = publicWords(of, said);
  let turns = 0;
  const turn = setInterval(() => turns++, 1);
  await Promise.all([engine.prove(circuitInputs(of, member)), verifier.verify(proof, words)]);
  clearInterval(turn);
  expect(turns).toBeGreaterThan(50);
});
