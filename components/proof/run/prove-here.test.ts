import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { t, words } from "@/lib/i18n/english";
import { encodeOidcPublicInputs } from "@/lib/proofs/layouts/oidc";
import { purchase } from "@/lib/proofs/testing/purchase";
import { fakeStorage } from "@/lib/proofs/testing/storage";
import { proveHere } from "../browser/driver";
import { BrowserProvingError } from "../browser/errors";
import { domainInputs } from "../browser/inputs";
import type { PublicConfig } from "../config";
import { acceptProof } from "./accept";
import { drive } from "./driver";
import { reduce } from "./machine";
import { newRun, type Run } from "./types";

vi.mock("../browser/driver", () => ({ proveHere: vi.fn() }));
vi.mock("../browser/inputs", () => ({ domainInputs: vi.fn(), walletInputs: vi.fn() }));
vi.mock("./accept", async (original) => ({
  ...(await original<typeof import("./accept")>()),
  acceptProof: vi.fn(),
}));
vi.mock("./inputs", async (original) => ({
  ...(await original<typeof import("./inputs")>()),
  tokenProblem: () => null,
}));

const sheet = { artifactSha256: "ab", vkHash: "0x01", points: 512 } as const;
const config: PublicConfig = {
  mode: "production",
  scope: "zk-community",
  srs: "ignition",
  issuers: [
    {
      ...{ label: "P", provider: "provider_a", issuer: "https://id.example", webClientId: "web" },
      ...{ authorizationEndpoint: "https://id.example/auth", development: false },
    },
  ],
  chains: [],
  offers: [],
  verifiers: [],
  attesters: [],
  attestations: undefined,
  attesterPage: null,
  petition: null,
  proverUrl: "http://prover",
  browserProving: {
    offered: true,
    pointSources: ["/proving/points", "https://points.example"],
    circuits: { oidc_domain_attestation: sheet },
  },
  devLogin: false,
};

let setting: Awaited<ReturnType<typeof purchase>>;
let run: Run;
let publicInputs: `0x${string}`[];
beforeAll(async () => {
  setting = await purchase();
});
beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal("localStorage", fakeStorage());
  vi.stubGlobal("window", { location: { origin: "https://here.example" } });
  vi.stubGlobal("Worker", class {});
  vi.stubGlobal("fetch", () => Promise.reject(new Error("somebody was asked")));
  const { inputs, facts } = setting;
  publicInputs = encodeOidcPublicInputs(facts);
  vi.mocked(domainInputs).mockResolvedValue({ inputs: { secret: 1 }, publicInputs });
  vi.mocked(proveHere).mockResolvedValue({ proof: "0x12", publicInputs });
  vi.mocked(acceptProof).mockResolvedValue({ needsNickname: false, pending: false, next: "/" });
  run = newRun(
    { purpose: { kind: "sign-in" }, page: "/sign-in", next: "/", prover: { kind: "browser" } },
    { walletId: "", network: "" },
    {
      ...{ kind: "domain", state: "s", provider: "provider_a", issuer: "P", requiredDomain: null },
      ...{ token: inputs.jwt, domain: null },
    },
    { id: "c", nonce: "n", expiresAt: Date.now() + 300_000 },
  );
});

async function go(changes: Partial<PublicConfig> = {}, signal = new AbortController().signal): Promise<void> {
  await drive({
    ...{ words, signal, config: { ...config, ...changes }, read: () => run },
    dispatch: (event) => {
      if (!signal.aborted) run = reduce(run, event, Date.now());
    },
  });
}

const token = () => run.subject.kind === "domain" && run.subject.token;

describe("a run whose proof is made in this browser", () => {
  it("is sealed without a wallet and without a prover, and keeps no token", async () => {
    await go();
    expect(run).toMatchObject({ stage: "sealed", problem: null, payment: null });
    expect(token()).toBeNull();
    expect(vi.mocked(acceptProof).mock.lastCall?.[1]).toMatchObject({ proof: "0x12", publicInputs });
    expect(vi.mocked(proveHere).mock.lastCall?.[0]).toMatchObject({
      circuit: "oidc_domain_attestation",
      inputs: { secret: 1 },
      sheet,
      pointSources: ["https://here.example/proving/points", "https://points.example/"],
    });
  });

  it("is not handed in when the proof says something else", async () => {
    const other = publicInputs.map((word, i) => (i === 18 ? (`0x${"00".repeat(31)}61` as const) : word));
    vi.mocked(proveHere).mockResolvedValue({ proof: "0x12", publicInputs: other });
    await go();
    expect(run.problem).toMatchObject({ message: t("prover.problems.result_mismatch"), final: true });
    expect(acceptProof).not.toHaveBeenCalled();
  });

  it("keeps what it is made from when this browser cannot, for another prover", async () => {
    vi.mocked(proveHere).mockRejectedValue(new BrowserProvingError("memory"));
    await go();
    expect(run.problem).toEqual({
      ...{ message: t("prover.problems.memory"), final: false, otherProver: true },
    });
    expect(token()).not.toBeNull();
  });

  it("drops what it is made from as soon as the proof is there, accepted or not", async () => {
    vi.mocked(acceptProof).mockRejectedValue(new Error("the server is away"));
    await go();
    expect(run).toMatchObject({ stage: "checking", proof: { proof: "0x12" }, problem: { final: false } });
    expect(token()).toBeNull();
    expect(run.subject).toMatchObject({ domain: setting.facts.domain });
  });

  it("is not begun where this browser lacks what it takes", async () => {
    vi.stubGlobal("Worker", undefined);
    await go();
    expect(run.problem?.message).toBe(t("prover.problems.no_worker"));
    expect(domainInputs).not.toHaveBeenCalled();
  });

  it("asks nothing of anybody where it is not offered", async () => {
    await go({ browserProving: { offered: false, reason: "development_srs" } });
    expect(run.problem?.message).toBe(t("prover.problems.development_srs"));
    expect(domainInputs).not.toHaveBeenCalled();
    expect(proveHere).not.toHaveBeenCalled();
  });

  it("stops for a one-time code that would run out before the proof is there", async () => {
    run = { ...run, challenge: { id: "c", nonce: "n", expiresAt: Date.now() + 60_000 } };
    await go();
    expect(run.problem).toMatchObject({ final: true });
    expect(proveHere).not.toHaveBeenCalled();
  });

  it("is handed in once, also when it is given up meanwhile", async () => {
    const tab = new AbortController();
    vi.mocked(acceptProof).mockRejectedValue(new Error("handed in again"));
    vi.mocked(acceptProof).mockImplementationOnce(async () => {
      tab.abort(new Error("given up"));
      return { needsNickname: false, pending: false, next: "/" };
    });
    await go({}, tab.signal);
    expect(acceptProof).toHaveBeenCalledOnce();
    expect(run).toMatchObject({ stage: "checking", sealed: null });
  });

  it("says nothing more once it was given up", async () => {
    const tab = new AbortController();
    vi.mocked(proveHere).mockImplementation(({ signal }) => {
      tab.abort(new Error("given up"));
      return Promise.reject(signal.reason);
    });
    await go({}, tab.signal);
    expect(run.problem).toBeNull();
    expect(run.sealed).toBeNull();
  });
});
