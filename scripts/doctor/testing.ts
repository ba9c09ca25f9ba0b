import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { type Address, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { DevelopmentDollar, RecordBoard } from "@/contracts";
import { startLocalChain } from "@/contracts/local-chain";
import { openDatabase } from "@/db/client";
import { startRedis } from "@/lib/cache/testing";
import type { Deployment } from "@/lib/proofs/deployment";
import { publicInputLayout } from "@/lib/proofs/registry";
import type { Environment } from "@/lib/settings/read";
import { startPostgres } from "@/lib/sql/testing";
import { testDeployment } from "@/lib/testing/deployment";
import { portOf } from "@/lib/testing/port";
import { frontCode } from "@/prover/barretenberg/deploy";
import { openStore } from "@/prover/store";
import type { Addresses } from "../contracts/deploy/addresses";
import { codeHashes } from "../contracts/deploy/check";

const circuit = "oidc_domain_attestation";
const chainId = 8453;
const word = `0x${"11".repeat(32)}` as const;
const placed = (last: string): Address => `0x${last.padStart(40, "0")}`;

/** Answers of the services of others; a test changes them. */
interface Others {
  /** Network that the facilitator settles on. */
  network: string;
  /** Seconds by which the issuer's clock is ahead. */
  aheadSeconds: number;
}

/** A production installation in which nothing is wrong, on a local chain, PostgreSQL and Redis. */
export async function startInstallation() {
  const [home, chain, postgres, redis] = await Promise.all([
    mkdtemp(path.join(os.tmpdir(), "parley-doctor-")),
    startLocalChain(chainId),
    startPostgres(),
    startRedis(),
  ]);
  if (!postgres || !redis) throw new Error("the test needs PostgreSQL and Redis");
  const [appUrl, proverUrl] = await Promise.all([
    postgres.createDatabase("app"),
    postgres.createDatabase("prover"),
  ]);
  await (await openDatabase({ url: appUrl })).close();
  await (await openStore({ url: proverUrl })).close();

  const keys = {
    settlement: generatePrivateKey(),
    facilitator: generatePrivateKey(),
    record: generatePrivateKey(),
  };
  for (const key of Object.values(keys)) {
    await chain.control.setBalance({ address: privateKeyToAddress(key), value: parseEther("1") });
  }
  const token = await chain.deploy(DevelopmentDollar);
  const board = await chain.deploy(RecordBoard);
  // Any code will do as the generated verifier: only its hash is compared.
  const verifier = await chain.place(RecordBoard.bytecode, placed("e1"));
  const front = await chain.place(frontCode(verifier, publicInputLayout(circuit)), placed("e2"));
  const libraries = {};
  const addresses: Addresses = {
    [chainId]: {
      [circuit]: {
        ...{ front, verifier, libraries, vkHash: word, srsDigest: word, srsKind: "ignition", deployedAt: 1 },
        codeHashes: await codeHashes(chain.client, { front, verifier, libraries }),
      },
    },
  };

  const others: Others = { network: `eip155:${chainId}`, aheadSeconds: 0 };
  const server = http.createServer((request, response) => {
    const date = new Date(Date.now() + others.aheadSeconds * 1000).toUTCString();
    const bodies: Record<string, unknown> = {
      "/jwks": { keys: [{ kty: "RSA" }] },
      "/supported": { kinds: [{ x402Version: 2, scheme: "exact", network: others.network }] },
      "/health": { status: "ok" },
    };
    const body = bodies[request.url ?? ""];
    response.writeHead(body ? 200 : 404, { date }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const other = `http://127.0.0.1:${portOf(server)}`;

  const base = testDeployment();
  const offer = {
    ...(base.offers[0] ?? unreachable()),
    ...{ asset: token, payTo: placed("aa"), settlement: "payee" as const },
  };
  const deployment: Deployment = {
    ...base,
    mode: "production",
    srs: { kind: "ignition", digest: word },
    chains: [{ ...chain.description, nativeTokenUsd: 4_000 }],
    verifiers: { [circuit]: { chainId, address: front, vkHash: word } },
    issuers: base.issuers.map((issuer) => ({ ...issuer, jwksUri: `${other}/jwks`, development: false })),
    offers: [offer, { ...offer, settlement: "facilitator" }],
    recordBoard: { chainId, address: board },
    services: {
      appUrl: "https://parley.example",
      proverUrl: "https://prover.example",
      facilitatorUrl: other,
    },
  };
  const environment: Environment = {
    PARLEY_MODE: "production",
    PARLEY_HOME: home,
    PARLEY_CACHE: path.join(home, "cache"),
    HOME: home,
    DATABASE_URL: appUrl,
    PROVER_DATABASE_URL: proverUrl,
    CACHE_URL: redis.url,
    SESSION_SECRET: "s".repeat(32),
    USER_ID_SECRET: "u".repeat(32),
    PROVER_SECRET: "p".repeat(32),
    RECORD_KEY: keys.record,
    PROVER_SETTLEMENT_KEY: keys.settlement,
    FACILITATOR_KEY: keys.facilitator,
    TRUST_PROXY: "1",
    PROVER_TRUSTED_PROXIES: "1",
  };
  return {
    ...{ home, chain, postgres, redis, token, front, verifier, board, keys, others, other },
    ...{ deployment, environment, addresses },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([chain.stop(), postgres.close(), redis.close()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

function unreachable(): never {
  throw new Error("the test deployment has no offer");
}
