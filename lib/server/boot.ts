import { startRecordKeeper } from "@/lib/community/records/keeper";
import type { Services } from "@/lib/runtime/assemble";
import { startHousekeeping } from "@/lib/runtime/housekeeping";
import type { AppParts } from "@/lib/runtime/process";
import { getServices } from "@/lib/runtime/services";

/** What was started, and how it ends. */
export type Booted = Pick<AppParts, "stop" | "close"> & { readonly services: Services };

/**
 * Starts the server's side of the process: settings, mode, database and its migrations, cache. Anything wrong ends
 * the process with one readable message; Next by itself would stay up and answer 500 to everything.
 */
export async function boot(): Promise<Booted> {
  // Uploads, embedded databases, fonts: what this process writes is for its own user.
  process.umask(0o077);
  try {
    const services = await getServices();
    const closers = [() => services.live.close(), startHousekeeping(services), startRecordKeeper(services)];
    return {
      services,
      async stop() {
        await Promise.allSettled(closers.map((close) => close()));
      },
      close: () => services.close(),
    };
  } catch (error) {
    console.error(`Parley cannot start: ${explain(error)}`);
    process.exit(1);
  }
}

/**
 * Ends event streams at SIGTERM and SIGINT where another server runs Next (`next start`): it waits for requests under
 * way, and a stream would keep it waiting. Where nobody else listens to the signal, it ends the process as usual.
 */
export function stopAtSignals(stop: () => Promise<void>): void {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, async () => {
      await stop();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
