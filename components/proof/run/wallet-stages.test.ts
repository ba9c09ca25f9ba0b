import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { connectWallet } from "@/components/wallet/signer";
import { words } from "@/lib/i18n/english";
import { findAttestation } from "@/lib/proofs/attestation/find";
import { attestedWireInputs } from "@/lib/proofs/client/attested";
import { attestationWallet } from "@/lib/proofs/client/wallets";
import { eligibilitySignalHash } from "@/lib/proofs/derivations";
import type { PublicConfig } from "../config";
import { newChallenge } from "./challenge";
import { walletRun } from "./new-run";
import type { EngineParts } from "./parts";
import type { Run, RunPatch, WalletStatement } from "./types";
import { withoutSecrets } from "./types";
import { identify, isWalletRun, keepFresh, requestOf, sign, type WalletRun } from "./wallet-stages";

vi.mock("@/components/wallet/signer", () => ({ connectWallet: vi.fn() }));
vi.mock("@/lib/proofs/attestation/find", () => ({ findAttestation: vi.fn() }));
vi.mock("@/lib/proofs/client/attested", async (original) => ({
  ...(await original<typeof import("@/lib/proofs/client/attested")>()),
  attestedWireInputs: vi.fn(async () => ({ wire: {}, expectedPublicInputs: [] })),
}));
vi.mock("./challenge", async (original) => ({
  ...(await original<typeof import("./challenge")>()),
  newChallenge: vi.fn(),
}));

const account = privateKeyToAccount(generatePrivateKey());
const signMessage = vi.fn((request: { message: { raw: `0x${string}` } }) => account.signMessage(request));
const config: PublicConfig = {
  mode: "development",
  scope: "zk-community",
  srs: "development",
  issuers: [],
  chains: [],
  offers: [],
  verifiers: [],
  attesters: [],
  attestations: undefined,
  attesterPage: null,
  petition: null,
  proverUrl: "http://prover",
  browserProving: { offered: false, reason: "not_offered" },
  devLogin: false,
};
const kyc: WalletStatement = {
  circuit: "network_eligibility",
  scope: "zk-community",
  list: null,
  action: null,
};
const country: WalletStatement = {
  circuit: "partner_country_attestation",
  scope: "zk-community",
  list: { countries: ["FR", "DE"], isIncluded: true },
  action: null,
};

/** A run and the engine's hold on it. */
function start(statement: WalletStatement) {
  const place = { purpose: { kind: "join", topicId: "t", title: "T" }, page: "/", next: "/" } as const;
  let run: Run = walletRun(place, statement, "w", { walletId: "", network: "n" });
  const parts: EngineParts = {
    words,
    config,
    read: () => run,
    patch: (change: RunPatch) => {
      run = { ...run, ...change };
    },
    signal: new AbortController().signal,
  };
  const now = (): WalletRun => {
    if (!isWalletRun(run)) throw new Error("not a wallet's run");
    return run;
  };
  return { parts, now };
}

function attestedIn(found: string | null): void {
  vi.mocked(findAttestation).mockResolvedValue({
    uid: "0x01",
    transactionHash: "0x02",
    rawTransaction: "0x03",
    time: 1,
    country: found,
  });
}

let codes = 0;
beforeEach(() => {
  vi.clearAllMocks();
  codes = 0;
  vi.mocked(connectWallet).mockResolvedValue({
    addresses: [account.address],
    paying: () => Promise.reject(new Error("the attested wallet was asked to pay")),
    holding: (address) =>
      attestationWallet({
        address,
        signMessage,
        signTypedData: () => Promise.reject(new Error("no action")),
      }),
    transact: () => Promise.reject(new Error("no transaction")),
  });
  vi.mocked(newChallenge).mockImplementation(async () => {
    codes++;
    return { id: `c${codes}`, nonce: `code-${codes}`, expiresAt: Date.now() + 300_000 };
  });
});

describe("identity of a wallet", () => {
  it("ends at what is to be signed, which answers our one-time code", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts, now());
    expect(now()).toMatchObject({ stage: "sign", subject: { holder: account.address } });
    expect(requestOf(now())).toMatchObject({
      kind: "message",
      signalHash: eligibilitySignalHash("network_eligibility", "zk-community", "code-1"),
    });
  });

  it("stops at the wrong country before our server, the wallet or the prover hear of anything", async () => {
    attestedIn("KR");
    const { parts, now } = start(country);
    await identify(parts, now());
    expect(now().problem).toMatchObject({ final: true });
    expect(now().problem?.message).toContain("South Korea");
    expect(now().problem?.message).toContain("France or Germany");
    expect(now().subject.attestation).toBeNull();
    expect(newChallenge).not.toHaveBeenCalled();
    expect(signMessage).not.toHaveBeenCalled();
  });

  it("takes a country that is in none of the excluded ones", async () => {
    attestedIn("KR");
    const { parts, now } = start({ ...country, list: { countries: ["FR"], isIncluded: false } });
    await identify(parts, now());
    expect(now()).toMatchObject({ stage: "sign", problem: null });
  });
});

describe("the signature", () => {
  it("is over what was shown, and is checked before the price comes", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts, now());
    const shown = requestOf(now());
    await sign(parts);
    expect(signMessage.mock.calls[0]?.[0].message.raw).toBe(shown?.kind === "message" && shown.raw);
    expect(attestedWireInputs).toHaveBeenCalledOnce();
    expect(now().stage).toBe("price");
  });

  it("is never over another code than the one that was read", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts, now());
    parts.patch({ challenge: { id: "c", nonce: "old", expiresAt: Date.now() + 30_000 } });
    await sign(parts);
    expect(signMessage).not.toHaveBeenCalled();
    expect(now()).toMatchObject({ stage: "sign", challenge: { nonce: "code-2" } });
  });

  it("of another account than the one looked up is not asked for", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts, now());
    const stranger = privateKeyToAccount(generatePrivateKey());
    const wallet = await vi.mocked(connectWallet)("w", config);
    vi.mocked(connectWallet).mockResolvedValue({ ...wallet, addresses: [stranger.address] });
    await sign(parts);
    expect(signMessage).not.toHaveBeenCalled();
    expect(now().problem).toMatchObject({ final: false });
  });
});

describe("before paying", () => {
  const old = { id: "c", nonce: "old", expiresAt: Date.now() + 1000 };

  it("a signature over a code that runs out is given up, and signing comes again", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts, now());
    await sign(parts);
    parts.patch({ challenge: old });
    expect(await keepFresh(parts, now())).toBe(false);
    expect(now()).toMatchObject({ stage: "sign", subject: { signature: null }, problem: { final: false } });
    expect(now().times.price).toBeUndefined();
  });

  it("a country's signature stays good: a fresh code is enough", async () => {
    attestedIn("FR");
    const { parts, now } = start(country);
    await identify(parts, now());
    await sign(parts);
    expect(await keepFresh(parts, now())).toBe(true);
    expect(now()).toMatchObject({ stage: "price", challenge: { nonce: "code-1" } });
    expect(now().subject.signature).not.toBeNull();
  });
});

it("keeps neither signature nor attestation once they are of no more use", async () => {
  attestedIn("FR");
  const { parts, now } = start(country);
  await identify(parts, now());
  await sign(parts);
  expect(withoutSecrets(now().subject)).toMatchObject({ signature: null, attestation: null });
});
