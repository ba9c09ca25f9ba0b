import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { memoryStore, type PaymentStore } from "@/lib/proofs/client";
import { deploymentSchema } from "@/lib/proofs/deployment";
import { FakeProver, offer } from "@/lib/proofs/testing/prover";
import { countingWallet, purchase, resultFor } from "@/lib/proofs/testing/purchase";
import { type Options, readOptions, UsageError } from "./options";
import { run, type World } from "./run";
import { jsonTeller, peopleTeller } from "./tell";

const hash = `0x${"11".repeat(32)}`;
const idp = "https://idp.test";
const deviceCode = "canary-device-code";

let setting: Awaited<ReturnType<typeof purchase>>;
let prover: FakeProver;
let wallet: ReturnType<typeof countingWallet>;
let store: PaymentStore;
/** All that was printed, for people and for programs. */
let printed: string[];
beforeAll(async () => {
  setting = await purchase();
});
beforeEach(() => {
  prover = new FakeProver(resultFor(setting.facts));
  wallet = countingWallet();
  store = memoryStore();
  printed = [];
});

const deployment = () =>
  deploymentSchema.parse({
    mode: "development",
    scope: setting.inputs.scope,
    srs: { kind: "development", digest: hash },
    chains: [{ id: 8453, name: "c", rpcUrl: idp, publicRpcUrl: idp, explorerUrl: null }],
    verifiers: {},
    issuers: [
      {
        provider: "provider_a",
        label: "Test provider",
        issuer: idp,
        jwksUri: `${idp}/jwks`,
        authorizationEndpoint: `${idp}/auth`,
        deviceAuthorizationEndpoint: `${idp}/device`,
        tokenEndpoint: `${idp}/token`,
        webClientId: "web",
        deviceClientId: "device",
        development: true,
      },
    ],
    offers: [{ ...offer, chainId: 8453, symbol: "USDC", eip712: offer.extra }],
    recordBoard: null,
    services: { appUrl: idp, proverUrl: prover.proverUrl, facilitatorUrl: null },
  });

/** The identity provider and the prover. */
const reach: typeof fetch = async (input, init) => {
  const url = String(input);
  if (url === `${idp}/device`) {
    return Response.json({
      device_code: deviceCode,
      user_code: "ABCD-EFGH",
      verification_uri: `${idp}/enter`,
      expires_in: 600,
      interval: 0.001,
    });
  }
  if (url === `${idp}/token`) return Response.json({ id_token: setting.inputs.jwt });
  return prover.fetch(input, init);
};

function world(change: Partial<World> = {}): World {
  const people = peopleTeller({ isTTY: true, write: (text) => printed.push(text) });
  const programs = jsonTeller({ write: (text) => printed.push(text) });
  return {
    deployment: deployment(),
    holder: () => {
      throw new Error("a wallet with an attestation was asked for");
    },
    payer: wallet,
    member: null,
    clientOf: () => expect.fail("no client was asked for"),
    keepToken: () => expect.fail("no token was to be kept"),
    store,
    readFile: async () => `${setting.inputs.jwt}\n`,
    readInput: async () => `${setting.inputs.jwt}\n`,
    prove: () => Promise.reject(new Error("not a wallet's proof")),
    verify: async () => "valid",
    newJob: () => "job-1",
    tell: {
      say: (text) => [people, programs].forEach((one) => void one.say(text)),
      progress: (...event) => [people, programs].forEach((one) => void one.progress(...event)),
      login: (login) => [people, programs].forEach((one) => void one.login(login)),
      job: (name) => [people, programs].forEach((one) => void one.job(name)),
      resumable: (...how) => [people, programs].forEach((one) => void one.resumable(...how)),
      failed: (...why) => [people, programs].forEach((one) => void one.failed(...why)),
      end: () => people.end(),
    },
    ask: null,
    fetch: reach,
    ...change,
  };
}

function options(line = ""): Options {
  const read = readOptions(["oidc_domain_attestation", "--yes", ...line.split(" ").filter(Boolean)]);
  if (!read) throw new Error("help");
  return read;
}

describe("parley prove oidc_domain_attestation", () => {
  it("signs in by the device flow, pays once and prints the proof", async () => {
    const outcome = await run(options(), world());
    expect(outcome).toMatchObject({ circuit: "oidc_domain_attestation", proof: "0x1234" });
    expect(printed.join("")).toContain("ABCD-EFGH");
    expect(printed.join("")).toContain(`${idp}/enter`);
    expect(prover.read).toEqual([setting.inputs]);
    expect(wallet.signed).toHaveLength(1);
  });

  it.each(["--token-file -", "--token-file token.jwt"])("takes a token by %s", async (line) => {
    expect(await run(options(line), world())).toMatchObject({ proof: "0x1234" });
    expect(prover.read).toEqual([setting.inputs]);
  });

  it("prints nothing of the token, the login's secret or the signature, whatever happens", async () => {
    await run(options(), world());
    prover.failures = 5;
    await expect(run(options(), world())).rejects.toMatchObject({ code: "PROVE_FAILED" });
    await expect(
      run(options("--token-file -"), world({ readInput: async () => "canary.broken.token" })),
    ).rejects.toThrow();
    const said = printed.join("");
    const [head = "", claims = "", signature = ""] = setting.inputs.jwt.split(".");
    const paid = prover.paid[0]?.headers.get("payment-signature") ?? "";
    for (const secret of [head, claims, signature, deviceCode, "canary", "a@b.c", paid]) {
      expect(secret.length).toBeGreaterThan(4);
      expect(said).not.toContain(secret);
    }
    expect(said).toContain("--job job-1");
  });

  it("resumes with --job without another sign-in or payment", async () => {
    const broken = { verify: () => Promise.reject(new Error("chain away")) };
    await expect(run(options(), world(broken))).rejects.toThrow("chain away");
    const noProvider: typeof fetch = (input, init) =>
      String(input).startsWith(idp) ? Promise.reject(new Error("asked")) : prover.fetch(input, init);
    expect(await run(options("--job job-1"), world({ fetch: noProvider }))).toMatchObject({
      proof: "0x1234",
    });
    expect(wallet.signed).toHaveLength(1);
    expect(await store.get("job-1")).toBeNull();
  });

  it("says what it needs when the prover has deleted the token, and accepts it from a file", async () => {
    const broken = { verify: () => Promise.reject(new Error("chain away")) };
    await expect(run(options("--token-file t"), world(broken))).rejects.toThrow("chain away");
    prover.faults = ["restart"];
    await expect(run(options("--job job-1"), world())).rejects.toThrow(UsageError);
    expect(wallet.signed).toHaveLength(1);
    expect(await run(options("--job job-1 --token-file t"), world())).toMatchObject({ proof: "0x1234" });
    expect(wallet.signed).toHaveLength(1);
    expect(prover.charged).toBe(1);
  });

  it("refuses rules that no provider of the installation has", async () => {
    await expect(run(options("--provider provider_b"), world())).rejects.toThrow(/Available: provider_a/);
  });
});
