import { randomUUID } from "node:crypto";
import { type Context, type Handler, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import type { Deployment } from "@/lib/proofs/deployment";
import { headers } from "@/lib/proofs/wire";
import { remembered } from "@/lib/remembered";
import type { Tracing } from "@/lib/tracing";
import type { Observer } from "../observer";
import { ProverRefusal } from "../refusal";
import type { Seller } from "../seller/seller";
import { maxBodyBytes } from "./body";
import { findJob, type JobDependencies, jobEventsHandler, jobHandler } from "./jobs";
import type { Limits } from "./limits";
import { serveAssets } from "./pages/assets";
import { homeHandler } from "./pages/home";
import { jobPage, unknownJobPage } from "./pages/job";
import { wantsPage } from "./pages/layout";
import { promisesPage } from "./pages/promises";
import { type ProveDependencies, proveHandler } from "./prove";
import { type PurchaseDependencies, purchasesHandler } from "./purchases";
import { type Health, type Promises, proverApi, type RouteId, SIGN_IN_HEADER } from "./routes";

/** Documents that do not change while the program runs, and the health report. */
export interface Documents {
  guide(circuit: string): unknown;
  openapi: unknown;
  discovery: unknown;
  health(): Promise<{ ok: boolean; report: Health }>;
  /** Whether database and bb answer. */
  ready(): Promise<boolean>;
}

export interface AppDependencies
  extends Omit<ProveDependencies, "limits" | "seller">,
    JobDependencies,
    Omit<PurchaseDependencies, "limits" | "payments" | "seller"> {
  deployment: Deployment;
  documents: Documents;
  logger: Logger;
  /** Allowed browser origins; ["*"] for all: the service has no cookies and no session. */
  corsOrigins: readonly string[];
  limits: Limits;
  seller: Seller;
  /** Milliseconds from settlement within which a proof is promised. */
  deliveryMs: number;
  observer: Observer;
  tracing: Tracing;
  /** True once the program was told to stop: it accepts no new connections. */
  isStopping(): boolean;
}

/** What load balancers ask all the time: not logged. */
const PROBES: ReadonlySet<string> = new Set(["health", "live", "ready"] satisfies RouteId[]);

/** The prover's HTTP surface. */
export function proverApp(deps: AppDependencies): Hono {
  const app = new Hono();
  const { routes } = proverApi(deps.offered);
  // The route's id, not its path: a job token in a log line would open the proof.
  const operations = new Map<string, string>(routes.map(({ id, path }) => [honoPath(path), id]));

  app.use(async (c, next) => {
    const sent = c.req.header("x-request-id");
    const requestId = sent && /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
    const started = performance.now();
    await next();
    c.header("x-request-id", requestId);
    c.header("x-content-type-options", "nosniff");
    const { status } = c.res;
    const ms = Math.round(performance.now() - started);
    const operation = operations.get(routePath(c, -1)) ?? "other";
    deps.observer.request(operation, status, ms);
    if (!PROBES.has(operation)) deps.logger.info({ requestId, operation, status, ms }, "request");
  });
  app.use(
    cors({
      origin: deps.corsOrigins.includes("*") ? "*" : [...deps.corsOrigins],
      allowMethods: ["GET", "POST", "OPTIONS"],
      allowHeaders: [
        headers.paymentSignature,
        headers.paymentNonce,
        headers.paymentTx,
        headers.paymentNetwork,
        SIGN_IN_HEADER,
        "Access-Control-Expose-Headers",
        "Content-Type",
        "Prefer",
        "traceparent",
      ],
      exposeHeaders: [
        headers.paymentRequired,
        headers.paymentResponse,
        "Retry-After",
        "Location",
        "X-Request-Id",
      ],
      maxAge: 600,
    }),
  );
  app.use(deps.limits.middleware());
  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new ProverRefusal(413, "PAYLOAD_TOO_LARGE", `the body may have ${maxBodyBytes} bytes`);
      },
    }),
  );
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed(c, methods) {
        const message = "this resource does not have that method";
        const allow = [...methods, "OPTIONS"].join(", ");
        return c.json({ error: "METHOD_NOT_ALLOWED", message }, 405, { allow });
      },
    }),
  );

  const handlers = createHandlers(deps);
  for (const { id, method, path } of routes) {
    app.on(
      method,
      honoPath(path),
      async (c, next) => {
        await deps.tracing.serve(id, c.req.header("traceparent"), next, () => c.res.status);
      },
      handlers[id],
    );
  }
  app.get(
    "/",
    homeHandler({
      deployment: deps.deployment,
      offered: deps.offered,
      encrypted: deps.inputs.publicKey !== null,
    }),
  );
  serveAssets(app);

  app.notFound((c) => c.json({ error: "NOT_FOUND", message: "no such resource" }, 404));
  app.onError((error, c) => {
    if (error instanceof ProverRefusal) {
      deps.observer.refused(error.code, error.details.reason);
      const { retryAfter } = error.details;
      if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
      c.header("cache-control", "no-store");
      return c.json(error.body(), error.status);
    }
    deps.observer.refused("INTERNAL", undefined);
    // Only the error's kind and where it was thrown: messages of libraries may quote their input.
    deps.logger.error({ kind: error.name, at: error.stack?.split("\n").slice(1, 6) }, "defect");
    return c.json({ error: "INTERNAL", message: "the prover failed; send the same request again" }, 500);
  });
  return app;
}

/** Returns a path of the API's declaration as Hono writes it. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns the handler of each operation. */
function createHandlers(deps: AppDependencies): Readonly<Record<RouteId, Handler>> {
  const { documents } = deps;
  const prove = proveHandler(deps);
  const readPromises = promisesOf(deps);
  const job = jobHandler(deps);
  return {
    async prove(c) {
      if (deps.closing.aborted) {
        throw new ProverRefusal(503, "BUSY", "the prover is restarting; nothing was charged", {
          reason: "restarting",
          retryAfter: 10,
        });
      }
      return await prove(c);
    },
    async job(c) {
      c.header("vary", "Accept");
      return wantsPage(c) ? await jobOnPage(deps, c) : await job(c);
    },
    jobEvents: jobEventsHandler(deps),
    purchases: purchasesHandler(deps),
    async promises(c) {
      const promises = await readPromises();
      c.header("vary", "Accept");
      return wantsPage(c) ? await promisesPage(c, promises) : c.json(promises);
    },
    guide: (c) => c.json(documents.guide(c.req.param("circuit") ?? "")),
    openapi: (c) => c.json(documents.openapi),
    discovery: (c) => c.json(documents.discovery),
    async health(c) {
      const { ok, report } = await documents.health();
      return c.json(report, ok ? 200 : 503, { "cache-control": "no-store" });
    },
    live: (c) => c.json({ status: "ok" }, 200, { "cache-control": "no-store" }),
    async ready(c) {
      const ok = !deps.isStopping() && (await documents.ready());
      return c.json({ status: ok ? "ok" : "unavailable" }, ok ? 200 : 503, { "cache-control": "no-store" });
    },
  };
}

const promisesShownMs = 30 * 24 * 3_600_000;

/** Counts promises; anyone may ask, so they are counted every ten seconds at most. */
function promisesOf({ purchases, seller, deliveryMs }: AppDependencies): () => Promise<Promises> {
  return remembered(10_000, async () => {
    const days = await purchases.promises(new Date(Date.now() - promisesShownMs), deliveryMs);
    return { deliverySeconds: deliveryMs / 1000, receiptSigner: seller.address, days };
  });
}

/** Answers with a job's page, or the page for an unknown job. */
async function jobOnPage(deps: AppDependencies, c: Context): Promise<Response> {
  c.header("cache-control", "no-store");
  try {
    const { view } = await findJob(deps, c.req.param("token") ?? "");
    return await jobPage(c, deps.deployment, view);
  } catch (error) {
    if (error instanceof ProverRefusal && error.status === 404) return await unknownJobPage(c);
    throw error;
  }
}
