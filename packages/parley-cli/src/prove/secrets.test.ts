import { beforeAll, describe, expect, it } from "vitest";
import { attestationWallet, proveAttested } from "@/lib/proofs/client/attested";
import { deploymentSchema } from "@/lib/proofs/deployment";
import { person } from "@/lib/proofs/testing/attestations";
import { attestedPurchase, scope, statements } from "@/lib/proofs/testing/attested-purchase";
import { offer } from "@/lib/proofs/testing/prover";
import { describeFailure } from "./failure";
import { readOptions } from "./options";
import { run, type World } from "./run";
import { jsonTeller, peopleTeller } from "./tell";

const hash = `0x${"11".repeat(32)}`;
const url = "https://p.test";
const deployment = deploymentSchema.parse({
  mode: "development",
  scope,
  srs: { kind: "development", digest: hash },
  chains: [{ id: 8453, name: "c", rpcUrl: url, publicRpcUrl: url, explorerUrl: null }],
  verifiers: {},
  issuers: [],
  offers: [{ ...offer, chainId: 8453, symbol: "USDC", eip712: offer.extra }],
  recordBoard: null,
  services: { appUrl: url, proverUrl: url, facilitatorUrl: null },
});

let setting: Awaited<ReturnType<typeof attestedPurchase>>;
beforeAll(async () => {
  setting = await attestedPurchase(statements["an identity"]);
});

describe("parley prove for a wallet", () => {
  it.each(["people", "programs"])("tells %s nothing that only the prover may read", async (whom) => {
    const printed: string[] = [];
    const output = { isTTY: true, write: (text: string) => printed.push(text) };
    const signatures: string[] = [];
    const holder = attestationWallet({
      address: person.address,
      signMessage: async (request) => {
        const signature = await person.signMessage(request);
        signatures.push(signature);
        return signature;
      },
      signTypedData: () => Promise.reject(new Error("no action")),
    });
    const world: World = {
      deployment,
      holder: () => holder,
      payer: setting.payer,
      member: null,
      clientOf: () => expect.fail("no client was asked for"),
      keepToken: () => expect.fail("no token was to be kept"),
      store: setting.store,
      readFile: () => Promise.reject(new Error("no file")),
      readInput: () => Promise.reject(new Error("no input")),
      prove: (request) =>
        proveAttested({
          ...setting.request(),
          ...request,
          deployment: setting.world.deployment,
          proverUrl: setting.prover.proverUrl,
          fetch: setting.request().fetch,
        }),
      verify: async () => "valid",
      newJob: () => `job-of-${whom}`,
      tell: whom === "people" ? peopleTeller(output) : jsonTeller(output),
      ask: null,
    };
    const options = readOptions(["network_eligibility", "--nonce", "n0nce", "--yes"]) ?? expect.fail();
    await run(options, world);

    const [sent] = setting.prover.read.slice(-1);
    const wire = JSON.stringify(sent).toLowerCase();
    const { raw } = await setting.world.attest();
    expect(wire).toContain("raw_transaction");
    expect(signatures).toHaveLength(1);
    const said = printed.join("").toLowerCase();
    expect(said).toContain(whom === "people" ? "settled" : '"event":"settled"');
    for (const secret of [raw, ...signatures, person.publicKey]) {
      const part = secret.slice(2, 42).toLowerCase();
      expect(said).not.toContain(part);
    }
  });

  it("repeats no message of other code", () => {
    const failure = describeFailure(new TypeError("canary: body {jwt: ...}"));
    expect(JSON.stringify(failure)).not.toContain("canary");
    expect(failure).toMatchObject({ code: "INTERNAL", status: 1 });
  });
});
