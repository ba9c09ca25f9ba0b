/** Next calls this once per server process, before the first request and never during a build. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { boot } = await import("./lib/server/boot");
  await boot();
  const [{ carryEvents }, { eventRoutes }, { serveCompressed }, { guardRequests }, { getServices }] =
    await Promise.all([
      import("./lib/http/event-server"),
      import("./app/api/event-routes"),
      import("./lib/http/static-files"),
      import("./lib/http/gate"),
      import("./lib/runtime/services"),
    ]);
  carryEvents(eventRoutes);
  // In development files change under it.
  if (process.env.NODE_ENV === "production") serveCompressed(process.cwd());
  // The last one is the first to be asked.
  const { config, deployment } = await getServices();
  guardRequests({ https: config.mode === "production" && deployment.services.appUrl.startsWith("https:") });
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
