import { createHash, timingSafeEqual } from "node:crypto";
import { Refusal } from "@/lib/errors";
import { houseRound } from "@/lib/runtime/housekeeping";
import { getServices } from "@/lib/runtime/services";
import { jsonReply, route, webResponse } from "./reply";

/** After which no further chore begins; the platform gives it a minute (app/cron/housekeeping/route.ts). */
const BUDGET_MS = 40_000;

/**
 * GET /cron/housekeeping: one bounded round of what timers do elsewhere, for the clock of a serverless platform, which
 * sends CRON_SECRET as a bearer token (Vercel does). To everyone else the address does not exist.
 */
export const runHousekeeping = route("cron.housekeeping", async (request, _params, requestId) => {
  const services = await getServices();
  const { cronSecret } = services.config;
  if (!cronSecret || !isSame(request.headers.get("authorization") ?? "", `Bearer ${cronSecret}`)) {
    throw new Refusal("not_found");
  }
  return webResponse(jsonReply(200, { done: await houseRound(services, BUDGET_MS) }, requestId));
});

/** Compares in a time that does not depend on where two texts differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
