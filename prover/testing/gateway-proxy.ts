import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

/**
 * What stands between prover and gateway:
 * pass · down (connections are cut) · swallow (settles, never answers) · deny (settles, says it did not) ·
 * lie (settles nothing, says it did) · refuse (settles nothing, says so) · blind (settles, then cuts every connection) ·
 * disown (verifies nothing as good).
 */
export type GatewayMode = "pass" | "down" | "swallow" | "deny" | "lie" | "refuse" | "blind" | "disown";

export interface GatewayProxy {
  url: string;
  mode: GatewayMode;
  /** Settle requests that reached the gateway. */
  settled: number;
  close(): Promise<void>;
}

/** A gateway that misbehaves on command. */
export async function startGatewayProxy(target: string): Promise<GatewayProxy> {
  const proxy: GatewayProxy = { url: "", mode: "pass", settled: 0, close: async () => undefined };
  let blinded = false;
  const server = createServer(async (request, response) => {
    const isSettle = request.url === "/v1/x402/settle";
    const { mode } = proxy;
    if (mode !== "blind") blinded = false;
    const cut = () => void request.socket.destroy();
    if (mode === "down" || blinded) return cut();
    const body = await read(request);
    const answer = (value: unknown) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    const network = "eip155:5042002";
    const denied = { success: false, errorReason: "insufficient_balance", transaction: "", network };
    if (mode === "disown" && request.url === "/v1/x402/verify") {
      return answer({ isValid: false, invalidReason: "wallet_not_found" });
    }
    if (isSettle && mode === "refuse") return answer(denied);
    if (isSettle && mode === "lie") {
      return answer({ success: true, transaction: "3f0c9d4e-0000-4000-8000-000000000000", network });
    }
    if (isSettle) proxy.settled += 1;
    const real = await fetch(`${target}${request.url}`, {
      method: request.method,
      headers: { "content-type": "application/json" },
      body: request.method === "POST" ? body : undefined,
    });
    const text = await real.text();
    if (isSettle && mode === "swallow") return;
    if (isSettle && mode === "deny") return answer(denied);
    if (isSettle && mode === "blind") {
      blinded = true;
      return cut();
    }
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
