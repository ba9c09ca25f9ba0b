import { startRecordKeeper } from "@/lib/community/records/keeper";
import { publishSocketAddresses } from "@/lib/http/address";
import { startHousekeeping } from "@/lib/runtime/housekeeping";
import { getServices } from "@/lib/runtime/services";
import { installShutdown, onShutdown } from "@/lib/runtime/shutdown";

/**
 * Starts the server's side of the process: settings, mode, database and its migrations, cache. Anything wrong ends
 * the process with one readable message; Next by itself would stay up and answer 500 to everything.
 */
export async function boot(): Promise<void> {
  // Uploads, embedded databases, fonts: what this process writes is for its own user.
  process.umask(0o077);
  try {
    publishSocketAddresses();
    const services = await getServices();
    onShutdown(() => services.live.close());
    onShutdown(startHousekeeping(services));
    onShutdown(startRecordKeeper(services));
    installShutdown(() => services.close());
  } catch (error) {
    console.error(`Parley cannot start: ${explain(error)}`);
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : "";
  return `${error.message}${cause}`;
}
