import { runHousekeeping } from "@/lib/http/cron";
import { methodsBesides } from "@/lib/http/methods";

/** Seconds that a platform may give it: longer than its own budget. */
export const maxDuration = 60;
export const GET = runHousekeeping;
export const { POST, PUT, PATCH, DELETE } = methodsBesides("GET");
