import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { apiRoutes } from "@/app/api/routes";
import type { Services } from "@/lib/runtime/assemble";
import { getServices, withServices } from "@/lib/runtime/services";
import { api } from "@/lib/server/api";
import { portOf } from "./port";

type Next = (request: Request) => Promise<Response>;

/** Who sent a request. */
interface Sender {
  /** As the test sent it: fetch adds headers of its own. */
  readonly headers: Headers;
  readonly services: Services;
  readonly next: Next;
}

const SENDER_HEADER = "x-test-sender";
const FRAMING: readonly string[] = ["content-length", "transfer-encoding"];
let sent = 0;
const senders = new Map<string, Sender>();
const answers = api(apiRoutes);

/** One server for all tests of this process. */
const listening = new Promise<http.Server>((resolve, reject) => {
  const server = http.createServer((request, response) => {
    const sender = senders.get(String(request.headers[SENDER_HEADER]));
    if (!sender) throw new Error("nobody sent this request");
    for (const name of Object.keys(request.headers)) {
      if (!sender.headers.has(name) && !FRAMING.includes(name)) delete request.headers[name];
    }
    withServices(sender.services, () => {
      if (!answers(request, response)) void leaveToNext(request, response, sender.next);
    });
  });
  // Only the client closes idle connections: one that both close at the same moment loses a request.
  server.keepAliveTimeout = 0;
  server.on("error", reject);
  server.listen(0, "127.0.0.1", () => resolve(server)).unref();
});

/** Refusals of methods and paths, which read no body. */
async function leaveToNext(
  { url, method, headers }: IncomingMessage,
  response: ServerResponse,
  next: Next,
): Promise<void> {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] => [
    [name, String(value)],
  ]);
  const answer = await next(new Request(`http://localhost:3000${url}`, { method, headers: given })).catch(
    (error: unknown) => Response.json({ error: String(error) }, { status: 500 }),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/**
 * Sends a request to the API over HTTP, with the services in use.
 * @param next answers what the entry server leaves to Next
 */
export async function sendToServer(request: Request, next: Next): Promise<Response> {
  sent += 1;
  const id = String(sent);
  senders.set(id, { headers: request.headers, services: await getServices(), next });
  try {
    const { pathname, search } = new URL(request.url);
    const url = `http://127.0.0.1:${portOf(await listening)}${pathname}${search}`;
    const marked = new Request(url, request);
    marked.headers.set(SENDER_HEADER, id);
    return await fetch(marked);
  } finally {
    senders.delete(id);
  }
}
