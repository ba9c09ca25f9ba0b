import { Hono } from "hono";
import type { Metrics } from "../metrics";
import { listen, type RunningServer } from "./listen";

/**
 * Serves GET /metrics and nothing else, on an address of its own: metrics are for operators.
 * @throws Error (EADDRINUSE) when the port is taken
 */
export async function serveMetrics(
  metrics: Metrics,
  address: { port: number; host: string },
): Promise<RunningServer> {
  const app = new Hono();
  app.get("/metrics", async (c) =>
    c.body(await metrics.text(), 200, { "content-type": metrics.contentType, "cache-control": "no-store" }),
  );
  app.notFound((c) => c.text("GET /metrics\n", 404));
  // If the database is away, the scrape fails, and alerts watch for that.
  app.onError((_, c) => c.text("the metrics could not be read\n", 503));
  return await listen(app, address);
}
