import { afterAll, beforeAll, expect, it } from "vitest";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { startMetrics } from "./metrics";
import { processState } from "./process";

let h: Harness;
let url = "";
let close: () => Promise<void>;
beforeAll(async () => {
  h = await createHarness();
  const served = await startMetrics(h.services, { port: 0, host: "127.0.0.1" });
  ({ url } = served);
  close = async () => {
    processState().metrics = undefined;
    await served.close();
  };
});
afterAll(async () => {
  await close();
  await h.close();
});

async function read(): Promise<{ text: string; value(name: string): number }> {
  const text = await (await fetch(url)).text();
  return {
    text,
    value: (name) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1),
      ),
  };
}

it("operations: /metrics counts requests by operation, refusals, caches and what waits, without who or where", async () => {
  const ada = await h.login("ada_of_metrics");
  await h.services.changes.follow();
  for (const path of ["/api/categories", "/api/categories", "/api/nothing"]) await h.send("GET", path);
  await h.send("GET", "/api/auth/sessions");
  await h.send("GET", "/api/auth/sessions", { token: ada.token });
  const { text, value } = await read();
  expect(value('http_requests_total{operation="auth.sessions",status="401"}')).toBe(1);
  expect(value('http_requests_total{operation="auth.sessions",status="200"}')).toBe(1);
  expect(value('http_requests_total{operation="other",status="404"}')).toBe(1);
  expect(value('http_request_duration_seconds_count{operation="auth.sessions"}')).toBe(2);
  expect(value('app_refusals_total{code="not_authenticated"}')).toBe(1);
  expect([value('app_cache_reads_total{cache="answers",result="miss"}'), value("app_database_up")]).toEqual([
    1, 1,
  ]);
  expect(value('app_cache_reads_total{cache="answers",result="hit"}')).toBe(1);
  expect(["app_streams", "app_stream_members", "app_push_deliveries", "app_records_open"].map(value)).toEqual(
    [0, 0, 0, 0],
  );
  expect(value('database_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
  for (const secret of [ada.userId, ada.token, "ada_of_metrics", "/api/"]) expect(text).not.toContain(secret);
});
