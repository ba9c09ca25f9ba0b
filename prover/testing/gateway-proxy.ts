import { type LocalServer, passOn, readBody, startLocalServer } from "./local-server";

/**
 * What stands between prover and gateway:
 * pass · down (connections are cut) · swallow (settles, never answers) · deny (settles, says it did not) ·
 * lie (settles nothing, says it did) · refuse (settles nothing, says so) · blind (settles, then cuts every connection) ·
 * disown (verifies nothing as good).
 */
type GatewayMode = "pass" | "down" | "swallow" | "deny" | "lie" | "refuse" | "blind" | "disown";

export interface GatewayProxy extends LocalServer {
  mode: GatewayMode;
  /** Settle requests that reached the gateway. */
  settled: number;
}

/** A gateway that misbehaves on command. */
export async function startGatewayProxy(target: string): Promise<GatewayProxy> {
  const proxy: Omit<GatewayProxy, keyof LocalServer> = { mode: "pass", settled: 0 };
  let blinded = false;
  const server = await startLocalServer(async (request, response) => {
    const isSettle = request.url === "/v1/x402/settle";
    const { mode } = proxy;
    if (mode !== "blind") blinded = false;
    const cut = () => void request.socket.destroy();
    if (mode === "down" || blinded) return cut();
    const body = await readBody(request);
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
    const real = await passOn(target, request, body);
    if (isSettle && mode === "swallow") return;
    if (isSettle && mode === "deny") return answer(denied);
    if (isSettle && mode === "blind") {
      blinded = true;
      return cut();
    }
    response.writeHead(real.status, { "content-type": "application/json" }).end(real.text);
  });
  return Object.assign(proxy, server);
}
