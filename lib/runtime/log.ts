import pino, { type Logger } from "pino";

declare global {
  /** One logger per process; bundlers may load this module more than once. */
  var parleyLog: Logger | undefined;
}

/**
 * The server's log, JSON lines on stdout. Never give it tokens, proofs, emails or bodies: request ids, operation
 * ids, codes and times are enough to find what happened.
 */
export const log: Logger = globalThis.parleyLog ?? createLog();

function createLog(): Logger {
  const level = process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info");
  globalThis.parleyLog = pino({ level, base: undefined });
  return globalThis.parleyLog;
}
