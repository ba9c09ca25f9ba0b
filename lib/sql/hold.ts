import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import net from "node:net";
import { createInterface } from "node:readline";
import type { PGlite } from "@electric-sql/pglite";
import type pg from "pg";
import { z } from "zod";

/** Time after which an owner goes on without the other process, whose copy is then refused. */
const HOLD_LIMIT_MS = 15 * 60_000;

/** An open database. */
interface Held {
  readonly pglite: PGlite;
  /** Takes the connection that all queries use. */
  readonly connect: () => Promise<pg.PoolClient>;
}

/** The socket of an embedded database's folder, beside it. */
export function holdSocketOf(folder: string): string {
  return `${folder}.hold`;
}

/** What the other process sends, a line of JSON each. */
const holdRequestSchema = z.object({ sql: z.string() });
/** What the owner sends: no rows once it holds still, and the rows of each statement. */
export const holdAnswerSchema = z.union([
  z.object({ rows: z.array(z.record(z.string(), z.unknown())) }),
  z.object({ error: z.string() }),
]);

/**
 * Lets another process of this user copy the files of an open database (scripts/backup): while it is connected to the
 * folder's socket, this process runs its statements and no others, so that no file changes.
 * @returns ends it, and every hold
 */
export async function serveHolds(folder: string, database: Held): Promise<() => Promise<void>> {
  const file = holdSocketOf(folder);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    void hold(socket, database).finally(() => socket.destroySoon());
  });
  server.on("error", () => undefined);
  server.unref();
  try {
    // Left by a process that was killed; the folder's lock says that nobody listens there.
    await rm(file, { force: true });
    server.listen(file);
    await once(server, "listening");
    await chmod(file, 0o600);
  } catch (error) {
    // A socket's path may have 107 bytes on Linux. Everything else works.
    console.error(`${folder} cannot be backed up while this process runs: ${String(error)}`);
  }
  return async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    await closed;
  };
}

/** Returns the lines that arrive. They end with the socket, also if this process or a fault ends it. */
export function linesOf(socket: net.Socket): AsyncIterator<string> {
  const lines = createInterface({ input: socket });
  socket.once("close", () => lines.close());
  return lines[Symbol.asyncIterator]();
}

async function hold(socket: net.Socket, { pglite, connect }: Held): Promise<void> {
  const limit = setTimeout(() => socket.destroy(), HOLD_LIMIT_MS).unref();
  // Made before anything is awaited: they also tell that the other process has gone meanwhile.
  const lines = linesOf(socket);
  const answer = (value: z.input<typeof holdAnswerSchema>) => socket.write(`${JSON.stringify(value)}\n`);
  let release: (() => void) | undefined;
  try {
    // The pool's only connection keeps all queries waiting; scripts that go past the pool wait for the transaction.
    const client = await connect();
    release = () => client.release();
    await pglite.transaction(async (transaction) => {
      answer({ rows: [] });
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        const { sql } = holdRequestSchema.parse(JSON.parse(line.value));
        answer({ rows: (await transaction.query<Record<string, unknown>>(sql)).rows });
      }
    });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  } finally {
    clearTimeout(limit);
    release?.();
  }
}
