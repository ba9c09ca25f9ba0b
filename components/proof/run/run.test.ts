import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProvingProgress } from "../browser/messages";
import { authorizationUrl } from "./begin";
import { receiveAnswer } from "./callback";
import { herePatch, progressPatch } from "./progress";
import { atStage, loadRun, saveRun } from "./storage";
import { type Run, stagesOf } from "./types";

const run: Run = {
  id: "job",
  purpose: { kind: "sign-in" },
  page: "/sign-in",
  next: "/",
  prover: { kind: "server" },
  offers: null,
  here: null,
  walletId: "development",
  network: "eip155:8453",
  challenge: { id: "c", nonce: "n", expiresAt: 1_000_000 },
  subject: {
    kind: "domain",
    state: "state-1",
    provider: "provider_a",
    issuer: "Provider",
    requiredDomain: null,
    token: null,
    domain: null,
  },
  stage: "identity",
  times: { identity: { start: 0 } },
  position: null,
  queueMs: null,
  expectedMs: null,
  payment: null,
  inputsNeeded: false,
  proof: null,
  problem: null,
  sealed: null,
};

beforeEach(() => {
  const entries = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
});

describe("the provider's answer", () => {
  it("is taken when its state is this tab's", () => {
    saveRun(run);
    expect(receiveAnswer("#id_token=a.b.c&state=state-1")).toEqual({ kind: "go", page: "/sign-in" });
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" }, stage: "price" });
  });

  it("is thrown away when the state is another's, when no run waits, and when it comes twice", () => {
    expect(receiveAnswer("#id_token=a.b.c&state=state-1")).toEqual({ kind: "lost" });
    saveRun(run);
    expect(receiveAnswer("#id_token=a.b.c&state=other")).toEqual({ kind: "lost" });
    expect(receiveAnswer("#id_token=a.b.c")).toEqual({ kind: "lost" });
    expect(loadRun()).toMatchObject({ subject: { token: null } });
    receiveAnswer("#id_token=a.b.c&state=state-1");
    expect(receiveAnswer("#id_token=x.y.z&state=state-1")).toEqual({ kind: "lost" });
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" } });
  });

  it("leads straight to the work where the proof is made here", () => {
    saveRun({ ...run, prover: { kind: "browser" } });
    receiveAnswer("#id_token=a.b.c&state=state-1");
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" }, stage: "prepare" });
  });

  it("may be a refusal", () => {
    saveRun(run);
    expect(receiveAnswer("#error=access_denied&state=state-1")).toEqual({ kind: "denied", page: "/sign-in" });
  });
});

describe("the way to the provider", () => {
  it("asks for an id_token in the fragment, bound to challenge and tab", () => {
    const issuer = {
      label: "P",
      provider: "provider_a",
      issuer: "https://id.example",
      authorizationEndpoint: "https://id.example/auth?x=1",
      webClientId: "web",
      development: false,
    } as const;
    const { searchParams } = new URL(
      authorizationUrl(issuer, { nonce: "n", state: "state-1" }, "https://here.example"),
    );
    expect(Object.fromEntries(searchParams)).toEqual({
      x: "1",
      client_id: "web",
      response_type: "id_token",
      response_mode: "fragment",
      scope: "openid email",
      redirect_uri: "https://here.example/auth/callback",
      nonce: "n",
      state: "state-1",
      prompt: "select_account",
    });
  });
});

describe("stages", () => {
  it("end when a later one starts, and never go back", () => {
    const at = { ...run, ...atStage(run, "payment", 500) };
    expect(at.times.identity).toEqual({ start: 0, end: 500 });
    expect(at.times.payment).toEqual({ start: 500 });
    expect(atStage(at, "price", 600)).toEqual({});
  });

  it("are free of price and payment where the proof is made here, and of getting ready elsewhere", () => {
    const here = { ...run, prover: { kind: "browser" } } as const;
    expect(stagesOf(here)).toEqual(["identity", "prepare", "witness", "proving", "checking", "sealed"]);
    expect(stagesOf(run)).toEqual([
      ...["identity", "price", "payment", "witness", "proving", "checking", "sealed"],
    ]);
  });

  it("of a proof made here follow what the worker says", () => {
    let here: Run = { ...run, prover: { kind: "browser" }, stage: "prepare" };
    const at = (stage: ProvingProgress["stage"], now: number) => {
      here = { ...here, ...herePatch(here, { stage, fraction: null }, now) };
      return here.stage;
    };
    expect([at("loading", 1), at("points", 2), at("witness", 3)]).toEqual(["prepare", "prepare", "witness"]);
    expect(here.keyMade).toBeUndefined();
    expect([at("key", 4), at("proving", 5)]).toEqual(["proving", "proving"]);
    expect(here).toMatchObject({ keyMade: true, here: { stage: "proving" } });
    // Bytes that come late move nothing back.
    expect(at("points", 6)).toBe("proving");
  });

  it("of a run that was kept before provers could be chosen are those of the server's prover", () => {
    const { prover: _, offers: __, here: ___, ...old } = run;
    sessionStorage.setItem("parley.run", JSON.stringify(old));
    expect(loadRun()).toMatchObject({ prover: { kind: "server" }, offers: null, here: null });
  });

  it("show payment as done only once the transaction is known", () => {
    const paying = { ...run, ...atStage(run, "payment", 0) };
    expect(progressPatch(paying, { stage: "witness" }, 1)).toEqual({ position: null });
    const network = "eip155:8453" as const;
    const settled = progressPatch(
      paying,
      { stage: "settled", transaction: "0xab", network, payer: "0x1", amount: "100000" },
      2,
    );
    expect(settled).toMatchObject({ stage: "witness", payment: { transaction: "0xab", amount: "100000" } });
  });
});
