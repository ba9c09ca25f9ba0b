import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import next from "next";
import { z } from "zod";
import { log } from "@/lib/log";
import { processState } from "@/lib/runtime/process";
import { createEntryServer } from "./entry-server";
import { compressedFiles } from "./static-files";

/**
 * The app's process, in development (NODE_ENV=development: hot reload) and production: HOST and PORT are where it
 * listens, the working directory is the repository or dist/app. scripts/stack/next-build.ts bundles this file; whatever needs services or
 * the database belongs to Next's bundle and is attached by instrumentation.ts.
 */
const dev = process.env.NODE_ENV === "development";
const hostname = process.env.HOST || "127.0.0.1";
const port = Number(process.env.PORT || 3000);

// Next listens for WebSockets on the server that it is told of. It gets one of its own, which never listens: in
// production nobody is to reach its handler of upgrades, and in development every request is stamped first.
const upgrades = http.createServer();
if (!dev) {
  // As the server that Next writes for standalone output does: the build's settings count, and no compiler is needed to
  // read next.config.ts.
  const built = path.join(process.cwd(), ".next", "required-server-files.json");
  const { config } = z.object({ config: z.looseObject({}) }).parse(JSON.parse(readFileSync(built, "utf8")));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
const app = next({ dev, dir: process.cwd(), hostname, port, httpServer: upgrades });
const answer = app.getRequestHandler();

const server = createEntryServer({
  // In development files change under it.
  files: dev ? undefined : compressedFiles(process.cwd()),
  rest: (request, response) => answer(request, response),
  ...(dev && {
    upgrade: (request, socket, head) => {
      if (!upgrades.emit("upgrade", request, socket, head)) socket.destroy();
    },
  }),
  failed: (error) => log.error({ err: error }, "request failed"),
  // A page with hot reload keeps its socket for as long as it is open.
  graceMs: dev ? 500 : 8_000,
});
processState().entry = server;

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "shutdown failed");
        process.exit(1);
      },
    );
  });
}

try {
  await app.prepare();
  await server.listen(port, hostname);
  log.info({ hostname, port }, "listening");
} catch (error) {
  console.error(`Parley cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
