import { HttpConnection } from "./http-connection";
import type { Load, LoadRequest, Measured } from "./load";
import { quantile } from "./row";

/** Sends the requests of a load. */
async function run({ port, connections, seconds, requests, headers, status, once }: Load): Promise<Measured> {
  const lines = headers.map((some) => some.map((one) => `${one}\r\n`).join(""));
  const opened = await Promise.all(Array.from({ length: connections }, () => HttpConnection.open(port)));
  const latencies: number[] = [];
  let sent = 0;
  let bytes = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const worker = async (connection: HttpConnection) => {
    while (performance.now() < until && (!once || sent < requests.length)) {
      const request = requests[sent % requests.length];
      if (!request) throw new Error("a load needs requests");
      sent += 1;
      const begun = performance.now();
      const seen = await connection.send(textOf(request, port, lines));
      latencies.push(performance.now() - begun);
      bytes += seen.bytes;
      if (seen.status !== status)
        throw new Error(`${request.method} ${request.path} got status ${seen.status}`);
    }
  };
  try {
    await Promise.all(opened.map(worker));
  } finally {
    for (const connection of opened) connection.close();
  }
  const took = (performance.now() - started) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  return {
    responses: sorted.length,
    rate: sorted.length / took,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    bytes: bytes / sorted.length,
    sent,
  };
}

function textOf(
  { method, path, headers, body }: LoadRequest,
  port: number,
  lines: readonly string[],
): string {
  const own = headers === undefined ? "" : (lines[headers] ?? "");
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${own}`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

process.on("message", (load: Load) => {
  run(load).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
