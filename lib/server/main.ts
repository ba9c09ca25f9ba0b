import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import next from "next";
import { z } from "zod";
import { log } from "@/lib/log";
import { processState } from "@/lib/runtime/process";
import { generalVariables } from "@/lib/settings/general";
import { effectiveSettings } from "@/lib/settings/read";
import { logConsole } from "./console";
import { createEntryServer } from "./entry-server";
import { compressedFiles } from "./static-files";

/**
 * The app's process, in development (NODE_ENV=development: hot reload) and production. HOST and PORT are where it
 * listens; the working directory is the repository or dist/app. scripts/stack/next-build.ts bundles this file;
 * everything that needs services or the database is in Next's bundle, and instrumentation.ts attaches it.
 */
const dev = process.env.NODE_ENV === "development";
if (!dev) logConsole();
// Next's bundle checks all variables at once when it starts (instrumentation.ts), these as well.
const { HOST, PORT, KEEP_ALIVE_MS } = generalVariables;
const settings = effectiveSettings({ HOST, PORT, KEEP_ALIVE_MS }, process.env);
const { HOST: hostname, PORT: port } = settings;

// Next handles WebSockets on the server it is given. This one never listens: in production no client may reach Next's
// upgrade handler, and in development every request is stamped first.
const upgrades = http.createServer();
if (!dev) {
  // Like the server Next writes for standalone output: the build's settings apply, and no compiler is needed to read
  // next.config.ts.
  const built = path.join(process.cwd(), ".next", "required-server-files.json");
  const { config } = z.object({ config: z.looseObject({}) }).parse(JSON.parse(readFileSync(built, "utf8")));
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
const app = next({ dev, dir: process.cwd(), hostname, port, httpServer: upgrades });
const answer = app.getRequestHandler();

const server = createEntryServer({
  // In development the files change at runtime.
  files: dev ? undefined : compressedFiles(process.cwd()),
  rest: (request, response) => answer(request, response),
  ...(dev && {
    upgrade: (request, socket, head) => {
      if (!upgrades.emit("upgrade", request, socket, head)) socket.destroy();
    },
  }),
  failed: (error) => log.error({ err: error }, "request failed"),
  keepAliveMs: settings.KEEP_ALIVE_MS,
  // A page with hot reload keeps its socket open as long as it is open.
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
  process.stderr.write(`Parley cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
