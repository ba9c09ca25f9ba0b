import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { createTestClient, type Hex, http, numberToHex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { VerifierFront } from "@/contracts";
import { startLocalChain } from "@/contracts/local-chain";
import { publicInputLayout } from "@/lib/proofs/registry";
import {
  artifactFile,
  ensureKeys,
  ensureSrs,
  loadArtifact,
  requiredPoints,
  SrsError,
} from "@/prover/barretenberg";
import { developmentKey } from "../stack/accounts";
import { readAddresses } from "./deploy/addresses";
import { codeProblems, honestProof, proofProblems } from "./deploy/check";
import { DeployError, type DeployOptions, isLocalChain, readOptions } from "./deploy/options";
import { deployCircuit } from "./deploy/run";

const CIRCUIT = "oidc_domain_attestation";
const CHAIN = 8453;
const args = ["--circuit", CIRCUIT, "--chain", String(CHAIN), "--rpc", "http://127.0.0.1:1"];

describe("options", () => {
  const own = generatePrivateKey();

  it("are a circuit, its chain, an RPC address, and a key from the environment", () => {
    expect(readOptions(args, { DEPLOYER_KEY: own })).toEqual({
      ...{
        circuit: CIRCUIT,
        chainId: CHAIN,
        rpcUrl: "http://127.0.0.1:1",
        dryRun: false,
        development: false,
      },
      ...{ addresses: "contracts/addresses.json", key: own },
    });
    expect(readOptions([...args, "--dry-run"], {})).toMatchObject({ dryRun: true, key: undefined });
  });

  it.each([
    [["--circuit", "x"], "--circuit must be one of"],
    [["--chain", "base"], "--chain must be a chain id"],
    [["--chain", "1"], "verified on chain 8453, not 1"],
    [["--rpc", "ws://127.0.0.1"], "--rpc must be"],
    [["--development"], "needs --addresses"],
  ])("refuse %j", (changed, message) => {
    expect(() => readOptions([...args, ...changed], {})).toThrow(message);
  });

  it.each([[["--key", own]], [[own]], [[`--key=${own}`]]])(
    "take no key from the command line, and never repeat one",
    (typed) => {
      expect(() => readOptions([...args, ...typed], {})).toThrow(DeployError);
      expect(() => readOptions([...args, ...typed], {})).not.toThrow(own);
    },
  );

  it("refuse an invalid or public key, without repeating it", () => {
    expect(() => readOptions(args, { DEPLOYER_KEY: `${own}00` })).toThrow(
      /^DEPLOYER_KEY must be a private key/,
    );
    expect(() => readOptions(args, { DEPLOYER_KEY: developmentKey("deployer") })).toThrow(
      /^DEPLOYER_KEY is a public development key/,
    );
    const local = [...args, "--development", "--addresses", "x.json"];
    expect(readOptions(local, { DEPLOYER_KEY: developmentKey("deployer") }).key).toBeDefined();
  });

  it.each([
    ["http://127.0.0.1:8545", "anvil/v1.7.1", true],
    ["http://localhost:8545", "anvil/v1.7.1", true],
    // A real node may answer on this machine, and an anvil elsewhere may serve a fork to others.
    ["http://127.0.0.1:8545", "Geth/v1.16.0", false],
    ["https://rpc.example", "anvil/v1.7.1", false],
    ["http://127.0.0.1.example", "anvil/v1.7.1", false],
  ])("development on %s (%s): %s", (url, version, local) => {
    expect(isLocalChain(url, version)).toBe(local);
  });
});

describe("against a chain", () => {
  let chain: Awaited<ReturnType<typeof startLocalChain>>;
  let dir: string;
  let options: DeployOptions;
  const key = generatePrivateKey();
  const said: string[] = [];
  let made: ReturnType<typeof honestProof> | undefined;
  /** A real proof, the same for all cases: they are about the contracts. */
  const prove: typeof honestProof = (proving) => {
    made ??= honestProof(proving);
    return made;
  };
  const run = (changes: Partial<DeployOptions> = {}) => {
    said.length = 0;
    return deployCircuit({ ...options, ...changes }, { say: (line) => said.push(line), download: [], prove });
  };
  const transactions = () => chain.client.getTransactionCount({ address: privateKeyToAddress(key) });

  beforeAll(async () => {
    chain = await startLocalChain(CHAIN);
    dir = await mkdtemp(path.join(os.tmpdir(), "parley-deploy-"));
    const hash = await chain.wallet(0).sendTransaction({ to: privateKeyToAddress(key), value: 10n ** 18n });
    await chain.client.waitForTransactionReceipt({ hash });
    options = {
      ...{
        circuit: CIRCUIT,
        chainId: CHAIN,
        rpcUrl: chain.anvil.rpcUrl,
        dryRun: false,
        development: true,
        key,
      },
      addresses: path.join(dir, "addresses.json"),
    };
  }, 120_000);
  afterAll(async () => {
    await chain?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("refuses a wrong chain, and development on a chain other than anvil", async () => {
    await expect(run({ chainId: 1 })).rejects.toThrow("leads to chain 8453, not 1");
    const node = createServer(async (request, response) => {
      const { id, method } = z.object({ id: z.number(), method: z.string() }).parse(await json(request));
      const result = method === "eth_chainId" ? numberToHex(CHAIN) : "Geth/v1.16.0";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const { port } = z.object({ port: z.number() }).parse(node.address());
    await expect(run({ rpcUrl: `http://127.0.0.1:${port}` })).rejects.toThrow("anvil on this machine");
    node.closeAllConnections();
    node.close();
  });

  it("refuses production without the ceremony's points", async () => {
    // Neither this machine's points nor its cache.
    for (const name of ["HOME", "PARLEY_CACHE"]) vi.stubEnv(name, dir);
    vi.stubEnv("CRS_PATH", undefined);
    await expect(run({ development: false })).rejects.toThrow(SrsError);
    vi.unstubAllEnvs();
    expect(await transactions()).toBe(0);
  }, 60_000);

  it("says what it would do, and requires funds and a key before it sends anything", async () => {
    expect(await run({ dryRun: true })).toEqual({ done: "dry run", entry: null });
    expect(said.join("\n")).toMatch(/verification key 0x[0-9a-f]{64}, development setup data/);
    expect(said.join("\n")).toMatch(/\d+ gas at .* gwei: about 0\.\d+/);
    await expect(run({ key: undefined })).rejects.toThrow("DEPLOYER_KEY is not set");
    await expect(run({ key: generatePrivateKey() })).rejects.toThrow(/needs 0\.\d+.*nothing was sent/);
    expect(await transactions()).toBe(0);
    expect(await readAddresses(options.addresses)).toEqual({});
  }, 120_000);

  it("deploys, checks with a real proof, and writes the address file, only once", async () => {
    const result = await run();
    expect(result.done).toBe("deployed");
    expect(said.at(-1)).toContain("a real proof is accepted");
    const sent = await transactions();
    const written = (await readAddresses(options.addresses))[CHAIN]?.[CIRCUIT];
    expect(written).toEqual(result.entry);
    expect(written).toMatchObject({
      srsKind: "development",
      deployedAt: Number(await chain.client.getBlockNumber()),
    });
    const front = { address: written?.front ?? zeroAddress, abi: VerifierFront.abi };
    expect(await chain.client.readContract({ ...front, functionName: "verifier" })).toBe(written?.verifier);
    expect(await chain.client.readContract({ ...front, functionName: "numPublicInputs" })).toBe(311n);

    expect(await run({ key: undefined })).toEqual({ done: "already deployed", entry: result.entry });
    expect(await transactions()).toBe(sent);
  }, 180_000);

  it("finds every contract that differs from the sources", async () => {
    const entry = (await readAddresses(options.addresses))[CHAIN]?.[CIRCUIT];
    if (!entry) throw new Error("nothing was deployed");
    const artifact = await loadArtifact(artifactFile(CIRCUIT, "development"));
    const srs = await ensureSrs({ points: await requiredPoints([artifact]), require: "development" });
    const checked = {
      keys: await ensureKeys({ artifact, srs }),
      layout: publicInputLayout(CIRCUIT),
      tries: 1,
    };
    const problems = () => codeProblems(chain.client, entry, checked);
    expect(await problems()).toEqual([]);

    const control = createTestClient({ mode: "anvil", transport: http(chain.anvil.rpcUrl) });
    const [library = zeroAddress] = Object.values(entry.libraries);
    for (const address of [entry.front, entry.verifier, library]) {
      const code = (await chain.client.getCode({ address })) ?? "0x";
      const others: Hex[] = [`${code}00`, "0x"];
      for (const bytecode of others) {
        await control.setCode({ address, bytecode });
        expect(await problems()).toHaveLength(1);
      }
      await control.setCode({ address, bytecode: code });
    }
    // Swapped addresses are wrong too.
    expect(await codeProblems(chain.client, { ...entry, front: entry.verifier }, checked)).toHaveLength(1);

    // On a local chain that was reset, missing contracts are deployed again.
    await control.setCode({ address: entry.front, bytecode: "0x" });
    const again = await run();
    expect(again.done).toBe("deployed");
    expect(again.entry?.front).not.toBe(entry.front);
  }, 180_000);

  it("finds a front that accepts every proof, and one that accepts none", async () => {
    const artifact = await loadArtifact(artifactFile(CIRCUIT, "development"));
    const srs = await ensureSrs({ points: await requiredPoints([artifact]), require: "development" });
    const keys = await ensureKeys({ artifact, srs });
    const control = createTestClient({ mode: "anvil", transport: http(chain.anvil.rpcUrl) });
    const proof = await prove({ circuit: CIRCUIT, mode: "development", artifact, keys, srs });
    const front = privateKeyToAddress(generatePrivateKey());
    const { rpcUrl } = options;
    const problems = async (answer: 0 | 1) => {
      // PUSH1 answer, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN
      await control.setCode({ address: front, bytecode: `0x600${answer}60005260206000f3` });
      return proofProblems({ circuit: CIRCUIT, chainId: CHAIN, rpcUrl, front, vkHash: keys.vkHash }, proof);
    };
    expect(await problems(1)).toEqual([
      "front: a changed proof is accepted",
      "front: other public inputs are accepted",
    ]);
    expect(await problems(0)).toEqual(["front: an honest proof is refused"]);
  }, 180_000);

  it("does not overwrite a file that is not an address file", async () => {
    const addresses = path.join(dir, "other.json");
    await writeFile(addresses, '{"8453": {"oidc_domain_attestation": {"front": "0x12"}}}');
    await expect(run({ addresses })).rejects.toThrow("not an address file");
    expect(await readFile(addresses, "utf8")).toContain('"0x12"');
  }, 60_000);
});

it("the committed address file is valid", async () => {
  const addresses = await readAddresses(path.join(import.meta.dirname, "../../contracts/addresses.json"));
  for (const entry of Object.values(addresses).flatMap((each) => Object.values(each))) {
    expect(entry.srsKind).toBe("ignition");
  }
});
