/**
 * Next calls this once per server process, and never during a build. Gives the entry server (lib/server/main.ts) what it
 * needs of this bundle; where another server runs Next, route handlers do the same by themselves.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { boot, stopAtSignals } = await import("./lib/server/boot");
  const { services, stop, close } = await boot();
  const { processState } = await import("./lib/runtime/process");
  const { entry } = processState();
  if (!entry) return stopAtSignals(stop);
  const [{ requestGuard }, { eventStreams }, { eventRoutes }] = await Promise.all([
    import("./lib/server/request-guard"),
    import("./lib/server/event-streams"),
    import("./app/api/event-routes"),
  ]);
  const { config, deployment } = services;
  const https = config.mode === "production" && deployment.services.appUrl.startsWith("https:");
  entry.attach({ handlers: [requestGuard({ https }), eventStreams(eventRoutes)], stop, close });
}

/** Errors of pages; route handlers answer and log their own (lib/http/endpoint.ts). */
export async function onRequestError(
  error: unknown,
  request: { readonly path: string; readonly method: string },
): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("./lib/log");
  // Without the query: it may carry what nobody should read in a log.
  const path = request.path.split("?", 1)[0];
  log.error({ err: error, method: request.method, path }, "page failed");
}
