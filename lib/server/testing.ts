import http, { type IncomingMessage } from "node:http";
import { portOf } from "@/lib/testing/port";

/** Sends a request to a server of this machine, with its path unchanged: fetch would resolve dots. */
export async function askRaw(server: http.Server, options: Omit<http.RequestOptions, "port">) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http
      .request({ port: portOf(server), ...options }, resolve)
      .once("error", reject)
      .end();
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
}
