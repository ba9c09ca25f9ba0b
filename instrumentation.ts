/**
 * Next calls this once per server process, but not during a build. Passes the request handlers of this bundle to the entry
 * server (lib/server/main.ts). Without the entry server, route handlers boot the services themselves.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { boot, stopAtSignals } = await import("./lib/server/boot");
  const { services, stop, close } = await boot();
  const { processState } = await import("./lib/runtime/process");
  const { entry } = processState();
  if (!entry) return stopAtSignals(stop);
  const [{ requestGuard }, { api, hasEvents }, { apiRoutes }, { guestPages }] = await Promise.all([
    import("./lib/server/request-guard"),
    import("./lib/server/api"),
    import("./app/api/routes"),
    import("./lib/server/guest-pages"),
  ]);
  const { config, deployment } = services;
  const { appUrl } = deployment.services;
  const guard = requestGuard({ https: config.mode === "production" && appUrl.startsWith("https:") });
  if (process.env.NODE_ENV === "development") {
    // `next dev` reloads operations and pages that change, but event streams do not fit through it.
    return entry.attach({ handlers: [guard, api(apiRoutes.filter(hasEvents))], stop, close });
  }
  const pages = await guestPages({ services, render: entry.render });
  entry.attach({ handlers: [guard, api(apiRoutes), pages], stop, close });
}

/** Logs errors of pages. Route handlers log their own (lib/http/endpoint.ts). */
export async function onRequestError(
  error: unknown,
  request: {
    readonly path: string;
    readonly method: string;
    readonly headers: Readonly<NodeJS.Dict<string | string[]>>;
  },
): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("./lib/log");
  // Without the query, which may contain private data.
  const path = request.path.split("?", 1)[0];
  const requestId = request.headers["x-request-id"];
  log.error({ err: error, requestId, method: request.method, path }, "page failed");
}
