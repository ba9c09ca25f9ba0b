import { once } from "node:events";
import http from "node:http";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deployment } from "@/lib/proofs/deployment";
import { testDeployment } from "@/lib/testing/deployment";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { portOf } from "@/lib/testing/port";

/** A prover and a chain in one; the test chooses their responses. */
let proverStatus = 200;
let chainId = "0x2105";
let hang = false;
/** Requests that reached prover and chains. */
let asked = 0;
let clock = Date.now();
const server = http.createServer((request, response) => {
  asked += 1;
  if (hang) return;
  request.resume();
  if (request.url === "/health") response.writeHead(proverStatus).end("{}");
  else response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: chainId }));
});

let h: Harness;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${portOf(server)}`;
  const { services, chains } = testDeployment();
  const deployment: Partial<Deployment> = {
    services: { ...services, proverUrl: url },
    chains: chains.map((chain) => ({ ...chain, rpcUrl: url })),
  };
  h = await createHarness({ deployment, now: () => new Date(clock) });
});
// Results are cached for five seconds.
beforeEach(() => {
  clock += 5_000;
});
afterAll(async () => {
  await h.close();
  server.closeAllConnections();
  server.close();
});

describe("GET /api/health", () => {
  it("200 whatever else is down", async () => {
    expect(await h.send("GET", "/api/health")).toMatchObject({
      status: 200,
      body: { status: "ok", checks: [] },
    });
  });
});

describe("GET /api/health/ready", () => {
  it("200 with one check for each part", async () => {
    const { status, body } = await h.send("GET", "/api/health/ready");
    expect({ status, body }).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(Object(body).checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ["database", true],
      ["cache", true],
      ["prover", true],
      ["chain 8453", true],
    ]);
  });

  const down = async (part: string, status: "degraded" | "unavailable" = "degraded") => {
    const { status: code, body, headers } = await h.send("GET", "/api/health/ready");
    expect([code, Object(body).status]).toEqual([status === "degraded" ? 200 : 503, status]);
    if (status === "unavailable") {
      expect(headers.get("retry-after")).not.toBeNull();
      expect(body).toMatchObject({ code: "not_ready", requestId: expect.any(String) });
    }
    const failed = Object(body).checks.filter(({ ok }: { ok: boolean }) => !ok);
    expect(failed).toMatchObject([{ name: part }]);
    // Anyone may ask: no address and no error message.
    expect(JSON.stringify(body)).not.toContain("127.0.0.1");
  };

  it("security F19: asks the prover and the chains at most every five seconds", async () => {
    const before = asked;
    const answers = Array.from({ length: 20 }, () => h.send("GET", "/api/health/ready"));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    const once = asked - before;
    expect(once).toBeLessThanOrEqual(4);
    clock += 4_999;
    await h.send("GET", "/api/health/ready");
    expect(asked - before).toBe(once);
    clock += 1;
    await h.send("GET", "/api/health/ready");
    expect(asked - before).toBe(2 * once);
  });

  it("operations: 503 when the database does not answer as it should, whatever else does", async () => {
    await sql`alter table users rename to moved_users`.execute(h.db);
    await down("database", "unavailable");
    await sql`alter table moved_users rename to users`.execute(h.db);
  });

  it("operations: 200 and degraded when the prover is not well", async () => {
    proverStatus = 503;
    await down("prover");
    proverStatus = 200;
  });

  it("operations: 200 and degraded when another chain answers at the configured address", async () => {
    chainId = "0x1";
    await down("chain 8453");
    chainId = "0x2105";
  });

  it("operations: 200 and degraded within its time limit when prover and chains never answer", async () => {
    hang = true;
    const { status, body } = await h.send("GET", "/api/health/ready");
    expect([status, Object(body).status]).toEqual([200, "degraded"]);
    expect(JSON.stringify(body)).toContain("no answer in time");
    hang = false;
  });
});
