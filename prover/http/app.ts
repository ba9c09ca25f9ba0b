import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { routePath } from "hono/route";
import type { Logger } from "pino";
import type { Deployment } from "@/lib/proofs/deployment";
import { headers } from "@/lib/proofs/wire";
import type { Observer } from "../observer";
import { ProverRefusal } from "../refusal";
import { maxBodyBytes } from "./body";
import { findJob, type JobDependencies, jobEventsHandler, jobHandler } from "./jobs";
import type { Limits } from "./limits";
import { serveAssets } from "./pages/assets";
import { homeHandler } from "./pages/home";
import { jobPage, unknownJobPage } from "./pages/job";
import { wantsPage } from "./pages/layout";
import { type ProveDependencies, proveHandler } from "./prove";

/** Documents that do not change while the program runs, and the health report. */
export interface Documents {
  guide(circuit: string): unknown;
  openapi: unknown;
  discovery: unknown;
  health(): Promise<{ ok: boolean; report: unknown }>;
}

export interface AppDependencies extends ProveDependencies, JobDependencies {
  deployment: Deployment;
  documents: Documents;
  logger: Logger;
  /** Allowed browser origins; ["*"] for all: the service has no cookies and no session. */
  corsOrigins: readonly string[];
  limits: Limits;
  observer: Observer;
  /** True from the moment the program was told to stop. */
  isStopping(): boolean;
}

/** The prover's HTTP surface. */
export function proverApp(deps: AppDependencies): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    const sent = c.req.header("x-request-id");
    const id = sent && /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
    const started = performance.now();
    await next();
    c.header("x-request-id", id);
    c.header("x-content-type-options", "nosniff");
    // The route's pattern, not its path: a job token in a log line would be a key to the proof.
    const { status } = c.res;
    const ms = Math.round(performance.now() - started);
    deps.logger.info({ id, method: c.req.method, route: routePath(c, -1), status, ms }, "request");
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
        "Access-Control-Expose-Headers",
        "Content-Type",
        "Prefer",
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

  const prove = proveHandler(deps);
  app.post("/api/v1/prove", async (c) => {
    if (deps.isStopping()) {
      throw new ProverRefusal(503, "BUSY", "the prover is restarting; nothing was charged", {
        reason: "restarting",
        retryAfter: 10,
      });
    }
    return await prove(c);
  });
  const job = jobHandler(deps);
  app.get("/api/v1/jobs/:token", async (c) => {
    c.header("vary", "Accept");
    return wantsPage(c) ? await jobOnPage(deps, c) : await job(c);
  });
  app.get("/api/v1/jobs/:token/events", jobEventsHandler(deps));
  app.get("/api/v1/guide/:circuit", (c) => c.json(deps.documents.guide(c.req.param("circuit"))));
  app.get(
    "/",
    homeHandler({
      deployment: deps.deployment,
      offered: deps.offered,
      encrypted: deps.inputs.publicKey !== null,
    }),
  );
  serveAssets(app);
  app.get("/openapi.json", (c) => c.json(deps.documents.openapi));
  app.get("/.well-known/x402", (c) => c.json(deps.documents.discovery));
  app.get("/health", async (c) => {
    const { ok, report } = await deps.documents.health();
    return c.json(report, ok ? 200 : 503, { "cache-control": "no-store" });
  });

  app.notFound((c) => {
    const methods = methodsAt(app, c.req.path);
    if (methods.length === 0) return c.json({ error: "NOT_FOUND", message: "no such resource" }, 404);
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    const message = "this resource does not have that method";
    return c.json({ error: "METHOD_NOT_ALLOWED", message }, 405, { allow });
  });
  app.onError((error, c) => {
    if (error instanceof ProverRefusal) {
      deps.observer.refused(error.code, error.details.reason);
      const { retryAfter } = error.details;
      if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
      c.header("cache-control", "no-store");
      return c.json(error.body(), error.status);
    }
    deps.observer.refused("INTERNAL", undefined);
    // Only the error's kind and where it was thrown: messages of libraries may quote what they were given.
    deps.logger.error({ kind: error.name, at: error.stack?.split("\n").slice(1, 6) }, "defect");
    return c.json({ error: "INTERNAL", message: "the prover failed; send the same request again" }, 500);
  });
  return app;
}

/** The methods of the routes at a path; none where nothing is. */
function methodsAt(app: Hono, path: string): string[] {
  const own = app.routes.filter(({ method }) => method !== "ALL");
  const here = own.filter((route) =>
    new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
  );
  return [...new Set(here.map(({ method }) => method))];
}

/** A job as a page; an unknown one gets a page of its own. */
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
