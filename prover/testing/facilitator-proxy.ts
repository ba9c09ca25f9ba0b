import { type LocalServer, passOn, readBody, startLocalServer } from "./local-server";

/**
 * What stands between prover and facilitator:
 * pass · down (connections are cut) · swallow (settles, never answers) · deny (settles, says it failed) ·
 * lie (settles nothing, says it did) · refuse (does nothing, says it failed) · disown (verifies nothing as good) ·
 * rob (settles when asked to verify, says no).
 */
type ProxyMode = "pass" | "down" | "swallow" | "deny" | "lie" | "refuse" | "disown" | "rob";

export interface FacilitatorProxy extends LocalServer {
  mode: ProxyMode;
  /** Answers 401 where this says no; default it lets everybody in. */
  admits?(request: { method: string; path: string; authorization: string | undefined }): Promise<boolean>;
  /** Settle requests that reached the real facilitator. */
  settled: number;
  /** Bodies of all requests. */
  asked: string[];
}

/** A facilitator that misbehaves on command. */
export async function startFacilitatorProxy(target: string): Promise<FacilitatorProxy> {
  const proxy: Omit<FacilitatorProxy, keyof LocalServer> = { mode: "pass", settled: 0, asked: [] };
  const server = await startLocalServer(async (request, response) => {
    const isSettle = request.url === "/settle";
    const isVerify = request.url === "/verify";
    const { mode } = proxy;
    if (mode === "down") {
      request.socket.destroy();
      return;
    }
    const body = await readBody(request);
    proxy.asked.push(body);
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
      await passOn(target, { method: "POST", url: "/settle" }, body);
      return answer(invalid);
    }
    if (isSettle && mode === "refuse") return answer(failed);
    if (isSettle && mode === "lie") {
      return answer({ success: true, transaction: `0x${"ab".repeat(32)}`, network: "eip155:8453" });
    }
    if (isSettle) proxy.settled += 1;
    const real = await passOn(target, request, body);
    if (isSettle && mode === "swallow") return;
    if (isSettle && mode === "deny") return answer(failed);
    response.writeHead(real.status, { "content-type": "application/json" }).end(real.text);
  });
  return Object.assign(proxy, server);
}
