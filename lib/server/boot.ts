import type { Services } from "@/lib/runtime/assemble";
import { startHousekeeping } from "@/lib/runtime/housekeeping";
import { type AppParts, processState } from "@/lib/runtime/process";
import { getServices } from "@/lib/runtime/services";

export type Booted = Pick<AppParts, "stop" | "close"> & { readonly services: Services };

/**
 * Starts the server side of the process: settings, mode, database and its migrations, cache. Any failure ends the
 * process with one readable message; Next alone would keep running and answer 500 to everything.
 */
export async function boot(): Promise<Booted> {
  // Only this process's user may read what it writes: uploads, embedded databases, fonts.
  process.umask(0o077);
  try {
    const services = await getServices();
    // next-auth takes our address from it.
    process.env.NEXTAUTH_URL ??= services.deployment.services.appUrl;
    const { metrics } = services.config;
    // Without our own server the platform measures, and a process has no port of its own.
    const measured =
      metrics && processState().entry
        ? await (await import("@/lib/runtime/metrics")).startMetrics(services, metrics)
        : undefined;
    // No timers where the platform's clock asks for rounds: a chore that is frozen in a transaction holds its locks.
    const isAsked = services.config.cronSecret !== undefined && !processState().entry;
    const stopHousekeeping = isAsked ? () => undefined : startHousekeeping(services);
    const closers = [() => services.live.close(), stopHousekeeping, async () => measured?.close()];
    return {
      services,
      async stop() {
        await Promise.allSettled(closers.map((close) => close()));
      },
      close: () => services.close(),
    };
  } catch (error) {
    process.stderr.write(`Parley cannot start: ${explain(error)}\n`);
    process.exit(1);
  }
}

/**
 * Ends event streams at SIGTERM and SIGINT where another server runs Next (`next start`): it waits for open requests,
 * and a stream would keep it waiting. Without another listener for the signal, the process then ends as usual.
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
