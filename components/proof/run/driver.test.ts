import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { payerFor } from "@/components/wallet/signer";
import { t, words } from "@/lib/i18n/english";
import { localStorageStore } from "@/lib/proofs/client";
import { attestedWireInputs } from "@/lib/proofs/client/attested";
import { signPayment } from "@/lib/proofs/client/payment";
import { countrySignalHash } from "@/lib/proofs/derivations";
import { person } from "@/lib/proofs/testing/attestations";
import { attestedPurchase, statements } from "@/lib/proofs/testing/attested-purchase";
import { FakeProver, offer } from "@/lib/proofs/testing/prover";
import { countingWallet, purchase, resultFor } from "@/lib/proofs/testing/purchase";
import { fakeStorage } from "@/lib/proofs/testing/storage";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { drive } from "./driver";
import { identify, provingInputs, sign } from "./inputs";
import { reduce } from "./machine";
import { newRun, type Run, walletRun } from "./types";

vi.mock("@/components/wallet/signer", async (original) => ({
  ...(await original<typeof import("@/components/wallet/signer")>()),
  payerFor: vi.fn(),
}));
vi.mock("./accept", async (original) => ({
  ...(await original<typeof import("./accept")>()),
  acceptProof: vi.fn(),
}));
vi.mock("./inputs", async (original) => ({
  ...(await original<typeof import("./inputs")>()),
  identify: vi.fn(),
  sign: vi.fn(),
  provingInputs: vi.fn(),
  tokenProblem: () => null,
}));

let setting: Awaited<ReturnType<typeof purchase>>;
let later: Awaited<ReturnType<typeof purchase>>;
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let run: Run;
beforeAll(async () => {
  setting = await purchase();
  later = await purchase();
});
beforeEach(() => {
  prover = new FakeProver(resultFor(setting.facts));
  wallet = countingWallet();
  vi.stubGlobal("localStorage", fakeStorage());
  vi.stubGlobal("fetch", prover.fetch);
  vi.clearAllMocks();
  vi.mocked(payerFor).mockImplementation(async () => wallet);
  vi.mocked(acceptProof).mockResolvedValue({ needsNickname: false, pending: false, next: "/" });
  run = {
    ...newRun(
      { purpose: { kind: "sign-in" }, page: "/sign-in", next: "/" },
      { walletId: "w", network: offer.network },
      {
        kind: "domain",
        state: "s",
        provider: "provider_a",
        issuer: "P",
        requiredDomain: null,
        token: setting.inputs.jwt,
        domain: null,
      },
      { id: "c", nonce: "n", expiresAt: Date.now() + 300_000 },
    ),
    stage: "price",
  };
});

const config = (): PublicConfig => ({
  mode: "development",
  scope: setting.inputs.scope,
  srs: "development",
  issuers: [],
  chains: [],
  offers: [{ ...offer, chainId: 8453, symbol: "USDC", eip712: offer.extra }],
  verifiers: [],
  attesters: [],
  attestations: undefined,
  attesterPage: null,
  petition: null,
  proverUrl: prover.proverUrl,
  browserProving: { offered: false, reason: "not_offered" },
  devLogin: false,
});

/** Drives the run on. @param closesAt the tab is closed at the nth look at the job */
async function go(closesAt = Number.POSITIVE_INFINITY): Promise<void> {
  const tab = new AbortController();
  let looks = 0;
  vi.stubGlobal("fetch", ((input, init) => {
    if (String(input).includes("/jobs/") && ++looks >= closesAt) tab.abort(new Error("closed"));
    return prover.fetch(input, init);
  }) satisfies typeof fetch);
  await drive({
    words,
    config: config(),
    read: () => run,
    dispatch: (event) => {
      if (!tab.signal.aborted) run = reduce(run, event, Date.now());
    },
    signal: tab.signal,
  });
}

/** A payment as it lies in the store. */
async function signedHeader(): Promise<string> {
  const resource = { url: prover.proverUrl, description: "", mimeType: "" };
  const { paymentSignature } = await signPayment(countingWallet(), offer, resource, 1_800_000_000);
  return paymentSignature;
}

/** What another tab finds: the run without its token. */
function reopen(token: string | null = null): void {
  if (run.subject.kind === "domain") run = { ...run, subject: { ...run.subject, token } };
}

const paidWith = () => new Set(prover.paid.map(({ headers }) => headers.get("payment-signature"))).size;

describe("a run whose tab was closed after it paid", () => {
  beforeEach(() => go(1));

  it("finds its proof by the job, without a token and without a wallet", async () => {
    expect(run.payment).not.toBeNull();
    expect(run.proof).toBeNull();
    reopen();
    await go();
    expect(run.sealed).not.toBeNull();
    expect(vi.mocked(acceptProof).mock.lastCall?.[1].proof).toBe("0x1234");
    expect(wallet.signed).toHaveLength(1);
    expect(prover.paid).toHaveLength(1);
    expect(await localStorageStore().get(run.id)).toBeNull();
  });

  it("finds a payment that the run never heard of, and asks for no other", async () => {
    run = { ...run, work: null, proof: null, sealed: null, stage: "price", payment: null };
    reopen();
    prover.faults = ["restart"];
    await go();
    expect(run).toMatchObject({
      inputsNeeded: true,
      payment: { network: offer.network, amount: offer.amount },
    });
    expect(wallet.signed).toHaveLength(1);
  });

  it("asks the person once more when the prover lost the token, and sends the same payment", async () => {
    reopen();
    prover.faults = ["restart"];
    await go();
    expect(run).toMatchObject({ stage: "identity", inputsNeeded: true, problem: null });
    // Waiting changes nothing.
    await go();
    expect(run).toMatchObject({ stage: "identity", inputsNeeded: true });

    prover = new FakeProver(resultFor(later.facts));
    reopen(later.inputs.jwt);
    await go();
    expect(run).toMatchObject({ sealed: { next: "/" }, inputsNeeded: false });
    expect(prover.read).toEqual([later.inputs]);
    expect(wallet.signed).toHaveLength(1);
  });

  it("says where the payment stands when the prover has it for the first token", async () => {
    reopen();
    prover.faults = ["restart"];
    await go();
    reopen(later.inputs.jwt);
    prover.paidErrors = [{ status: 409, body: { error: "PAYMENT_ALREADY_USED", message: "used" } }];
    await go();
    expect(run.problem).toEqual({ message: t("run.spent"), final: true });
    expect(paidWith()).toBe(1);
    expect(wallet.signed).toHaveLength(1);
  });

  it("that ended in another tab pays nothing more", async () => {
    await localStorageStore().delete(run.id);
    await go();
    expect(run.problem).toEqual({ message: t("run.elsewhere"), final: true });
    expect(wallet.signed).toHaveLength(1);
  });
});

describe("a wallet's run whose tab was closed after it paid, when the prover lost its inputs", () => {
  it("asks the wallet once more, step by step, and sends the payment it has", async () => {
    const statement = statements["a country"];
    const attested = await attestedPurchase(statement);
    prover = attested.prover;
    const { circuit, list, scope } = statement;
    run = {
      ...walletRun(run, { circuit, scope, list, action: null }, "w", run),
      payment: { network: offer.network, amount: offer.amount, payer: offer.payTo },
      stage: "witness",
    };
    const record = {
      circuit,
      paymentSignature: await signedHeader(),
      paymentNonce: prover.nonce,
      requestHash: prover.nonce,
      encryptionKey: null,
      network: offer.network,
      payer: offer.payTo,
      amount: offer.amount,
      validBefore: 4_000_000_000,
      jobToken: null,
    };
    await localStorageStore().set(run.id, record);
    const change = (fields: object) => {
      if (run.subject.kind === "wallet") run = { ...run, subject: { ...run.subject, ...fields } };
    };
    vi.mocked(identify).mockImplementation(async () =>
      change({ holder: offer.payTo, attestation: { rawTransaction: "0x01" } }),
    );
    vi.mocked(sign).mockImplementation(async () => change({ signature: "0x02" }));
    const user = person.address;
    const raw = countrySignalHash(user, scope, circuit);
    const { wire, expectedPublicInputs } = await attestedWireInputs({
      ...statement,
      user,
      deployment: attested.world.deployment,
      attestation: { rawTransaction: (await attested.world.attest()).raw },
      signature: await person.signMessage({ message: { raw } }),
    });
    vi.mocked(provingInputs).mockResolvedValue({ inputs: { ...wire }, expectedPublicInputs });

    await go();
    expect(run).toMatchObject({ stage: "identity", inputsNeeded: true });
    expect(identify).not.toHaveBeenCalled();
    await go();
    expect(identify).toHaveBeenCalledOnce();
    expect(sign).not.toHaveBeenCalled();
    await go();
    expect(sign).toHaveBeenCalledOnce();
    expect(run.sealed).not.toBeNull();
    expect(prover.read).toEqual([wire]);
    expect(wallet.signed).toHaveLength(0);
    expect(payerFor).not.toHaveBeenCalled();
  });
});

describe("a payment that ran out unused", () => {
  it("leads back to the price, and another one is signed only by pressing the button", async () => {
    const expired = { error: "PAYMENT_INVALID", message: "too late", reason: "expired" };
    prover.paidErrors = [{ status: 402, body: expired }];
    await go();
    expect(run).toMatchObject({
      stage: "price",
      payment: null,
      problem: { message: t("run.expired"), final: false },
    });
    expect(wallet.signed).toHaveLength(1);
    await go();
    expect(run.sealed).not.toBeNull();
    expect(wallet.signed).toHaveLength(2);
  });
});
