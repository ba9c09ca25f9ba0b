import type { IncomingMessage, ServerResponse } from "node:http";
import { securityHeaders } from "@/lib/http/security-headers";

/** Converts the headers of a Node request to those route handlers get. */
export function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) given.append(name, line);
  }
  return given;
}

/** Writes the head of a response, with the headers of every response. */
export function sendHead(response: ServerResponse, { status, headers }: Response): void {
  // As a list: the response keeps only its text instead of a table for as long as a stream is open.
  const common = securityHeaders.filter(({ key }) => !headers.has(key));
  response.writeHead(status, [...common.map(({ key, value }) => [key, value]), ...headers].flat());
}

/** Sends a whole response. */
export async function sendReply(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  sendHead(response, answer);
  response.end(body);
}
