import { sql } from "kysely";
import pTimeout, { TimeoutError } from "p-timeout";
import { z } from "zod";
import type { contract, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { type Chain, chainOf } from "@/lib/proofs/deployment";
import type { Services } from "./assemble";
import { getServices } from "./services";

/** Time limits of checks: shorter than the timeouts of load balancers, which must not see a slow chain as a failure. */
const CHECK_TIMEOUT_MS = 3_000;
const REMOTE_TIMEOUT_MS = 1_000;

/** How long results are cached: anyone may ask, and each check costs the prover and every chain a request. */
const CACHE_MS = 5_000;
const lastChecks = new WeakMap<Services, { readonly at: number; readonly checks: Promise<Check[]> }>();

type Check = ResponseBody<typeof contract.service.ready>["checks"][number];

/** Reports that the process is up, without checking anything else: what fails then is mended by a restart. */
export function health() {
  return report("ok", []);
}

/** What no request can do without. A process without the others serves everything but new proofs. */
const NEEDED: ReadonlySet<string> = new Set(["database", "cache"]);

/**
 * Checks whether this process can serve, and all else that the installation needs: a prover or chain that is away only
 * degrades it, since taking every process out of service would not help.
 * @throws Refusal not_ready with the same body if database or cache do not answer
 */
export async function ready() {
  const services = await getServices();
  const at = services.now().getTime();
  const kept = lastChecks.get(services);
  const checks = await (kept && at - kept.at < CACHE_MS ? kept.checks : askAll(services, at));
  const away = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  const failed = away.filter((name) => NEEDED.has(name));
  if (failed.length === 0) return report(away.length === 0 ? "ok" : "degraded", checks);
  throw new Refusal("not_ready", {
    extra: report("unavailable", checks),
    retryAfter: 5,
    message: `Not ready: ${failed.join(", ")}.`,
  });
}

/** Runs all checks once; requests of the next five seconds share the result. */
function askAll(services: Services, at: number): Promise<Check[]> {
  const { deployment } = services;
  const chainIds = new Set(Object.values(deployment.verifiers).map((verifier) => verifier?.chainId));
  const chains = [...chainIds].flatMap((id) => (id === undefined ? [] : [chainOf(deployment, id)]));
  const checks = Promise.all([
    check("database", () => askDatabase(services)),
    check("cache", () => askCache(services)),
    check("prover", (signal) => askProver(deployment.services.proverUrl, signal), REMOTE_TIMEOUT_MS),
    ...chains.map((chain) =>
      check(`chain ${chain.id}`, (signal) => askChain(chain, signal), REMOTE_TIMEOUT_MS),
    ),
  ]);
  lastChecks.set(services, { at, checks });
  return checks;
}

function report(status: ResponseBody<typeof contract.service.ready>["status"], checks: Check[]) {
  return { status, timestamp: new Date().toISOString(), uptime: Math.round(process.uptime()), checks };
}

/** Runs one check with its time limit. The result is public, so it contains no addresses or error messages. */
async function check(
  name: string,
  ask: (signal: AbortSignal) => Promise<unknown>,
  milliseconds = CHECK_TIMEOUT_MS,
): Promise<Check> {
  const started = performance.now();
  const signal = AbortSignal.timeout(milliseconds);
  const ms = () => Math.round(performance.now() - started);
  try {
    await pTimeout(ask(signal), { milliseconds });
    return { name, ok: true, ms: ms() };
  } catch (error) {
    const isLate = signal.aborted || error instanceof TimeoutError;
    const detail = isLate ? "no answer in time" : "does not answer as it should";
    return { name, ok: false, ms: ms(), detail };
  }
}

async function askDatabase({ db }: Services): Promise<void> {
  await sql`select 1 from users limit 1`.execute(db);
}

async function askCache({ cache }: Services): Promise<void> {
  const probe = `${process.pid}`;
  await cache.set(`ready:${probe}`, probe, 10);
  if ((await cache.get(`ready:${probe}`)) !== probe) throw new Error("the cache lost a value");
}

async function askProver(proverUrl: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${proverUrl}/health`, { signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

const chainIdSchema = z.object({ result: z.string().regex(/^0x[0-9a-f]+$/i) });

async function askChain(chain: Chain, signal: AbortSignal): Promise<void> {
  const response = await fetch(chain.verificationRpcUrl ?? chain.rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
    signal,
  });
  const { result } = chainIdSchema.parse(await response.json());
  if (Number(result) !== chain.id) throw new Error("the RPC endpoint belongs to a different chain");
}
