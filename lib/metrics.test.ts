import { expect, it } from "vitest";
import { Meters, RequestMeter, serveMetrics } from "./metrics";

async function linesOf(url: string): Promise<string[]> {
  return (await (await fetch(url)).text()).split("\n");
}

it("operations: serves requests, Node's own metrics and what is looked up, and nothing else", async () => {
  const meters = new Meters();
  const requests = new RequestMeter(meters);
  let waiting = 3;
  meters.pool(() => ({ open: 5, idle: 4, waiting }));
  meters.totals("reads_total", "Reads", ["result"], () => [[{ result: "hit" }, waiting]]);
  const served = await serveMetrics(meters, { port: 0, host: "127.0.0.1" });
  try {
    requests.observe("posts.get", 200, 3);
    requests.observe("posts.get", 200, 40);
    requests.observe("posts.get", 404, 1);
    const lines = await linesOf(served.url);
    expect(lines).toEqual(
      expect.arrayContaining([
        'http_requests_total{operation="posts.get",status="200"} 2',
        'http_requests_total{operation="posts.get",status="404"} 1',
        'http_request_duration_seconds_bucket{le="0.005",operation="posts.get"} 2',
        'http_request_duration_seconds_count{operation="posts.get"} 3',
        'database_connections{state="used"} 1',
        'database_connections{state="idle"} 4',
        "database_waiting 3",
        'reads_total{result="hit"} 3',
        expect.stringMatching(/^nodejs_eventloop_lag_p99_seconds \d/),
      ]),
    );
    // A counter of other code is what it is now, not the sum of its readings.
    waiting = 4;
    expect(await linesOf(served.url)).toContain('reads_total{result="hit"} 4');
    for (const [path, method] of [
      ["/", "GET"],
      ["/metrics", "POST"],
    ] as const) {
      expect((await fetch(new URL(path, served.url), { method })).status).toBe(404);
    }
  } finally {
    await served.close();
  }
});

it("operations: a scrape fails while what it looks up fails", async () => {
  const meters = new Meters();
  meters.table("rows", "Rows", [], async () => {
    throw new Error("postgres://user:secret@host is away");
  });
  const served = await serveMetrics(meters, { port: 0, host: "127.0.0.1" });
  const answer = await fetch(served.url);
  expect([answer.status, await answer.text()]).toEqual([503, "the metrics could not be read\n"]);
  await served.close();
});
