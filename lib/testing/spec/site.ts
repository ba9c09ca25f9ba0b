import { once } from "node:events";
import http from "node:http";
import { type PublicWeb, publicWeb } from "@/lib/preview/web";
import { portOf } from "@/lib/testing/port";

/** A web site of a test, and a fetcher that may reach it and nothing else. */
export interface TestSite {
  readonly url: string;
  readonly web: PublicWeb;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const image = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** `/page` describes itself, `/image.png` is one, `/text` is not, `/broken` fails. */
export async function startSite(): Promise<TestSite> {
  const asked: string[] = [];
  const server = http.createServer(({ url = "" }, response) => {
    asked.push(url);
    const { pathname } = new URL(url, "http://site.example");
    if (pathname === "/image.png") response.setHeader("content-type", "image/png").end(image);
    else if (pathname === "/text") response.setHeader("content-type", "text/plain").end("no image");
    else if (pathname === "/page") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        '<html><head><title>Plain title</title><meta property="og:title" content="A title">' +
          '<meta property="og:description" content="About it"><meta property="og:image" content="/image.png">' +
          '<meta property="og:site_name" content="The site"></head><body>x</body></html>',
      );
    } else response.writeHead(500).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    web: publicWeb({ ports: [port], allows: (host) => host === "127.0.0.1" }),
    asked,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
