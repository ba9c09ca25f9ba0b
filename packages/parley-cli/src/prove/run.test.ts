import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "@/lib/client";
import { memoryStore, type PaymentRecord, payingWallet } from "@/lib/proofs/client";
import { attestationWallet, type ProveAttestedRequest } from "@/lib/proofs/client/attested";
import { deploymentSchema } from "@/lib/proofs/deployment";
import { eligibilitySignalHash } from "@/lib/proofs/derivations";
import type { ProveResult } from "@/lib/proofs/wire";
import { type Options, readOptions, UsageError } from "./options";
import { NotConfirmedError, run, type World } from "./run";
import { peopleTeller } from "./tell";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const hash: `0x${string}` = `0x${"11".repeat(32)}`;
const url = "http://127.0.0.1:1";

const deployment = deploymentSchema.parse({
  mode: "development",
  scope: "zk-community",
  srs: { kind: "development", digest: hash },
  chains: [{ id: 8453, name: "Chain", rpcUrl: url, publicRpcUrl: url, explorerUrl: null }],
  verifiers: {},
  issuers: [],
  offers: [
    {
      chainId: 8453,
      network: "eip155:8453",
      asset: address,
      symbol: "USDC",
      decimals: 6,
      amount: "100000",
      payTo: address,
      settlement: "facilitator",
      eip712: { name: "USD Coin", version: "2" },
    },
  ],
  recordBoard: null,
  services: { appUrl: url, proverUrl: url, facilitatorUrl: null },
});

const action = {
  domain: { name: "Petition", version: "1", chainId: 5042002, verifyingContract: address },
  types: { Signature: [{ name: "statement", type: "string" }] },
  primaryType: "Signature",
  message: { statement: `all of it, ${"and more ".repeat(30)}to its very end` },
};

const result: ProveResult = {
  circuit: "network_eligibility",
  proof: "0xab",
  publicInputs: [hash],
  proofWithInputs: "0xab",
  verification: { chainId: 5042002, verifierAddress: address, rpcUrl: url },
  timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
  attestation: null,
  jobToken: "job",
};

/** A payment of an earlier run. */
const payment: PaymentRecord = {
  circuit: "network_eligibility",
  paymentSignature: "e30=",
  paymentNonce: hash,
  requestHash: hash,
  encryptionKey: null,
  network: "eip155:8453",
  payer: address,
  amount: "100000",
  validBefore: 1,
  jobToken: "job",
};

/** A world in which everything succeeds and nothing is real; `said` is the output for people. */
function worldOf(change: Partial<World> = {}) {
  const said: string[] = [];
  const prove = vi.fn<(request: ProveAttestedRequest) => Promise<ProveResult>>(async () => result);
  const holder = privateKeyToAccount(generatePrivateKey());
  const world: World = {
    deployment,
    holder: () => attestationWallet(holder),
    payer: payingWallet(privateKeyToAccount(generatePrivateKey())),
    member: null,
    clientOf: () => expect.fail("no client was asked for"),
    keepToken: () => expect.fail("no token was to be kept"),
    store: memoryStore(),
    readFile: async () => JSON.stringify(action),
    prove,
    verify: async () => "valid",
    newJob: () => "job-1",
    readInput: async () => "",
    tell: peopleTeller({ write: (text: string) => said.push(text.trimEnd()) }),
    ask: async () => true,
    ...change,
  };
  return { world, prove, said };
}

function options(line: string): Options {
  const read = readOptions(line.split(" "));
  if (!read) throw new Error("help");
  return read;
}

describe("parley prove", () => {
  it("prints the proof and its public inputs, checked on chain", async () => {
    const { world, said } = worldOf();
    const outcome = await run(options("network_eligibility --nonce n-1"), world);
    expect(outcome).toEqual({ circuit: "network_eligibility", proof: "0xab", publicInputs: [hash] });
    expect(said).toContain("The verifier contract accepts the proof.");
  });

  it("shows the message, the price and who pays before it asks", async () => {
    const ask = vi.fn(async () => false);
    const { world, said, prove } = worldOf({ ask });
    await expect(run(options("network_eligibility --nonce n-1"), world)).rejects.toThrow(NotConfirmedError);
    const text = said.join("\n");
    expect(text).toContain(eligibilitySignalHash("network_eligibility", "zk-community", "n-1"));
    expect(text).toContain("at most 0.10 USDC on eip155:8453");
    expect(text).toContain(world.payer.address);
    expect(ask).toHaveBeenCalledOnce();
    expect(prove).not.toHaveBeenCalled();
  });

  it("shows an action in full, and lets exactly that one be signed", async () => {
    const { world, said, prove } = worldOf();
    await run(options("network_eligibility --action a.json"), world);
    const text = said.join("\n");
    expect(text).toContain(action.message.statement);
    for (const part of ["Petition", "5042002", address, "Signature", "statement (string)"]) {
      expect(text).toContain(part);
    }
    const confirm = prove.mock.calls[0]?.[0].confirmAction;
    expect(await confirm?.([])).toBe(false);
  });

  it("signs nothing without a terminal, unless --yes is given", async () => {
    const alone = worldOf({ ask: null });
    await expect(run(options("network_eligibility --nonce n"), alone.world)).rejects.toThrow(/--yes/);
    expect(alone.prove).not.toHaveBeenCalled();
    await run(options("network_eligibility --nonce n --yes"), alone.world);
    expect(alone.prove).toHaveBeenCalledOnce();
  });

  it("pays at most what it showed, on the network it showed", async () => {
    const { world, prove } = worldOf();
    await run(options("network_eligibility --nonce n --network eip155:8453"), world);
    expect(prove.mock.calls[0]?.[0]).toMatchObject({ maxAmount: 100_000n, jobKey: "job-1" });
    await expect(run(options("network_eligibility --nonce n --network eip155:5"), world)).rejects.toThrow(
      /eip155:8453/,
    );
  });

  it("does not print a proof that the verifier contract refuses", async () => {
    const { world } = worldOf({ verify: async () => "invalid" });
    await expect(run(options("network_eligibility --nonce n"), world)).rejects.toThrow(/does not accept/);
  });

  it("says how to resume without paying again", async () => {
    const { world, said } = worldOf({
      prove: async ({ onProgress }) => {
        onProgress?.({ stage: "payment", payer: "0x1", network: "eip155:8453", amount: "1", reused: false });
        throw new Error("the line broke");
      },
    });
    await expect(run(options("network_eligibility --nonce n-1"), world)).rejects.toThrow("the line broke");
    expect(said.at(-1)).toBe("To resume without paying again: --job job-1 --nonce=n-1");
  });

  it("resumes a stored payment and no other", async () => {
    const { world, prove } = worldOf();
    const named = options("network_eligibility --nonce n-1 --job job-0");
    await expect(run(named, world)).rejects.toThrow(/no stored payment/);
    expect(prove).not.toHaveBeenCalled();
    await world.store.set("job-0", payment);
    await run(named, world);
    expect(prove.mock.calls[0]?.[0].jobKey).toBe("job-0");
  });

  it("pays no more than --max-price, and more than the listed price only with it", async () => {
    const { world, prove, said } = worldOf();
    const asked = (price: string) => options(`network_eligibility --nonce n --max-price ${price}`);
    await expect(run(asked("0.099999"), world)).rejects.toThrow(/0\.10 USDC.*more than --max-price/);
    expect(prove).not.toHaveBeenCalled();
    await run(asked("0.25"), world);
    expect(prove.mock.calls[0]?.[0].maxAmount).toBe(250_000n);
    expect(said.join()).toContain("at most 0.25 USDC");
  });

  it("pays no more than 0.10 unless told to, whatever the installation charges", async () => {
    const [offer] = deployment.offers;
    if (!offer) expect.fail("no offer");
    const { world, prove } = worldOf({
      deployment: { ...deployment, offers: [{ ...offer, amount: "100001" }] },
    });
    await expect(run(options("network_eligibility --nonce n"), world)).rejects.toThrow(/more than 0\.10/);
    expect(prove).not.toHaveBeenCalled();
    await run(options("network_eligibility --nonce n --max-price 0.11"), world);
    expect(prove).toHaveBeenCalledOnce();
  });

  it("pays from a gateway deposit only when its network was named", async () => {
    const [offer] = deployment.offers;
    if (!offer) expect.fail("no offer");
    const gateway = { ...offer, network: "eip155:5042002" as const, settlement: "gateway" as const };
    const { world, prove } = worldOf({ deployment: { ...deployment, offers: [gateway, offer] } });
    await run(options("network_eligibility --nonce n"), world);
    expect(prove.mock.calls[0]?.[0].allowGateway).toBe(false);
    await run(options("network_eligibility --nonce n --network arc-testnet-nano"), world);
    const request = prove.mock.calls[1]?.[0];
    expect(request?.allowGateway).toBe(true);
    const live = [offer, gateway].map((one) => ({
      ...one,
      scheme: "exact" as const,
      maxTimeoutSeconds: 300,
      extra: one.eip712,
      eip712_domain: { ...one.eip712, chainId: 1, verifyingContract: one.asset },
    }));
    expect(request?.accept?.(live)?.settlement).toBe("gateway");
    await expect(
      run(options("network_eligibility --nonce n --network eip155:5042002"), world),
    ).rejects.toThrow(/Available: arc-testnet-nano, eip155:8453/);
  });

  it("joins as a member only", async () => {
    const { world } = worldOf();
    await expect(run(options("network_eligibility --join t"), world)).rejects.toThrow(UsageError);
  });

  describe("signs in", () => {
    /** The community, which knows nobody. */
    function community(nickname: string | null) {
      const asked: { readonly path: string; readonly token: string | null; readonly body: unknown }[] = [];
      const kept: string[] = [];
      const answers = new Map<string, object>([
        ["/api/auth/challenge", { challengeId: "ch-1", scope: "s", nonce: "n-1", expiresIn: 600 }],
        ["/api/auth/verify/ai", { userId: hash, needsNickname: nickname === null, token: "session" }],
        ["/api/profile/nickname", { nickname: "rose", token: "renamed" }],
        [
          "/api/auth/session",
          {
            authenticated: true,
            userId: "u",
            nickname: nickname ?? "",
            verifiedAt: 1,
            needsNickname: !nickname,
          },
        ],
      ]);
      const answer: typeof fetch = async (input, init) => {
        const request = new Request(input, init);
        const path = new URL(request.url).pathname;
        const text = await request.text();
        const body: unknown = text === "" ? null : JSON.parse(text);
        asked.push({ path, token: request.headers.get("authorization"), body });
        if (text.includes("taken"))
          return Response.json({ code: "nickname_taken", error: "Taken." }, { status: 409 });
        return Response.json(answers.get(path));
      };
      const clientOf = (token: string | undefined) =>
        createClient({ baseUrl: url, token: () => token, fetch: answer });
      const keepToken = async (token: string) => void kept.push(token);
      return { asked, kept, change: { clientOf, keepToken } };
    }
    const verified = {
      path: "/api/auth/verify/ai",
      token: null,
      body: {
        challengeId: "ch-1",
        result: { circuit: "network_eligibility", proof: "0xab", publicInputs: [hash] },
      },
    };

    it("with a proof that answers a challenge, and keeps the session", async () => {
      const { asked, kept, change } = community("rose");
      const { world, prove } = worldOf(change);
      const outcome = await run(options("network_eligibility --login"), world);
      expect(outcome).toEqual({ signedIn: url, nickname: "rose" });
      expect(prove.mock.calls[0]?.[0]).toMatchObject({ nonce: "n-1", jobKey: "ch-1" });
      expect(asked).toContainEqual(verified);
      expect(kept).toEqual(["session"]);
    });

    it("and names a new member, or says that there is no name", async () => {
      const named = community(null);
      const world = worldOf(named.change).world;
      const outcome = await run(options("network_eligibility --login --nickname rose"), world);
      expect(outcome).toEqual({ signedIn: url, nickname: "rose" });
      expect(named.asked.at(-1)).toMatchObject({ token: "Bearer session", body: { nickname: "rose" } });
      expect(named.kept).toEqual(["session", "renamed"]);
      const late = worldOf(community(null).change);
      const taken = await run(options("network_eligibility --login --nickname taken"), late.world);
      expect(taken).toEqual({ signedIn: url, nickname: null });
      expect(late.said.join("\n")).toContain("profile.setNickname");
      const unnamed = worldOf(community(null).change).world;
      expect(await run(options("network_eligibility --login"), unnamed)).toMatchObject({ nickname: null });
    });

    it("after an interruption, for the challenge that the payment was for", async () => {
      const { asked, change } = community("rose");
      const { world } = worldOf(change);
      await world.store.set("ch-1", payment);
      await run(options("network_eligibility --login --job ch-1 --nonce=n-1"), world);
      expect(asked.map(({ path }) => path)).toEqual(["/api/auth/verify/ai", "/api/auth/session"]);
      expect(asked).toContainEqual(verified);
    });

    it.each([
      ["partner_country_attestation --login --countries FR", /does not sign in/],
      ["regional_attestation --login", /does not sign in/],
      ["network_eligibility --login --join t", /neither/],
      ["network_eligibility --login --nonce n", /issues/],
      ["network_eligibility --login --job ch-1", /needs its --nonce/],
      ["network_eligibility --nonce n --nickname rose", /--nickname needs/],
    ])("never by %s", (line, why) => {
      expect(() => options(line)).toThrow(why);
    });
  });

  it("refuses an action that cannot be signed as it is shown", async () => {
    const notJson = worldOf({ readFile: async () => "{" });
    await expect(run(options("network_eligibility --action a.json"), notJson.world)).rejects.toThrow(
      UsageError,
    );
    const extra = worldOf({
      readFile: async () => JSON.stringify({ ...action, message: { ...action.message, hidden: "1" } }),
    });
    await expect(run(options("network_eligibility --action a.json"), extra.world)).rejects.toThrow(/action/);
    expect(extra.prove).not.toHaveBeenCalled();
  });
});
