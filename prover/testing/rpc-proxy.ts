import { once } from "node:events";
import { createServer } from "node:http";
import { z } from "zod";

const requestSchema = z.object({
  id: z.number(),
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  params: z.array(z.unknown()).default([]),
});
/** One request to a node. */
export type RpcRequest = z.output<typeof requestSchema>;

export interface RpcProxy {
  url: string;
  /** Everything that was asked. */
  asked: RpcRequest[];
  /** May change a request, or answer it with an error's text; default passes it on. */
  answer(request: RpcRequest): RpcRequest | string;
  close(): Promise<void>;
}

/** A node with peculiarities in front of a real one. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const proxy: RpcProxy = { url: "", asked: [], answer: (request) => request, close: async () => undefined };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const asked = requestSchema.parse(JSON.parse(Buffer.concat(parts).toString("utf8")));
    proxy.asked.push(asked);
    const passed = proxy.answer(asked);
    response.setHeader("content-type", "application/json");
    if (typeof passed === "string") {
      const error = { code: -32602, message: passed };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, error }));
      return;
    }
    const real = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(passed),
    });
    response.end(await real.text());
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
