import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeStorage } from "@/lib/proofs/testing/storage";
import { nextStep } from "./machine";
import {
  dropRun,
  isTooLate,
  keepPaid,
  loadRun,
  paidRuns,
  receiveAnswer,
  saveRun,
  shownElsewhere,
} from "./storage";
import { newRun, type Run, walletRun } from "./types";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const place = { purpose: { kind: "sign-in" }, page: "/sign-in", next: "/" } as const;
const pay = { walletId: "development", network: "eip155:8453" };
const challenge = { id: "c", nonce: "n", expiresAt: 1_000_000 };
const payment = { network: "eip155:8453", amount: "100000", payer: address };

const identity = {
  ...({ kind: "domain", state: "s", provider: "provider_a", issuer: "P" } as const),
  ...{ requiredDomain: null, token: null, domain: null },
};

/** A run of a provider and one of a wallet, both paid, with every secret they ever hold. */
const domain = {
  ...newRun(place, pay, { ...identity, token: "canary.token" }, challenge),
  payment,
  stage: "proving",
} satisfies Run;
const statement = { circuit: "network_eligibility", scope: "s", list: null, action: null } as const;
const wallet = {
  ...walletRun(place, statement, "wallet", pay),
  challenge,
  payment,
  stage: "checking",
  proof: { circuit: "network_eligibility", proof: "0xcafe", publicInputs: ["0xcafe"] },
} satisfies Run;
if (wallet.subject.kind === "wallet") {
  Object.assign(wallet.subject, {
    holder: "0xcafe-holder",
    signature: "0xcafe-signature",
    attestation: { rawTransaction: "0xcafe-attestation" },
  });
}

let local: Storage;
beforeEach(() => {
  local = fakeStorage();
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", fakeStorage());
});

describe("a run that paid", () => {
  it("is found again without anything secret", () => {
    saveRun(domain);
    saveRun(wallet);
    expect(
      paidRuns()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([domain.id, wallet.id].sort());
    expect(paidRuns().find(({ id }) => id === wallet.id)).toMatchObject({
      payment,
      challenge,
      purpose: place.purpose,
    });
    const kept = JSON.stringify({ ...local, all: paidRuns() });
    expect(kept).not.toMatch(/canary|cafe/);
    expect(JSON.stringify(domain)).toMatch(/canary/);
    expect(JSON.stringify(wallet)).toMatch(/cafe-holder.*cafe-signature|cafe-signature.*cafe-holder/);
  });

  it("asks the prover first when it is found again, whatever its tab had begun to ask the person", () => {
    saveRun({ ...domain, inputsNeeded: true, stage: "price" });
    const [found] = paidRuns();
    expect(found && nextStep(found, true)).toBe("resume");
  });

  it("is kept no longer than it can be gone on with", () => {
    const sealed = { needsNickname: false, pending: false, next: "/" };
    const endings: readonly Run[] = [
      { ...domain, stage: "sealed", sealed },
      { ...domain, problem: { message: "refused", final: true } },
      { ...domain, payment: null },
    ];
    for (const ending of endings) {
      saveRun(domain);
      expect(paidRuns()).toHaveLength(1);
      saveRun(ending);
      expect(paidRuns()).toEqual([]);
    }
    saveRun({ ...domain, problem: { message: "the line broke", final: false } });
    expect(paidRuns()).toMatchObject([{ problem: null }]);
    dropRun();
    expect(paidRuns()).toEqual([]);
  });

  it("for a contract is kept until the contract has it", () => {
    const purpose = { kind: "petition", statement: "s", contract: { chainId: 1, address } } as const;
    saveRun({
      ...wallet,
      purpose,
      stage: "sealed",
      sealed: { needsNickname: false, pending: false, next: "/" },
    });
    expect(paidRuns()).toMatchObject([{ stage: "checking", sealed: null, proof: null }]);
  });

  it("is not kept before it paid, and rubbish is passed over", () => {
    saveRun({ ...domain, payment: null });
    expect(local.length).toBe(0);
    local.setItem("parley.paid-run.1.x", "{");
    local.setItem("parley.paid-run.1.y", '{"id":"y"}');
    expect(paidRuns()).toEqual([]);
  });

  it("is too late once its code has run out, where the proof answers one", () => {
    expect(isTooLate(domain, 999_999)).toBe(false);
    expect(isTooLate(domain, 1_000_000)).toBe(true);
    expect(isTooLate(wallet, 1_000_000)).toBe(true);
    const country = { ...statement, circuit: "partner_country_attestation" } as const;
    expect(isTooLate({ ...walletRun(place, country, "w", pay), challenge }, 2_000_000)).toBe(false);
  });

  it("is left to the tab that shows it", async () => {
    vi.stubGlobal("navigator", {
      locks: { query: async () => ({ held: [{ name: `parley.run.${domain.id}` }, { name: "other" }] }) },
    });
    expect(await shownElsewhere([domain, wallet])).toEqual(new Set([domain.id]));
    vi.stubGlobal("navigator", {});
    expect(await shownElsewhere([domain, wallet])).toEqual(new Set());
  });

  it("survives a browser that refuses storage", () => {
    vi.stubGlobal("localStorage", {
      ...fakeStorage(),
      setItem: () => {
        throw new Error("full");
      },
    });
    expect(() => keepPaid(domain)).not.toThrow();
  });
});

/** A run that waits for its provider. */
const waiting: Run = {
  ...newRun(place, pay, { ...identity, state: "state-1" }, challenge),
  id: "job",
};

describe("the provider's answer", () => {
  it("is taken when its state is this tab's", () => {
    saveRun(waiting);
    expect(receiveAnswer("#id_token=a.b.c&state=state-1")).toEqual({ kind: "go", page: "/sign-in" });
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" }, stage: "price" });
  });

  it("is thrown away when the state is another's, when no run waits, and when it comes twice", () => {
    expect(receiveAnswer("#id_token=a.b.c&state=state-1")).toEqual({ kind: "lost" });
    saveRun(waiting);
    expect(receiveAnswer("#id_token=a.b.c&state=other")).toEqual({ kind: "lost" });
    expect(receiveAnswer("#id_token=a.b.c")).toEqual({ kind: "lost" });
    expect(loadRun()).toMatchObject({ subject: { token: null } });
    receiveAnswer("#id_token=a.b.c&state=state-1");
    expect(receiveAnswer("#id_token=x.y.z&state=state-1")).toEqual({ kind: "lost" });
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" } });
  });

  it("leads straight to the work where the proof is made here", () => {
    saveRun({ ...waiting, prover: { kind: "browser" } });
    receiveAnswer("#id_token=a.b.c&state=state-1");
    expect(loadRun()).toMatchObject({ subject: { token: "a.b.c" }, stage: "prepare" });
  });

  it("may be a refusal", () => {
    saveRun(waiting);
    expect(receiveAnswer("#error=access_denied&state=state-1")).toEqual({ kind: "denied", page: "/sign-in" });
  });
});

it("a run that an earlier version kept, before provers could be chosen, is one of the server's prover", () => {
  const { prover: _, offers: __, work: ___, ...old } = waiting;
  sessionStorage.setItem("parley.run", JSON.stringify({ ...old, here: null, position: 3 }));
  expect(loadRun()).toMatchObject({ prover: { kind: "server" }, offers: null, work: null });
});
