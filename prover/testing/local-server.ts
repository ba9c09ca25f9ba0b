import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";

/** A server of this process, on a free port. */
export interface LocalServer {
  url: string;
  /** Cuts what is open. */
  close(): Promise<void>;
}

/** Serves requests at a free port of 127.0.0.1. */
export async function startLocalServer(answer: RequestListener): Promise<LocalServer> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The body of a request, as text. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}

/** Does a request at the real server, with JSON for a body. */
export async function passOn(
  target: string,
  { method, url }: Pick<IncomingMessage, "method" | "url">,
  body: string,
): Promise<{ status: number; text: string }> {
  const real = await fetch(`${target}${url}`, {
    method,
    headers: { "content-type": "application/json" },
    body: method === "POST" ? body : undefined,
  });
  return { status: real.status, text: await real.text() };
}
