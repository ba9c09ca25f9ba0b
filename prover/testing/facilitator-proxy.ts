import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/**
 * What stands between prover and facilitator:
 * pass · down (connections are cut) · swallow (settles, never answers) · deny (settles, says it failed) ·
 * lie (settles nothing, says it did) · refuse (does nothing, says it failed) · disown (verifies nothing as good) ·
 * rob (settles when asked to verify, says no).
 */
export type ProxyMode = "pass" | "down" | "swallow" | "deny" | "lie" | "refuse" | "disown" | "rob";

export interface FacilitatorProxy {
  url: string;
  mode: ProxyMode;
  /** Answers 401 where this says no; default it lets everybody in. */
  admits?(request: { method: string; path: string; authorization: string | undefined }): Promise<boolean>;
  /** Settle requests that reached the real facilitator. */
  settled: number;
  close(): Promise<void>;
}

/** A facilitator that misbehaves on command. */
export async function startFacilitatorProxy(target: string): Promise<FacilitatorProxy> {
  const proxy: FacilitatorProxy = { url: "", mode: "pass", settled: 0, close: async () => undefined };
  const server = createServer(async (request, response) => {
    const isSettle = request.url === "/settle";
    const isVerify = request.url === "/verify";
    const { mode } = proxy;
    if (mode === "down") {
      request.socket.destroy();
      return;
    }
    const body = await read(request);
    const { method = "", url: path = "", headers } = request;
    const { authorization } = headers;
    if (path !== "/health" && (await proxy.admits?.({ method, path, authorization })) === false) {
      response.writeHead(401).end();
      return;
    }
    const answer = (value: unknown) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(value));
    };
    const failed = {
      success: false,
      errorReason: "transaction_failed",
      transaction: "",
      network: "eip155:8453",
    };
    const invalid = { isValid: false, invalidReason: "refused" };
    if (isVerify && mode === "disown") return answer(invalid);
    if (isVerify && mode === "rob") {
      await fetch(`${target}/settle`, {
        ...{ method: "POST", headers: { "content-type": "application/json" }, body },
      });
      return answer(invalid);
    }
    if (isSettle && mode === "refuse") return answer(failed);
    if (isSettle && mode === "lie") {
      return answer({ success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:8453" });
    }
    if (isSettle) proxy.settled += 1;
    const real = await fetch(`${target}${request.url}`, {
      method: request.method,
      headers: { "content-type": "application/json" },
      body: request.method === "POST" ? body : undefined,
    });
    const text = await real.text();
    if (isSettle && mode === "swallow") return;
    if (isSettle && mode === "deny") return answer(failed);
    response.writeHead(real.status, { "content-type": "application/json" }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  proxy.url = `http://127.0.0.1:${address.port}`;
  proxy.close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return proxy;
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
