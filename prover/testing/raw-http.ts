import { once } from "node:events";
import { connect } from "node:net";

/** What a client sees that sends more than a server wants. */
export interface RawAnswer {
  status: number;
  body: string;
  /** Milliseconds from the first byte sent to the first byte of the answer. */
  answeredMs: number;
  /** Bytes that were taken from the client before that. */
  sent: number;
  /** Milliseconds from the first byte sent until the server closed the connection. */
  closedMs: number;
}

/**
 * Sends a request by hand and goes on sending its body until the server closes the connection or all is sent.
 * @param framing `length` names the size first, `chunked` does not
 */
export async function sendRaw(
  url: string,
  body: Buffer,
  framing: "length" | "chunked",
  path = "/api/v1/prove",
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.setNoDelay(true);
  const size = framing === "length" ? `content-length: ${body.length}` : "transfer-encoding: chunked";
  const started = performance.now();
  let answer = "";
  let answeredMs = 0;
  let sentBefore = 0;
  let sent = 0;
  socket.on("data", (data) => {
    if (answer === "") {
      answeredMs = performance.now() - started;
      sentBefore = sent;
    }
    answer += data.toString("latin1");
  });
  // A server that closes while we send resets the connection.
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => {
    socket.once("close", () => resolve(performance.now() - started));
  });
  const drained = () => new Promise<void>((resolve) => void socket.once("drain", resolve));
  socket.write(`POST ${path} HTTP/1.1\r\nhost: prover\r\ncontent-type: application/json\r\n${size}\r\n\r\n`);
  const step = 16 * 1024;
  for (let at = 0; at < body.length && socket.writable; at += step) {
    const piece = body.subarray(at, at + step);
    if (framing === "chunked") socket.write(`${piece.length.toString(16)}\r\n`);
    const flowing = socket.write(piece);
    if (framing === "chunked") socket.write("\r\n");
    sent = at + piece.length;
    if (!flowing) await Promise.race([drained(), closed]);
    else if (at % (64 * step) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  if (framing === "chunked" && socket.writable) socket.write("0\r\n\r\n");
  // All was taken: nothing keeps the server from leaving the connection open.
  const answered = () => answer.endsWith("}") && socket.end();
  socket.on("data", answered);
  answered();
  const closedMs = await closed;
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    body: rest.join("\r\n\r\n"),
    answeredMs,
    sent: sentBefore,
    closedMs,
  };
}
