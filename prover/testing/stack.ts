import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { type CircuitId, type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { circuits, publicInputLayout } from "@/lib/proofs/registry";
import { emptyTemplate } from "@/lib/testing/empty";
import { dollarOffer, PROOF_PRICE, USDC } from "@/scripts/stack/contracts";
import { type Backend, loadBackend } from "../backend";
import { deployVerifier } from "../barretenberg/deploy";
import { artifactFile, ensureKeys, ensureSrs, loadArtifact, requiredPoints } from "../barretenberg/index";
import { defaultSurface, type ProverConfig } from "../config";
import { startFacilitator } from "../facilitator/app";
import { createLogger } from "../log";
import { type Prover, type ProverParts, startProver } from "../server";
import { openStore } from "../store/index";
import type { PaymentRow } from "../store/payments";
import { startTestChain, type TestChain } from "./chain";
import { type FacilitatorProxy, startFacilitatorProxy } from "./facilitator-proxy";
import { startTestIdp, type TestIdp } from "./idp";
import { type Changes, createPayer, type Payer, type SignedPayment } from "./payer";
import { ProverClient } from "./prover-client";

export const price = BigInt(PROOF_PRICE);
export const scope = "parley.test";

/** Real chains, settlement, keys and proofs, shared by all cases of a run. */
export interface Stack {
  /** Offers facilitator settlement (chain 8453) and holds the verifier. */
  main: TestChain;
  /** Offers payee settlement (chain 1). */
  second: TestChain;
  /** These two, and those where other circuits are verified. */
  chains: readonly TestChain[];
  payTo: Address;
  idp: TestIdp;
  /** An identity provider for provider_b. */
  otherIdp: TestIdp;
  proxy: FacilitatorProxy;
  deployment: Deployment;
  /** The real backend; its close() is the stack's. */
  backend: Backend;
  /**
   * The real backend, which solves a witness of the same inputs once, makes a proof of it once, and then repeats both;
   * counts the proofs that were asked for.
   */
  replaying(): ReplayingBackend;
  /** Honest inputs, the same every time. */
  inputs: Record<string, unknown>;
  settlementKey: Hex;
  /** Everything any prover of this run logged. */
  logs: string[];
  /** The contents of an empty prover database. */
  template: Blob;
  /** The prover most cases use. */
  prover: RunningProver;
  /** A prover of its own on the same chains, its own database, closed with the stack. */
  start(
    changes?: Partial<ProverConfig>,
    backend?: Partial<Backend>,
    further?: Pick<ProverParts, "checkPauseMs" | "tracing">,
  ): Promise<RunningProver>;
  /** A payer with some dollars on both chains. */
  payer(amount?: bigint): Promise<Payer>;
  /** Signs for a prover's offer with a new payer. */
  pay(client: ProverClient, choice?: Choice): Promise<Paying>;
  /** The one of the two chains that is this network. */
  chainOf(network: string): TestChain;
  close(): Promise<void>;
}

export interface RunningProver {
  server: Prover;
  client: ProverClient;
  /** Its payments. */
  rows(): Promise<PaymentRow[]>;
}

export interface ReplayingBackend extends Backend {
  asked: number;
  /** Makes no proof: each that is asked for fails. */
  broken: boolean;
  /** Makes no proof until the returned function is called. */
  hold(): () => void;
}

/** What is paid, and how. */
interface Choice {
  /** Default `eip155:8453`. */
  network?: string;
  /** Of the payer, on both chains; default the price. */
  money?: bigint;
  changes?: Changes;
}

/** A payer with a signed payment. */
export interface Paying extends Payer, SignedPayment {
  /** What is left of the payer's money on the network it pays on. */
  left(): Promise<bigint>;
}

/** Does work on a database in a folder of its own, which is removed afterwards. */
export async function onDisk(work: (databaseUrl: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-prover-"));
  try {
    await work(`pglite:${path.join(folder, "db")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param offered circuits with a verifier, each on its own chain; the attested ones need `attestations`
 * @param attestations where attestations are looked up, once the chains stand
 */
export async function startStack(
  offered: readonly CircuitId[] = ["oidc_domain_attestation"],
  attestations?: (chains: readonly TestChain[]) => Promise<Deployment["attestations"]>,
): Promise<Stack> {
  const [main, second, idp, otherIdp, ...others] = await Promise.all([
    startTestChain(8453, USDC[8453]),
    startTestChain(1, USDC[1]),
    startTestIdp(),
    startTestIdp("provider_b"),
    ...[...new Set(offered.map((id) => circuits[id].verificationChainId))]
      .filter((id) => id !== 8453)
      .map((id) => startTestChain(id)),
  ]);
  const chains = [main, second, ...others];
  const payTo = privateKeyToAddress(generatePrivateKey());
  const settlementKey = generatePrivateKey();
  const facilitatorKey = generatePrivateKey();
  const value = 10n ** 18n;
  await second.control.setBalance({ address: privateKeyToAddress(settlementKey), value });
  await main.control.setBalance({ address: privateKeyToAddress(facilitatorKey), value });

  const deployment = await describeDeployment({
    main,
    second,
    chains,
    offered,
    payTo,
    issuers: [idp, otherIdp],
  });
  deployment.attestations = await attestations?.(chains);
  const facilitator = await startFacilitator({
    port: 0,
    host: "127.0.0.1",
    key: facilitatorKey,
    confirmationMs: 10_000,
    gasShare: 0.5,
    logLevel: "silent",
    deployment,
  });
  const proxy = await startFacilitatorProxy(facilitator.url);
  deployment.services.facilitatorUrl = proxy.url;

  const backend = await loadBackend(deployment);
  const [template] = await Promise.all([migratedDatabase(), backend.warm()]);
  const logs: string[] = [];
  const logger = createLogger("trace", { write: (line) => void logs.push(line) });
  const provers: Prover[] = [];

  const start: Stack["start"] = async (changes = {}, parts = {}, further = {}) => {
    const config: ProverConfig = {
      port: 0,
      host: "127.0.0.1",
      deployment,
      databaseUrl: "pglite:memory",
      settlementKey,
      secret: Buffer.alloc(32, 7),
      queueLimit: 20,
      settlementLimit: 200,
      syncLimitMs: 50_000,
      facilitatorTimeoutMs: 5_000,
      reconcileMs: 3_000,
      facilitatorKey: undefined,
      gasShare: 0.5,
      deliverySeconds: 600,
      stopGraceMs: 1_000,
      corsOrigins: ["*"],
      logLevel: "trace",
      scopes: [scope],
      ...defaultSurface("development"),
      ...changes,
    };
    // A new embedded database begins as a copy of a migrated one: seconds less for each prover.
    const url = config.databaseUrl;
    const embedded = url.startsWith("pglite:") && !existsSync(url.slice("pglite:".length));
    const store = embedded ? await openStore({ url, template, secret: config.secret }) : undefined;
    const shared: Backend = { ...backend, close: async () => undefined, ...parts };
    const server = await startProver(config, { backend: shared, logger, store, ...further });
    provers.push(server);
    return {
      server,
      client: new ProverClient(server.url),
      rows: async () => await server.store.payments.db.selectFrom("payment").selectAll().execute(),
    };
  };
  const payer: Stack["payer"] = async (amount = price) => {
    const made = createPayer();
    if (amount > 0n) await Promise.all([main, second].map((chain) => chain.mint(made.address, amount)));
    return made;
  };
  const chainOf = (network: string) => (network === "eip155:1" ? second : main);
  const prover = await start();
  const made = new Map<string, ReturnType<Backend["prove"]>>();
  const solved = new Map<string, ReturnType<Backend["execute"]>>();

  return {
    main,
    second,
    chains,
    payTo,
    idp,
    otherIdp,
    proxy,
    deployment,
    backend,
    replaying() {
      let gate: Promise<void> | undefined;
      const replayed: ReplayingBackend = {
        ...backend,
        asked: 0,
        broken: false,
        hold() {
          let open: () => void = () => undefined;
          gate = new Promise((resolve) => {
            open = resolve;
          });
          return open;
        },
        async execute(id, inputs, unpaid) {
          const key = JSON.stringify([id, inputs]);
          const witness = solved.get(key) ?? backend.execute(id, inputs, unpaid);
          solved.set(key, witness);
          // One that was refused is asked for anew: there may have been no room for it.
          witness.catch(() => solved.delete(key));
          // Whoever is given one overwrites it in the end.
          return Uint8Array.from(await witness);
        },
        async prove(id, witness) {
          if (replayed.broken) throw new Error("bb refused the job");
          replayed.asked += 1;
          const kept = Uint8Array.from(witness);
          await gate;
          const key = createHash("sha256").update(kept).digest("hex");
          const proof = made.get(key) ?? backend.prove(id, kept);
          made.set(key, proof);
          return await proof;
        },
        close: async () => undefined,
      };
      return replayed;
    },
    inputs: { jwt: await idp.token("dora@example.com"), jwks: idp.jwks, scope },
    settlementKey,
    logs,
    template,
    prover,
    start,
    payer,
    async pay(client, { network = "eip155:8453", money, changes } = {}) {
      const wallet = await payer(money);
      const signed = await wallet.sign(await client.offer(network), changes);
      return { ...wallet, ...signed, left: () => chainOf(network).balance(wallet.address) };
    },
    chainOf,
    async close() {
      await Promise.all(provers.map((each) => each.close()));
      await Promise.all([backend.close(), facilitator.close(), proxy.close(), idp.close(), otherIdp.close()]);
      await Promise.all(chains.map(({ anvil }) => anvil.stop()));
    },
  };
}

interface Parts {
  main: TestChain;
  second: TestChain;
  chains: readonly TestChain[];
  offered: readonly CircuitId[];
  payTo: Address;
  issuers: TestIdp[];
}

/** Deploys a verifier for every circuit on its chain. */
async function deployVerifiers({ chains, offered }: Pick<Parts, "chains" | "offered">) {
  const artifacts = await Promise.all(offered.map((id) => loadArtifact(artifactFile(id, "development"))));
  const srs = await ensureSrs({ points: await requiredPoints(artifacts), require: "development" });
  const verifiers: Deployment["verifiers"] = {};
  for (const [index, id] of offered.entries()) {
    const artifact = artifacts[index];
    const chain = chains.find((each) => each.id === circuits[id].verificationChainId);
    if (!artifact || !chain) throw new Error(`no chain for ${id}`);
    const keys = await ensureKeys({ artifact, srs });
    const { front } = await deployVerifier(chain.wallet(0), chain.reader, keys, publicInputLayout(id));
    verifiers[id] = { chainId: chain.id, address: front, vkHash: keys.vkHash };
  }
  return { srs, verifiers };
}

/** Deploys the verifiers and describes the installation. */
async function describeDeployment({
  main,
  second,
  chains,
  offered,
  payTo,
  issuers,
}: Parts): Promise<Deployment> {
  const { srs, verifiers } = await deployVerifiers({ chains, offered });
  return deploymentSchema.parse({
    mode: "development",
    scope,
    srs: { kind: "development", digest: `0x${srs.digest}` },
    chains: chains.map(({ description }) => description),
    verifiers,
    issuers: issuers.map((idp) => idp.description),
    offers: [
      dollarOffer(main.id, main.token, payTo, "facilitator"),
      dollarOffer(second.id, second.token, payTo, "payee"),
    ],
    recordBoard: null,
    services: {
      appUrl: "http://127.0.0.1:3000",
      proverUrl: "http://127.0.0.1:3001",
      facilitatorUrl: null,
    },
  } satisfies Deployment);
}

/** The contents of an empty prover database. */
async function migratedDatabase(): Promise<Blob> {
  const store = await openStore({ url: "pglite:memory", template: await emptyTemplate() });
  const dump = await store.dump();
  await store.close();
  return dump;
}
