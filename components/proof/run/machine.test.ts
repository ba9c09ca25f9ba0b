import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FoundAttestation } from "@/lib/proofs/attestation/find";
import type { ProofProgress } from "@/lib/proofs/client";
import type { ProvingProgress } from "../browser/driver";
import { goesOnAlone, isOver, needsPress, nextStep, type RunEvent, reduce } from "./machine";
import { keptRun } from "./storage";
import { newRun, type Purpose, type Run, type Stage, stagesOf, walletRun } from "./types";

const payer = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const network = "eip155:8453";
const challenge = { id: "c", nonce: "n", expiresAt: 1_000_000 };
const attestation: FoundAttestation = {
  uid: "0x01",
  transactionHash: "0x02",
  rawTransaction: "0xcafe",
  time: 1,
  country: "canary",
};
const proof = { circuit: "any", proof: "0xcafe", publicInputs: ["0xcafe"] } as const;
const sealed = { needsNickname: false, pending: false, next: "/" };
const passing = { message: "the line broke", final: false };
const settled = { stage: "settled", transaction: "0xab", network, payer, amount: "1" } as const;
const browser = { kind: "browser" } as const;
const ownProver = { kind: "own", origin: "https://prover.example" } as const;
const refused: RunEvent = { type: "failed", problem: { message: "refused", final: true } };

/** One event of each type; the secrets in them carry a canary. */
const events: { readonly [T in RunEvent["type"]]: Extract<RunEvent, { readonly type: T }> } = {
  retried: { type: "retried" },
  "payer-chosen": { type: "payer-chosen", choice: { walletId: "other", network } },
  priced: { type: "priced", offers: [] },
  "not-priced": { type: "not-priced", message: "no answer" },
  "prover-changed": { type: "prover-changed", prover: browser },
  challenged: { type: "challenged", challenge },
  "identity-asked": { type: "identity-asked", challenge, state: "next" },
  "token-received": { type: "token-received", token: "canary.token" },
  "wallet-connected": { type: "wallet-connected", holder: "0xcafe" },
  "attestation-found": { type: "attestation-found", attestation, action: null, challenge },
  signed: { type: "signed", signature: "0xcafe" },
  "signature-expired": { type: "signature-expired", challenge, message: "late" },
  "inputs-lost": { type: "inputs-lost" },
  "inputs-refused": { type: "inputs-refused", message: "no" },
  preparing: { type: "preparing" },
  paying: { type: "paying" },
  bought: { type: "bought", progress: { stage: "payment", network, payer, amount: "1", reused: false } },
  worked: { type: "worked", progress: { stage: "witness", fraction: null } },
  "payer-refused": { type: "payer-refused", message: "the same account" },
  "payment-expired": { type: "payment-expired", message: "expired" },
  "proof-made": { type: "proof-made", proof, domain: "acme.example" },
  accepted: { type: "accepted", sealed },
  failed: { type: "failed", problem: passing },
};
type EventType = RunEvent["type"];

function runAfter(run: Run, ...happened: readonly (EventType | RunEvent)[]): Run {
  return happened.reduce<Run>((now, event, i) => {
    return reduce(now, typeof event === "string" ? events[event] : event, i);
  }, run);
}

const place = (purpose: Purpose = { kind: "sign-in" }) => ({ purpose, page: "/sign-in", next: "/" });
const identity = { kind: "domain", state: "s", provider: "provider_a", issuer: "P" } as const;
const nobody = { requiredDomain: null, token: null, domain: null };
const fresh = (purpose?: Purpose): Run => ({
  ...newRun(place(purpose), { walletId: "w", network }, { ...identity, ...nobody }, challenge),
  times: { identity: { start: 0 } },
});
const statement = { circuit: "network_eligibility", scope: "s", list: null, action: null } as const;
const freshWallet = (purpose?: Purpose): Run =>
  walletRun(place(purpose), statement, "holder", { walletId: "", network });
const bought = (progress: ProofProgress): RunEvent => ({ type: "bought", progress });
const worked = (stage: ProvingProgress["stage"]): RunEvent => ({
  ...{ type: "worked", progress: { stage, fraction: null } },
});

const petition: Purpose = { kind: "petition", statement: "s", contract: { chainId: 1, address: payer } };

/** A run in each of its states, and where every event leads that changes it there. */
const unpaid = runAfter(fresh(), "token-received", "paying");
const paid = runAfter(unpaid, "bought");
const tokenLost: Run = { ...paid, subject: { ...identity, ...nobody } };
const connected = runAfter(freshWallet(), "wallet-connected");
const found = runAfter(connected, "attestation-found");
const here = runAfter(fresh(), "prover-changed", "token-received");
const table: Record<string, readonly [Run, Partial<Record<EventType, Stage>>]> = {
  "a provider's, waiting for its token": [
    fresh(),
    {
      ...{ "payer-chosen": "identity", "prover-changed": "identity" },
      ...{ "token-received": "price", bought: "payment" },
    },
  ],
  "a provider's, at the price": [
    runAfter(fresh(), "token-received"),
    {
      ...{ "payer-chosen": "price", "prover-changed": "prepare" },
      ...{ paying: "payment", bought: "payment", "proof-made": "checking" },
    },
  ],
  "at an own prover's price": [
    runAfter(fresh(), { type: "prover-changed", prover: ownProver }, "token-received"),
    {
      ...{ "payer-chosen": "price", "prover-changed": "prepare", priced: "price", "not-priced": "price" },
      ...{ paying: "payment", bought: "payment", "proof-made": "checking" },
    },
  ],
  "asking a wallet to pay": [
    unpaid,
    {
      ...{ "payer-chosen": "payment", "prover-changed": "prepare", "payer-refused": "price" },
      ...{ bought: "payment", "proof-made": "checking" },
    },
  ],
  paid: [paid, { "payment-expired": "price", "proof-made": "checking" }],
  "paid and settled": [
    runAfter(paid, bought(settled)),
    { "payment-expired": "price", "proof-made": "checking" },
  ],
  "at a prover's": [
    runAfter(paid, bought(settled), bought({ stage: "proving", elapsedMs: 0, expectedMs: null })),
    { "payment-expired": "price", "proof-made": "checking" },
  ],
  "paid, without the token": [
    tokenLost,
    { "inputs-lost": "identity", "payment-expired": "price", "proof-made": "checking" },
  ],
  "paid, asking for the token again": [
    runAfter(tokenLost, "inputs-lost"),
    {
      ...{ "identity-asked": "identity", "token-received": "price" },
      ...{ "payment-expired": "price", "proof-made": "checking" },
    },
  ],
  "paid, with another token": [
    runAfter(tokenLost, "inputs-lost", "identity-asked", "token-received"),
    {
      ...{ "inputs-refused": "identity", paying: "payment", bought: "payment" },
      ...{ "payment-expired": "price", "proof-made": "checking" },
    },
  ],
  "with a proof": [runAfter(paid, "proof-made"), { accepted: "sealed" }],
  sealed: [runAfter(paid, "proof-made", "accepted"), {}],
  "finally refused": [runAfter(paid, refused), {}],
  "a wallet's, at its beginning": [
    freshWallet(),
    {
      ...{ "payer-chosen": "identity", "prover-changed": "identity" },
      ...{ "wallet-connected": "identity", bought: "payment" },
    },
  ],
  "a wallet's, being looked up": [
    connected,
    {
      ...{ "payer-chosen": "identity", "prover-changed": "identity", "wallet-connected": "identity" },
      ...{ "attestation-found": "sign", bought: "payment" },
    },
  ],
  "a wallet's, to be signed": [
    found,
    { "payer-chosen": "sign", "prover-changed": "sign", signed: "price", bought: "payment" },
  ],
  "a wallet's, at the price": [
    runAfter(found, "signed"),
    {
      ...{ "payer-chosen": "price", "prover-changed": "prepare", "signature-expired": "sign" },
      ...{ paying: "payment", bought: "payment", "proof-made": "checking" },
    },
  ],
  "ready for this browser": [
    here,
    {
      ...{ "payer-chosen": "prepare", "prover-changed": "prepare" },
      ...{ worked: "witness", "proof-made": "checking" },
    },
  ],
  "proving in this browser": [
    runAfter(here, worked("proving")),
    {
      ...{ "payer-chosen": "proving", "prover-changed": "prepare" },
      ...{ worked: "proving", "proof-made": "checking" },
    },
  ],
};

describe("a run", () => {
  it.each(Object.entries(table))(
    "%s: goes where its events lead, and no other changes it",
    (_, [run, leads]) => {
      const anywhere = isOver(run) ? {} : { challenged: run.stage, failed: run.stage };
      const ways: Partial<Record<EventType, Stage>> = { ...anywhere, ...leads };
      for (const event of Object.values(events)) {
        const now = reduce(run, event, 9);
        const to = ways[event.type];
        expect([event.type, now === run ? undefined : now.stage]).toEqual([event.type, to]);
      }
    },
  );

  it("that stopped goes on from its stage when it is tried again", () => {
    const stopped = runAfter(paid, "failed");
    expect(stopped).toMatchObject({ stage: "payment", problem: passing });
    expect(runAfter(stopped, "retried")).toEqual(paid);
    expect(runAfter(unpaid, "payer-refused")).toMatchObject({ stage: "price", problem: { final: false } });
    expect(runAfter(found, "signed", "signature-expired")).toMatchObject({
      ...{ stage: "sign", problem: { final: false } },
      subject: { signature: null, attestation },
    });
    expect(runAfter(paid, "payment-expired")).toMatchObject({ payment: null, problem: { final: false } });
    // Its token is gone, so that nothing is left to go on with.
    expect(runAfter(tokenLost, "payment-expired").problem?.final).toBe(true);
  });

  it("has an own prover's latest price, and none when that prover stops answering", () => {
    const priced = runAfter(
      fresh(),
      { type: "prover-changed", prover: ownProver },
      "token-received",
      "priced",
    );
    expect(priced.offers).toEqual([]);
    const silent = runAfter(priced, "not-priced");
    expect(silent).toMatchObject({
      ...{ stage: "price", offers: null },
      problem: { message: "no answer", final: false },
    });
    expect(runAfter(silent, "retried", "priced")).toEqual(priced);
    expect(runAfter(priced, "prover-changed").offers).toBeNull();
  });

  it("ends its stages when a later one starts, and never goes back", () => {
    let run = reduce(fresh(), events["token-received"], 100);
    run = reduce(run, events.paying, 500);
    expect(run.times).toEqual({
      ...{ identity: { start: 0, end: 100 }, price: { start: 100, end: 500 } },
      payment: { start: 500 },
    });
    expect(reduce(run, events["token-received"], 600)).toBe(run);
    expect(reduce(run, events.paying, 600)).toBe(run);
  });

  it("measures a stage anew that is done again", () => {
    let run = reduce(fresh(), events["token-received"], 100);
    run = reduce(run, events.paying, 500);
    run = reduce(run, events["payer-refused"], 700);
    expect(run.times).toEqual({ identity: { start: 0, end: 100 }, price: { start: 700 } });
  });

  it("is free of price and payment where the proof is made here, and of getting ready elsewhere", () => {
    expect(stagesOf(here)).toEqual(["identity", "prepare", "witness", "proving", "checking", "sealed"]);
    expect(stagesOf(fresh())).toEqual([
      ...["identity", "price", "payment", "witness", "proving", "checking", "sealed"],
    ]);
  });

  it("whose proof is made here follows what the worker says", () => {
    let run = here;
    const at = (stage: ProvingProgress["stage"]) => {
      run = runAfter(run, worked(stage));
      return run.stage;
    };
    expect([at("loading"), at("points"), at("witness")]).toEqual(["prepare", "prepare", "witness"]);
    expect(run.work).toMatchObject({ isKeyMade: false });
    expect([at("key"), at("proving")]).toEqual(["proving", "proving"]);
    expect(run.work).toMatchObject({ isKeyMade: true, progress: { stage: "proving" } });
    // Bytes that come late move nothing back.
    expect(at("points")).toBe("proving");
  });

  it("shows payment as done only once the transaction is known", () => {
    expect(runAfter(paid, bought({ stage: "witness" })).stage).toBe("payment");
    const moved = runAfter(paid, bought(settled));
    expect(moved).toMatchObject({ stage: "witness", payment: { transaction: "0xab", amount: "1" } });
    // Sent again after a reload, it is the same payment.
    expect(runAfter(moved, "bought").payment).toEqual(moved.payment);
  });

  it("shows its place in the queue until the prover begins", () => {
    const queued = runAfter(paid, bought({ stage: "queued", position: 3, expectedMs: 9 }));
    expect(queued.work).toEqual({ at: "queue", position: 3, expectedMs: 9 });
    expect(runAfter(queued, bought({ stage: "witness" })).work).toBeNull();
    const proving = runAfter(queued, bought({ stage: "proving", elapsedMs: 0, expectedMs: 5 }));
    expect(proving).toMatchObject({ stage: "proving", work: { at: "prover", expectedMs: 5 } });
  });

  it("keeps its proof only where a contract still needs it", () => {
    expect(runAfter(paid, "proof-made", "accepted")).toMatchObject({ proof: null, sealed });
    const wallet = runAfter(freshWallet(petition), "wallet-connected", "attestation-found", "signed");
    expect(runAfter(wallet, "paying", "bought", "proof-made", "accepted")).toMatchObject({ proof, sealed });
  });
});

describe("what is done next", () => {
  it.each([
    ["identify", freshWallet()],
    ["sign", found],
    ["buy", runAfter(found, "signed")],
    ["buy", unpaid],
    ["resume", tokenLost],
    [null, runAfter(tokenLost, "inputs-lost")],
    ["prove-here", here],
    ["hand-in", runAfter(paid, "proof-made")],
    [null, fresh()],
    [null, runAfter(paid, refused)],
    [null, runAfter(paid, "failed")],
    [null, runAfter(paid, "proof-made", "accepted")],
  ])("is %s", (step, run) => {
    expect(nextStep(run, run.payment !== null)).toBe(step);
  });

  it("needs a press where a wallet would open", () => {
    expect([needsPress("identify", true), needsPress("sign", true), needsPress("buy", false)]).not.toContain(
      false,
    );
    const alone = [needsPress("buy", true), needsPress("resume", true), needsPress("prove-here", false)];
    expect([...alone, needsPress("hand-in", true)]).not.toContain(true);
  });

  it("goes on by itself on a page that finds the run, when it is free or paid", () => {
    const lost = runAfter(tokenLost, "inputs-lost");
    const going = [runAfter(paid, "proof-made"), here, paid, tokenLost, runAfter(lost, "token-received")];
    expect(going.map((run) => goesOnAlone(run, run.payment !== null))).toEqual(going.map(() => true));
    const waiting = [fresh(), unpaid, found, runAfter(here, "failed"), lost, runAfter(paid, refused)];
    expect(waiting.map((run) => goesOnAlone(run, run.payment !== null))).toEqual(waiting.map(() => false));
  });
});

const progress: fc.Arbitrary<ProofProgress> = fc.constantFrom<ProofProgress>(
  { stage: "payment", network, payer, amount: "1", reused: true },
  { stage: "settling" },
  settled,
  { stage: "queued", position: 1, expectedMs: null },
  { stage: "witness" },
  { stage: "proving", elapsedMs: 0, expectedMs: null },
  { stage: "checking" },
  { stage: "retrying", reason: "network", afterMs: 1 },
);
const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.values(events)) },
  { weight: 3, arbitrary: progress.map(bought) },
  { weight: 1, arbitrary: fc.constantFrom("loading", "points", "witness", "key", "proving").map(worked) },
  { weight: 1, arbitrary: fc.constant<RunEvent>({ type: "prover-changed", prover: { kind: "server" } }) },
  { weight: 1, arbitrary: fc.constant(refused) },
);
const anyRun = fc.constantFrom(fresh(), freshWallet(), freshWallet(petition), here, tokenLost, found, paid);

/** The first rule that a step from one run to the next breaks; null when it breaks none. */
function broken(before: Run, event: RunEvent, now: Run): string | null {
  const step = nextStep(runAfter(now, "retried"), now.payment !== null);
  const kept = keptRun(now);
  const rules: Record<string, boolean> = {
    "what is over stays so": !isOver(before) || now === before,
    "a stage is one of the run's": stagesOf(now).includes(now.stage),
    "a payment is dropped only unused":
      before.payment === null || now.payment !== null || event.type === "payment-expired",
    "nobody is sealed without a proof":
      now.sealed === null || before.proof !== null || before.sealed !== null,
    "nothing secret outlives the need for it":
      (now.proof === null && !isOver(now)) ||
      !/canary|"signature":"0xcafe"/.test(JSON.stringify(now.subject)),
    "there is always a way on":
      isOver(now) || step !== null || (now.subject.kind === "domain" && now.stage === "identity"),
    "a step is done in its stage":
      (step !== "sign" || now.stage === "sign") && (step !== "identify" || now.stage === "identity"),
    "what is paid is kept until it is over":
      (kept !== null) ===
      (now.payment !== null && (!isOver(now) || now.purpose.kind === "petition") && !now.problem?.final),
    "what is kept is no secret": !/canary|cafe/.test(JSON.stringify(kept)),
    "what is kept can be resumed":
      kept === null ||
      (runAfter(kept, "proof-made", "accepted").sealed !== null &&
        (nextStep(kept, true) !== null || kept.stage === "identity")),
  };
  return Object.keys(rules).find((rule) => !rules[rule]) ?? null;
}

it("whatever happens in whatever order, a run keeps its rules", () => {
  fc.assert(
    fc.property(anyRun, fc.array(anyEvent, { maxLength: 40 }), (start, happened) => {
      let run = start;
      for (const event of happened) {
        const now = reduce(run, event, 1);
        // One expectation for all steps: there are 100,000.
        const rule = broken(run, event, now);
        if (rule) expect.fail(`${event.type} at ${run.stage}: ${rule}`);
        run = now;
      }
    }),
    { numRuns: 5_000 },
  );
});
