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
import { type DriverParts, identify, keepFresh, requestOf, sign, tokenProblem } from "./inputs";
import { type RunEvent, reduce } from "./machine";
import {
  isWalletRun,
  type Run,
  type WalletRun,
  type WalletStatement,
  walletRun,
  withoutSecrets,
} from "./types";

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

/** A run and the driver's hold on it. */
function start(statement: WalletStatement) {
  const place = { purpose: { kind: "join", topicId: "t", title: "T" }, page: "/", next: "/" } as const;
  let run: Run = walletRun(place, statement, "w", { walletId: "", network: "n" });
  const parts: DriverParts = {
    words,
    config,
    read: () => run,
    dispatch: (event: RunEvent) => {
      run = reduce(run, event, Date.now());
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
    await identify(parts);
    expect(now()).toMatchObject({ stage: "sign", subject: { holder: account.address } });
    expect(requestOf(now())).toMatchObject({
      kind: "message",
      signalHash: eligibilitySignalHash("network_eligibility", "zk-community", "code-1"),
    });
  });

  it("stops at the wrong country before our server, the wallet or the prover hear of anything", async () => {
    attestedIn("KR");
    const { parts, now } = start(country);
    await identify(parts);
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
    await identify(parts);
    expect(now()).toMatchObject({ stage: "sign", problem: null });
  });
});

describe("the signature", () => {
  it("is over what was shown, and is checked before the price comes", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts);
    const shown = requestOf(now());
    await sign(parts);
    expect(signMessage.mock.calls[0]?.[0].message.raw).toBe(shown?.kind === "message" && shown.raw);
    expect(attestedWireInputs).toHaveBeenCalledOnce();
    expect(now().stage).toBe("price");
  });

  it("is never over another code than the one that was read", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts);
    parts.dispatch({
      type: "challenged",
      challenge: { id: "c", nonce: "old", expiresAt: Date.now() + 30_000 },
    });
    await sign(parts);
    expect(signMessage).not.toHaveBeenCalled();
    expect(now()).toMatchObject({ stage: "sign", challenge: { nonce: "code-2" } });
  });

  it("of another account than the one looked up is not asked for", async () => {
    attestedIn(null);
    const { parts, now } = start(kyc);
    await identify(parts);
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
    await identify(parts);
    await sign(parts);
    parts.dispatch({ type: "challenged", challenge: old });
    expect(await keepFresh(parts, now())).toBe(false);
    expect(now()).toMatchObject({ stage: "sign", subject: { signature: null }, problem: { final: false } });
    expect(now().times.price).toBeUndefined();
  });

  it("a country's signature stays good: a fresh code is enough", async () => {
    attestedIn("FR");
    const { parts, now } = start(country);
    await identify(parts);
    await sign(parts);
    expect(await keepFresh(parts, now())).toBe(true);
    expect(now()).toMatchObject({ stage: "price", challenge: { nonce: "code-1" } });
    expect(now().subject.signature).not.toBeNull();
  });
});

it("keeps neither signature nor attestation once they are of no more use", async () => {
  attestedIn("FR");
  const { parts, now } = start(country);
  await identify(parts);
  await sign(parts);
  expect(withoutSecrets(now().subject)).toMatchObject({ signature: null, attestation: null });
});

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const seconds = Math.floor(Date.now() / 1000);
const claims = {
  iss: "https://id.example",
  sub: "1",
  aud: "web",
  exp: seconds + 3600,
  iat: seconds,
  email: "ada@acme.example",
  email_verified: true,
  nonce: "n-1",
};
const tokenOf = (change: object) =>
  `${b64({ alg: "RS256", kid: "k" })}.${b64({ ...claims, ...change })}.${Buffer.alloc(256, 1).toString("base64url")}`;
const challenge = { id: "c", nonce: "n-1", expiresAt: 0 };
const subject = { kind: "domain", state: "s", issuer: "I", provider: "provider_a", domain: null } as const;
const check = (change: object, requiredDomain: string | null = "acme.example") =>
  tokenProblem(
    words,
    { challenge, subject: { ...subject, requiredDomain, token: tokenOf(change) } },
    "zk-community",
  );

describe("a token, before anybody pays", () => {
  it("nothing speaks against a token of the right domain", () => {
    expect(check({})).toBeNull();
    expect(check({ email: "ada@other.example" }, null)).toBeNull();
  });

  it("another domain, another sign-in's nonce and an unverified address stop the run", () => {
    expect(check({ email: "ada@other.example" })?.message).toContain("other.example");
    expect(check({ nonce: "n-2" })?.final).toBe(true);
    expect(check({ email_verified: false })?.final).toBe(true);
    expect(check({ exp: seconds - 7200 })?.final).toBe(true);
  });
});
