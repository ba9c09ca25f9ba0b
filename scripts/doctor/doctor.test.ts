import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createClient } from "@redis/client";
import { sql } from "kysely";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { account } from "@/contracts/local-chain";
import { openDatabase } from "@/db/client";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Environment } from "@/lib/settings/read";
import { freePort } from "@/lib/sql/testing";
import { startStubBucket } from "@/lib/storage/testing/stub-bucket";
import { ensureSrs } from "@/prover/barretenberg";
import type { Addresses } from "../contracts/deploy/addresses";
import { examine } from "./examine";
import { type Finding, programs } from "./finding";
import { hasDigest } from "./setup-data";
import { type Installation, startInstallation } from "./testing";

let world: Installation;
let healthy: readonly Finding[];
/** An address where nothing listens. Port 1 would not do: fetch refuses it by itself. */
let closed: string;

beforeAll(async () => {
  world = await startInstallation();
  closed = `http://127.0.0.1:${await freePort()}`;
  healthy = await diagnose({});
});
afterAll(() => world?.close());

interface Seed {
  environment?: Environment;
  deployment?: Partial<Deployment> | string;
  addresses?: Addresses;
}

/** Examines the installation with something changed. */
function diagnose({ environment, deployment = {}, addresses = world.addresses }: Seed) {
  const text =
    typeof deployment === "string" ? deployment : JSON.stringify({ ...world.deployment, ...deployment });
  const changed = { ...world.environment, PARLEY_DEPLOYMENT: text, ...environment };
  return examine(changed, new Set(programs), addresses);
}

const text = ({ about, problem }: Finding) => `${about}: ${problem}`;

/** Expects one new finding that says this, and no new fault besides it. */
async function expectFinding(seed: Seed, kind: Finding["kind"], said: RegExp, besides = /^$/) {
  const known = healthy.map(text);
  const found = (await diagnose(seed)).filter((finding) => !known.includes(text(finding)));
  const named = found.filter((finding) => said.test(text(finding)));
  expect(
    named.map((each) => each.kind),
    found.map(text).join("\n"),
  ).toEqual([kind]);
  expect(named[0]?.mend).toMatch(/\w{3}/);
  const others = found.filter((finding) => finding.kind === "fault" && !named.includes(finding));
  expect(others.map(text).filter((each) => !besides.test(each))).toEqual([]);
}

const first = () => world.deployment.chains[0] ?? expect.fail();
const issuer = () => world.deployment.issuers[0] ?? expect.fail();
const offers = (change: Partial<Deployment["offers"][number]>) => ({
  offers: world.deployment.offers.map((offer) => ({ ...offer, ...change })),
});
const services = (change: Partial<Deployment["services"]>) => ({
  services: { ...world.deployment.services, ...change },
});
/** The address book with something else about the only verifier. */
function book(change: object): Addresses {
  const entry = world.addresses[8453]?.oidc_domain_attestation ?? expect.fail();
  return { 8453: { oidc_domain_attestation: { ...entry, ...change } } };
}
const other = `0x${"12".repeat(32)}` as const;

it("finds no fault in an installation without one", () => {
  expect(healthy.filter(({ kind }) => kind === "fault").map(text)).toEqual([]);
  // These need what a test machine lacks: a prover behind TLS, and the ceremony's points.
  const expected = [
    /^prover: https:\/\/prover\.example does not answer/,
    /^setup data: there are no points/,
    /^prover: core dumps/,
  ];
  expect(healthy.map(text).filter((each) => !expected.some((pattern) => pattern.test(each)))).toEqual([]);
});

it("writes no secret", async () => {
  const secrets = [...Object.values(world.keys), "s".repeat(32), "u".repeat(32), "hunter2"];
  const findings = await diagnose({
    environment: {
      DATABASE_URL: "postgres://parley:hunter2@127.0.0.1:1/parley",
      CACHE_URL: "redis://:hunter2@127.0.0.1:1",
    },
    deployment: { chains: [{ ...first(), rpcUrl: "http://127.0.0.1:1/hunter2" }] },
  });
  const written = JSON.stringify(findings);
  expect(findings.length).toBeGreaterThan(3);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

describe("finds, and names with its mend,", () => {
  const settings: readonly [string, Environment, RegExp][] = [
    ["a misspelled variable", { PROVER_PROT: "3001" }, /PROVER_PROT is not a setting/],
    ["a number in words", { PROVER_QUEUE_LIMIT: "many" }, /PROVER_QUEUE_LIMIT must be a whole number/],
    ["a short secret", { SESSION_SECRET: "short" }, /SESSION_SECRET must be at least 32 bytes/],
    ["a secret given twice", { SESSION_SECRET_FILE: "/run/secrets/s" }, /both set/],
    [
      "a secret's file that is missing",
      { RECORD_KEY: "", RECORD_KEY_FILE: "/nowhere" },
      /RECORD_KEY_FILE must name a file/,
    ],
    ["equal secrets", { USER_ID_SECRET: "s".repeat(32) }, /must differ/],
    ["the development sign-in", { DEV_LOGIN: "1" }, /DEV_LOGIN lets anyone/],
    ["a missing database", { DATABASE_URL: "" }, /DATABASE_URL must name the database/],
    ["half of a facilitator's API key", { CDP_API_KEY_ID: "id" }, /come together/],
    ["half of the push keys", { VAPID_SUBJECT: "mailto:a@b.example" }, /set VAPID_PUBLIC_KEY/],
    ["a missing settlement key", { PROVER_SETTLEMENT_KEY: "" }, /PROVER_SETTLEMENT_KEY is not set/],
    [
      "a key that everyone knows",
      { RECORD_KEY: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" },
      /RECORD_KEY is a development key/,
    ],
    [
      "a bucket without a public https address",
      { STORAGE_URL: "s3+http://a:b@127.0.0.1:1/c" },
      /STORAGE_URL must name an https address/,
    ],
  ];
  it.each(settings)("%s", async (_, environment, said) => {
    await expectFinding({ environment }, "fault", said);
  });

  it("a description that is not JSON, or is a placeholder, or for another mode", async () => {
    await expectFinding({ deployment: "{" }, "fault", /is not JSON/);
    await expectFinding({ deployment: { scope: "REPLACE: your own" } }, "fault", /scope: is a placeholder/);
    await expectFinding(
      { deployment: { mode: "development" } },
      "fault",
      /for development$/,
      /mode "development"/,
    );
  });

  it("a development issuer, and one whose keys cannot be read", async () => {
    const development = { issuers: [{ ...issuer(), development: true }] };
    await expectFinding({ deployment: development }, "fault", /anyone can get any email/, /vouches for any/);
    const gone = { issuers: [{ ...issuer(), jwksUri: `${closed}/jwks` }] };
    await expectFinding({ deployment: gone }, "fault", /keys cannot be read \(ECONNREFUSED\)/);
    const page = { issuers: [{ ...issuer(), jwksUri: `${world.other}/health` }] };
    await expectFinding({ deployment: page }, "fault", /leads to no key set/);
  });

  it("services without TLS, and payments to an account whose key is in memory", async () => {
    await expectFinding(
      { deployment: services({ appUrl: "http://parley.example" }) },
      "fault",
      /appUrl must be https/,
      /appUrl is not an https/,
    );
    const payTo = privateKeyToAddress(world.keys.settlement);
    await expectFinding(
      { deployment: offers({ payTo }) },
      "fault",
      /the offer on eip155:8453 with payee .* pays for gas/,
      /with facilitator settlement/,
    );
  });

  it("a node that is away, and one of another chain", async () => {
    const away = { chains: [{ ...first(), verificationRpcUrl: closed }] };
    await expectFinding(
      { deployment: away },
      "fault",
      /node of verificationRpcUrl does not answer \(ECONNREFUSED\)/,
    );
    const wrong = { chains: [first(), { ...first(), id: 84532 }] };
    await expectFinding({ deployment: wrong }, "fault", /chain 84532: rpcUrl leads to chain 8453/);
  });

  it("a verifier that is missing, changed, of another circuit, or of another key", async () => {
    const { oidc_domain_attestation: own } = world.deployment.verifiers;
    const verifier = own ?? expect.fail();
    const at = (change: object) => ({ verifiers: { oidc_domain_attestation: { ...verifier, ...change } } });
    await expectFinding(
      { deployment: at({ address: `0x${"77".repeat(20)}` }) },
      "fault",
      /there is no code at 0x7777/,
    );
    await expectFinding({ deployment: at({ address: world.token }) }, "fault", /is no VerifierFront/);
    const elsewhere = { verifiers: { partner_country_attestation: verifier } };
    await expectFinding({ deployment: elsewhere }, "fault", /another circuit's front/);
    await expectFinding(
      { deployment: at({ vkHash: other }) },
      "fault",
      /vkHash of the description is another/,
    );
    await expectFinding(
      { addresses: book({ codeHashes: { front: other, verifier: other } }) },
      "fault",
      /\(front\) is another/,
      /\(verifier\) is another/,
    );
    await expectFinding({ addresses: {} }, "fault", /not the front that contracts\/addresses\.json names/);
    await expectFinding(
      { addresses: book({ srsKind: "development" }) },
      "fault",
      /deployed with development setup data/,
    );
    const { control, client } = world.chain;
    const code = (await client.getCode({ address: world.verifier })) ?? expect.fail();
    await control.setCode({ address: world.verifier, bytecode: `${code}00` });
    await expectFinding({}, "fault", /\(verifier\) is another than the deployed one/);
    await control.setCode({ address: world.verifier, bytecode: code });
  });

  it("a token with another domain, and an asset that is none", async () => {
    const both = /with facilitator settlement/;
    await expectFinding(
      { deployment: offers({ eip712: { name: "USDC", version: "2" } }) },
      "fault",
      /payee settlement has another EIP-712 name/,
      both,
    );
    await expectFinding(
      { deployment: offers({ asset: world.board }) },
      "fault",
      /payee settlement is no token/,
      both,
    );
  });

  it("keys without gas, and a record board that is none", async () => {
    const { control } = world.chain;
    for (const [name, key] of [
      ["PROVER_SETTLEMENT_KEY", world.keys.settlement],
      ["FACILITATOR_KEY", world.keys.facilitator],
      ["RECORD_KEY", world.keys.record],
    ] as const) {
      const address = privateKeyToAddress(key);
      const value = await world.chain.client.getBalance({ address });
      await control.setBalance({ address, value: 0n });
      await expectFinding({}, "fault", new RegExp(`^${name} on chain 8453: 0x.* has no gas`));
      await control.setBalance({ address, value });
    }
    const { token: address } = world;
    await expectFinding(
      { deployment: { recordBoard: { chainId: 8453, address } } },
      "fault",
      /is no RecordBoard/,
    );
    await expectFinding({ environment: { RECORD_KEY: "" } }, "warning", /posts cannot be recorded/);
  });

  it("a remote signer that does not sign for the account", async () => {
    const signer = (address: string) => ({
      ...{ RECORD_KEY: "", RECORD_SIGNER_URL: world.chain.anvil.rpcUrl, RECORD_SIGNER_ADDRESS: address },
    });
    expect((await diagnose({ environment: signer(account(7).address) })).map(text)).toEqual(
      healthy.map(text),
    );
    await expectFinding(
      { environment: signer(privateKeyToAddress(world.keys.record)) },
      "fault",
      /^RECORD_SIGNER: the remote signer did not sign/,
    );
  });

  it("a session secret that is its own predecessor", async () => {
    const { SESSION_SECRET } = world.environment;
    const environment = { SESSION_SECRET_PREVIOUS: SESSION_SECRET };
    await expectFinding({ environment }, "warning", /nothing is rotated/);
  });

  it("a database that is away, one that needs migrations, and one of a newer release", async () => {
    await expectFinding(
      { environment: { DATABASE_URL: "postgres://a@127.0.0.1:1/b" } },
      "fault",
      /DATABASE_URL: the database does not answer \(ECONNREFUSED\)/,
    );
    await expectFinding(
      { environment: { PROVER_DATABASE_URL: await world.postgres.createDatabase("empty") } },
      "warning",
      /PROVER_DATABASE_URL: migrations are not applied: 001_create_payments \(expand\), 002/,
    );
    const url = await world.postgres.createDatabase("newer");
    const { db, close } = await openDatabase({ url });
    const add = (name: string, kind: string) =>
      sql`insert into community_migration (name, timestamp, kind) values (${name}, 'now', ${kind})`.execute(
        db,
      );
    await add("998_newer", "expand");
    const environment = { DATABASE_URL: url };
    await expectFinding(
      { environment },
      "warning",
      /later release .* \(998_newer\); this one runs with that/,
    );
    await add("999_newest", "contract");
    await expectFinding({ environment }, "fault", /cannot run with: 999_newest \(contract\)/);
    await close();
  });

  it("a cache that is away, or forgets", async () => {
    await expectFinding(
      { environment: { CACHE_URL: "redis://127.0.0.1:1" } },
      "fault",
      /the cache does not answer \(ECONNREFUSED\)/,
    );
    await expectFinding(
      { environment: { CACHE_URL: "upstash+http://:token@127.0.0.1:1" } },
      "fault",
      /the cache does not answer/,
    );
    await expectFinding({ environment: { CACHE_URL: "" } }, "warning", /a table of the database/);
    const file = path.join(world.home, "cache-url");
    await writeFile(file, world.redis.url);
    const inFile = await diagnose({ environment: { CACHE_URL: "", CACHE_URL_FILE: file } });
    expect(inFile.map(text)).toEqual(healthy.map(text));
    const redis = await createClient({ url: world.redis.url }).connect();
    await redis.configSet("maxmemory-policy", "allkeys-lru");
    await expectFinding({}, "warning", /maxmemory-policy allkeys-lru/);
    await redis.configSet("maxmemory-policy", "noeviction");
    redis.destroy();
  });

  it("a bucket with another secret, and one that browsers cannot read", async () => {
    const named = { accessKeyId: "id", secretAccessKey: "right", region: "auto", name: "parley" };
    const bucket = await startStubBucket(named);
    const at = (secret: string) => ({
      STORAGE_URL: `${bucket.url.replace("http://", `s3+http://id:${secret}@`)}?public=https://127.0.0.1:1`,
    });
    await expectFinding(
      { environment: at("wrong") },
      "fault",
      /cannot be written \(the bucket answered PUT with 403\)/,
    );
    await expectFinding({ environment: at("right") }, "fault", /public address does not answer/);
    expect(bucket.objects.size).toBe(0);
    await bucket.close();
    await expectFinding({ environment: { PARLEY_HOME: "/nowhere" } }, "fault", /nowhere does not exist/);
  });

  it("setup data that is none, or of other circuits", async () => {
    const CRS_PATH = path.join(world.home, "crs");
    await mkdir(CRS_PATH, { recursive: true });
    await Promise.all(
      ["g1", "g2"].map((each) => writeFile(path.join(CRS_PATH, `bn254_${each}.dat`), "none")),
    );
    await expectFinding({ environment: { CRS_PATH } }, "fault", /holds no points of the ceremony/);
    const srs = await ensureSrs({ points: 4096, require: "development" });
    expect(await hasDigest(srs.path, 4096, `0x${srs.digest}`)).toBe(true);
    expect(await hasDigest(srs.path, 4096, other)).toBe(false);
  });

  it("a facilitator of other networks, and one that is away", async () => {
    world.others.network = "eip155:1";
    await expectFinding({}, "fault", /facilitator: it does not settle on eip155:8453/);
    world.others.network = "eip155:8453";
    const away = services({ facilitatorUrl: closed });
    await expectFinding({ deployment: away }, "warning", /facilitator: it does not answer \(ECONNREFUSED\)/);
    const attestations = { graphqlUrl: closed, explorerUrl: null };
    await expectFinding(
      { deployment: { attestations } },
      "fault",
      /attestations\.graphqlUrl does not answer/,
    );
  });

  it("a clock that is wrong, against issuers and against chains", async () => {
    world.others.aheadSeconds = 600;
    await expectFinding(
      {},
      "fault",
      /clock: this machine's clock differs by -\d+ s from that of Test provider/,
    );
    world.others.aheadSeconds = 0;
    const before = await world.chain.control.snapshot();
    await world.chain.control.setNextBlockTimestamp({
      timestamp: BigInt(Math.floor(Date.now() / 1000) + 900),
    });
    await world.chain.control.mine({ blocks: 1 });
    await expectFinding(
      {},
      "fault",
      /clock: this machine's clock is \d+ s behind the latest block of chain 8453/,
    );
    await world.chain.control.revert({ id: before });
  });

  it("proxies that nobody counts", async () => {
    await expectFinding({ environment: { TRUST_PROXY: "0" } }, "warning", /app: .*TRUST_PROXY is 0/);
    await expectFinding(
      { environment: { PROVER_TRUSTED_PROXIES: "" } },
      "warning",
      /PROVER_TRUSTED_PROXIES is 0/,
    );
  });
});
