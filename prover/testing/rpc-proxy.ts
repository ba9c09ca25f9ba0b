import { z } from "zod";
import { type LocalServer, passOn, readBody, startLocalServer } from "./local-server";

const requestSchema = z.object({
  id: z.number(),
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
/** One request to a node. */
type RpcRequest = z.output<typeof requestSchema>;

export interface RpcProxy extends LocalServer {
  /** Everything that was asked. */
  asked: RpcRequest[];
  /** May change a request, or answer it with an error's text; default passes it on. */
  answer(request: RpcRequest): RpcRequest | string;
}

/** A node with peculiarities in front of a real one. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const proxy: Omit<RpcProxy, keyof LocalServer> = { asked: [], answer: (request) => request };
  const server = await startLocalServer(async (request, response) => {
    const asked = requestSchema.parse(JSON.parse(await readBody(request)));
    proxy.asked.push(asked);
    const passed = proxy.answer(asked);
    response.setHeader("content-type", "application/json");
    if (typeof passed === "string") {
      const error = { code: -32602, message: passed };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, error }));
      return;
    }
    response.end((await passOn(target, request, JSON.stringify(passed))).text);
  });
  return Object.assign(proxy, server);
}
