import { log, REQUEST } from "@/lib/log";
import { processState } from "./process";

/** A request that was answered. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** Id of an operation or a route, `page`, `static` or `other`; never a path. */
  readonly operation: string;
  readonly status: number;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** What load balancers and scrapers ask all the time, and files. */
const UNLOGGED: ReadonlySet<string> = new Set(["service.health", "service.ready", "static"]);
/** `next dev` writes lines of its own. */
const isLogged = process.env.NODE_ENV !== "development";

/** Counts a request and logs its line, without address, user, token or path. */
export function noteRequest({ requestId, operation, status, startedAt }: AnsweredRequest): void {
  const ms = performance.now() - startedAt;
  processState().metrics?.request(operation, status, ms);
  if (isLogged && !UNLOGGED.has(operation)) {
    log.info({ requestId, operation, status, ms: Math.round(10 * ms) / 10 }, REQUEST);
  }
}
