import { log } from "./log";
import type { Services } from "./services";

const everyMs = 10 * 60 * 1000;

/** Deletes what expired long enough ago that nothing asks for it. */
export async function sweepExpired({ db, now }: Pick<Services, "db" | "now">): Promise<void> {
  for (const table of ["challenges", "revoked_sessions", "verifications"] as const) {
    await db.deleteFrom(table).where("expires_at", "<", now()).execute();
  }
}

/** Sweeps every ten minutes; the timer does not keep the process alive. @returns a function that stops it */
export function startHousekeeping(services: Services): () => void {
  const timer = setInterval(() => {
    sweepExpired(services).catch((error: unknown) => log.warn({ err: error }, "sweep failed"));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
