import http, { type ServerResponse } from "node:http";
import { errorBodySchema } from "@/lib/contract/error-body";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { portOf } from "@/lib/testing/port";
import { publicWeb } from "../web";

type Answer = (response: ServerResponse, path: string) => void;

/** A site of the web for tests, and the API with eyes for nothing else. */
export interface Site {
  readonly h: Harness;
  /** Its origin. */
  readonly base: string;
  /** What it was asked, until emptied. */
  readonly requests: http.IncomingMessage[];
  /** How it answers from now on. */
  answer(how: Answer): void;
  /** Serves a page at an address of its own, and gives the address. */
  page(html: string | Buffer, headers?: Record<string, string>): string;
  /** Status, code and field of a refusal. */
  refused(path: "og" | "og/image", query: Record<string, string>): Promise<object>;
  close(): Promise<void>;
}

export async function startSite({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<Site> {
  const requests: http.IncomingMessage[] = [];
  let answering: Answer = (response) => response.end();
  let pages = 0;
  const server = http.createServer((request, response) => {
    requests.push(request);
    answering(response, request.url ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  const base = `http://site.example:${port}`;
  const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const allows = (ip: string) => ip === "127.0.0.1";
  const h = await createHarness({ web: publicWeb({ ports: [port], allows, resolve, timeoutMs }) });
  return {
    h,
    base,
    requests,
    answer: (how) => {
      answering = how;
    },
    page(html, headers = { "content-type": "text/html" }) {
      pages += 1;
      answering = (response) => response.writeHead(200, headers).end(html);
      return `${base}/page-${pages}`;
    },
    async refused(path, query) {
      const { status, body } = await h.send("GET", `/api/${path}?${new URLSearchParams(query)}`);
      const { code, field } = errorBodySchema.parse(body);
      return { status, code, field };
    },
    async close() {
      await h.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
