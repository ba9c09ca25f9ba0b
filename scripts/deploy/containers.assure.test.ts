import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openDatabase } from "@/db/client";
import { startRedis, type TestRedis } from "@/lib/cache/testing";
import { verifyOnChain } from "@/lib/proofs/verify";
import { createSessionTokens } from "@/lib/session/tokens";
import { startPostgres, type TestPostgres } from "@/lib/sql/testing";
import { circuit, ProverClient } from "@/prover/testing/prover-client";
import { type Stack, startStack } from "@/prover/testing/stack";
import { type Crowd, makeCrowd } from "../live/people";
import { freePorts } from "../stack/ports";
import { hasPodman, type Podman, startPodman } from "./testing/podman";
import { installed, type RunningProxy, send, startCaddy } from "./testing/proxy";

const caddy = installed("caddy");
const apps = ["app-1", "app-2"] as const;
const provers = ["prover-1", "prover-2"] as const;
const all = [...apps, ...provers];

/** A first start makes setup data and keys. */
const HEALTHY = { timeout: 900_000, interval: 1_000 };

const title =
  "the images of deploy/, built and started as compose.yaml says (skipped without root, podman, runc, catatonit, mmdebstrap and caddy)";
describe.skipIf(!hasPodman || !caddy)(title, () => {
  let folder: string;
  let postgres: TestPostgres | undefined;
  let redis: TestRedis | undefined;
  let stack: Stack;
  let podman: Podman;
  let proxy: RunningProxy;
  let crowd: Crowd;
  let migrated: readonly string[];
  let ports: Readonly<Record<(typeof all)[number], number>>;

  /** What differs from compose.yaml: ports of one network, and no ceremony's points, which production asks for. */
  const changes = (name: (typeof all)[number]): Record<string, string> => ({
    PARLEY_MODE: "development",
    ...(name.startsWith("app")
      ? { PORT: String(ports[name]), CACHE_URL: redis?.url ?? "", RATE_LIMITS: "off", SPAM_LIMITS: "off" }
      : { PROVER_PORT: String(ports[name]) }),
  });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "parley-containers-"));
    [postgres, redis, stack] = await Promise.all([startPostgres(), startRedis(), startStack()]);
    if (!postgres || !redis) throw new Error("these tests need PostgreSQL and redis-server: see .ci/run");
    const [app1 = 0, app2 = 0, prover1 = 0, prover2 = 0] = await freePorts(4);
    ports = { "app-1": app1, "app-2": app2, "prover-1": prover1, "prover-2": prover2 };
    const services = {
      ...stack.deployment.services,
      ...{ appUrl: `http://127.0.0.1:${app1}`, proverUrl: `http://127.0.0.1:${prover1}` },
    };
    const secret = () => randomBytes(32).toString("hex");
    const secrets = {
      deployment: JSON.stringify({ ...stack.deployment, services }),
      "app-database-url": await postgres.createDatabase("app"),
      "prover-database-url": await postgres.createDatabase("prover"),
      "storage-url": "disk",
      "session-secret": secret(),
      "user-id-secret": secret(),
      "prover-secret": secret(),
      "prover-settlement-key": stack.settlementKey,
    };
    podman = await startPodman(secrets);
    await podman.buildBase();
    for (const image of ["app", "prover"] as const) await podman.build(image);
    migrated = await Promise.all([podman.once("migrate-app"), podman.once("migrate-prover")]);
    await Promise.all(all.map((name) => podman.start(name, changes(name))));
    await Promise.all(all.map((name) => vi.waitFor(() => podman.checkHealth(name), HEALTHY)));
    proxy = await startCaddy(caddy ?? "", folder, { app: [app1, app2], prover: [prover1, prover2] });
    await vi.waitFor(
      async () => expect((await send(proxy, "/api/health/ready")).statusCode).toBe(200),
      HEALTHY,
    );

    const tokens = createSessionTokens({
      secrets: [new TextEncoder().encode(secrets["session-secret"])],
      audience: stack.deployment.scope,
      now: () => new Date(),
    });
    const database = await openDatabase({ url: secrets["app-database-url"] });
    crowd = await makeCrowd(database.db, tokens, 1);
    await database.close();
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all([podman?.close(), stack?.close(), redis?.close(), postgres?.close()]);
    await rm(folder, { recursive: true, force: true });
  });

  it("migrates both databases by containers that end", () => {
    expect(migrated).toEqual([
      expect.stringMatching(/"program":"app".*"msg":"migrated"/),
      expect.stringMatching(/"program":"prover".*"msg":"migrated"/),
    ]);
  });

  it.each(all)(
    "runs %s as compose.yaml says: not root, no capability, no core dump, a read-only disk",
    async (name) => {
      const asked =
        'grep -h -E "^(Uid|CapEff|NoNewPrivs):" /proc/[0-9]*/status; grep -h core /proc/[0-9]*/limits';
      const { stdout } = await podman.exec(name, "sh", "-c", asked);
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).join(" "));
      expect([...new Set(lines)].sort()).toEqual([
        "CapEff: 0000000000000000",
        "Max core file size 0 0 bytes",
        "NoNewPrivs: 1",
        "Uid: 10001 10001 10001 10001",
      ]);
      const touch = async (file: string) => (await podman.exec(name, "touch", file)).code;
      expect(await touch("/srv/parley/file")).not.toBe(0);
      expect(await touch("/var/lib/parley/file")).toBe(0);
    },
  );

  it("shows by each app what was written through the proxy", async () => {
    const chat = `/api/topics/${crowd.topicId}/chat`;
    const headers = { authorization: `Bearer ${crowd.tokens[0]}`, "content-type": "application/json" };
    const body = Buffer.from(JSON.stringify({ message: "written in a container" }));
    const written = await send(proxy, chat, { method: "POST", headers, body });
    expect(written.statusCode, await text(written)).toBe(201);
    for (const name of apps) {
      const response = await fetch(`http://127.0.0.1:${ports[name]}${chat}`, { headers });
      expect(await response.text(), name).toContain("written in a container");
    }
    const page = await send(proxy, `/topics/${crowd.topicId}`);
    expect([page.statusCode, page.headers["content-type"]]).toEqual([
      200,
      expect.stringContaining("text/html"),
    ]);
    page.resume();
  });

  it.each(provers)("makes a proof in %s that the verifier accepts", async (name) => {
    const client = new ProverClient(`http://127.0.0.1:${ports[name]}`);
    const { header } = await (await stack.payer()).sign(await client.offer("eip155:8453"));
    const { result } = await client.buy(stack.inputs, header);
    const { proof, publicInputs } = result ?? expect.fail("no proof");
    expect(await verifyOnChain(stack.deployment, { circuit, proof, publicInputs })).toBe("valid");
  });

  it.each(["app-1", "prover-1"])("examines the installation by doctor in %s", async (name) => {
    const { code, stdout } = await podman.exec(name, "node", "index.js", "doctor");
    expect(stdout).toMatch(/^(app|prover): 0 faults/m);
    expect(code).toBe(0);
  });

  it("fails no request while one container of the app after the other ends and starts", async () => {
    const answered = { count: 0 };
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const response = await send(proxy, `/api/topics/${crowd.topicId}`);
        expect(response.statusCode, await text(response)).toBe(200);
        answered.count += 1;
      }
    };
    const more = async () => {
      const enough = answered.count + 20;
      await vi.waitFor(() => expect(answered.count).toBeGreaterThan(enough), { timeout: 120_000 });
    };
    const restarts = async () => {
      for (const name of apps) {
        await more();
        expect(await podman.stop(name), name).toBe(0);
        await more();
        await podman.podman("start", name);
        await vi.waitFor(() => podman.checkHealth(name), HEALTHY);
      }
      await more();
    };
    await Promise.all([
      ...Array.from({ length: 2 }, client),
      restarts().finally(() => {
        isOver = true;
      }),
    ]);
  });

  it.each(all)("ends %s in order by its stop signal", async (name) => {
    expect(await podman.stop(name)).toBe(0);
  });
});
