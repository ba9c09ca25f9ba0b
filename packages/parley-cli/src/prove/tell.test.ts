import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { ProveResult } from "@/lib/proofs/wire";
import { jsonTeller, peopleTeller } from "./tell";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const offer: PaymentOffer = {
  chainId: 8453,
  network: "eip155:8453",
  asset: address,
  symbol: "USDC",
  decimals: 6,
  amount: "100000",
  payTo: address,
  settlement: "facilitator",
  eip712: { name: "USD Coin", version: "2" },
};

const result: ProveResult = {
  circuit: "network_eligibility",
  proof: "0xab",
  publicInputs: [],
  proofWithInputs: "0xab",
  verification: { chainId: 8453, verifierAddress: address, rpcUrl: "https://rpc.test" },
  timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
  attestation: null,
  jobToken: "job",
};

/** A terminal, or a file. */
function outputOf(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

describe("progress on a terminal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is one line that moves: place in the queue, then a bar with elapsed and expected time", () => {
    const output = outputOf(true);
    const tell = peopleTeller(output);
    tell.progress({ stage: "queued", position: 2, expectedMs: 12_000 }, offer);
    expect(output.written.at(-1)).toContain("2 proofs ahead of yours, about 12.0 s");
    tell.progress({ stage: "proving", elapsedMs: 1000, expectedMs: 10_000 }, offer);
    vi.advanceTimersByTime(4000);
    expect(output.written.at(-1)).toBe("\r\u001b[2KProving [##########----------] 5.0 s of about 10.0 s");
    // The estimate may be too short.
    vi.advanceTimersByTime(60_000);
    expect(output.written.at(-1)).toContain("[###################-]");
    tell.progress({ stage: "checking" }, offer);
    tell.end();
    const drawn = output.written.length;
    vi.advanceTimersByTime(10_000);
    expect(output.written).toHaveLength(drawn);
    expect(output.written.at(-1)).toBe("\r\u001b[2K");
  });

  it("is plain lines without a terminal", () => {
    const output = outputOf(false);
    const tell = peopleTeller(output);
    tell.progress({ stage: "queued", position: 1, expectedMs: null }, offer);
    tell.progress({ stage: "proving", elapsedMs: 0, expectedMs: 10_000 }, offer);
    tell.progress({ stage: "proving", elapsedMs: 5000, expectedMs: 10_000 }, offer);
    vi.advanceTimersByTime(5000);
    expect(output.written).toEqual(["1 proof ahead of yours\n", "Proving\n"]);
  });
});

describe("progress for programs", () => {
  it("is one JSON object per line, with position, time and cost, and without the result", () => {
    const output = outputOf(false);
    const tell = jsonTeller(output);
    tell.say("for people");
    tell.job("job-1");
    tell.progress({ stage: "queued", position: 2, expectedMs: 9000 }, offer);
    tell.progress(
      { stage: "settled", transaction: "0xab", network: "eip155:8453", payer: address, amount: "100000" },
      offer,
    );
    tell.progress({ stage: "signing", request: { kind: "message", signalHash: "0x01", raw: "0x01" } }, offer);
    tell.progress({ stage: "done", result }, offer);
    tell.resumable("job-1", null);
    tell.failed("TIMEOUT", "too late");
    tell.end();
    expect(output.written.every((line) => line.endsWith("\n"))).toBe(true);
    expect(
      output.written.map((line) => z.looseObject({ event: z.string() }).parse(JSON.parse(line))),
    ).toEqual([
      { event: "job", job: "job-1" },
      { event: "queued", position: 2, expectedMs: 9000 },
      { event: "settled", transaction: "0xab", network: "eip155:8453", payer: address, amount: "100000" },
      { event: "signing", kind: "message" },
      { event: "done" },
      { event: "resumable", job: "job-1", nonce: null },
      { event: "failed", code: "TIMEOUT", message: "too late" },
    ]);
  });
});
