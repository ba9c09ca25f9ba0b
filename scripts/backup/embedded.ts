import { once } from "node:events";
import { access, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { FolderInUseError } from "@/lib/sql/folder-lock";
import { holdAnswerSchema, holdSocketOf, linesOf } from "@/lib/sql/hold";
import { openFolder } from "@/lib/sql/pglite";
import { codeOf } from "./problem";
import type { Snapshot } from "./snapshot";
import { packFolder, unpackFolder } from "./tar";

/** Holds an embedded database still while it is copied: its owner serves nobody else meanwhile. */
export async function snapshotOfFolder(directory: string): Promise<Snapshot> {
  const folder = path.resolve(directory);
  await access(path.join(folder, "PG_VERSION")).catch(() => {
    throw new Error(`there is no database in ${folder}`);
  });
  const owned = await connect(folder);
  if (owned) return await held(folder, owned, async () => undefined);
  // Nobody has it open: this process becomes its owner.
  const share = await openFolder(folder, {});
  try {
    const socket = await connect(folder);
    if (!socket) throw new FolderInUseError(folder, "a process that does not answer");
    return await held(folder, socket, share.release);
  } catch (error) {
    await share.release();
    throw error;
  }
}

/** @returns undefined if nobody listens */
async function connect(folder: string): Promise<net.Socket | undefined> {
  const socket = net.connect(holdSocketOf(folder));
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    if (["ENOENT", "ECONNREFUSED"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

async function held(folder: string, socket: net.Socket, release: () => Promise<void>): Promise<Snapshot> {
  socket.on("error", () => undefined);
  const lines = linesOf(socket);
  const next = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`the process that owns ${folder} ended the hold`);
    const answer = holdAnswerSchema.parse(JSON.parse(line.value));
    if ("error" in answer) throw new Error(answer.error);
    return answer.rows;
  };
  const query = async (sql: string) => {
    socket.write(`${JSON.stringify({ sql })}\n`);
    return await next();
  };
  await next();
  const [row] = await query("show server_version");
  return {
    engine: "embedded",
    version: String(row?.server_version),
    query,
    async *dump() {
      // Everything is in the files from here on, and the copy starts without recovery.
      await query("checkpoint");
      yield* packFolder(folder);
      // Answered only if the folder was held all the time.
      await query("select 1");
    },
    async close() {
      socket.destroy();
      await release();
    },
  };
}

/** Returns what is in the way of a restored folder. */
export async function inFolder(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch(() => []);
  return names.length > 0 ? `the folder ${directory} is not empty` : undefined;
}

/** Writes a dump's files. The folder appears complete or not at all. */
export async function restoreFolder(directory: string, dump: AsyncIterable<Uint8Array>): Promise<void> {
  const folder = path.resolve(directory);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  try {
    await unpackFolder(partial, dump);
    await rmdir(folder).catch(() => undefined);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}
