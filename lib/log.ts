import pino, { type Logger } from "pino";

/**
 * The server's log, JSON lines on stdout. Never give it tokens, proofs, emails or bodies: request ids, operation
 * ids, codes and times are enough to find what happened.
 */
export const log: Logger = pino({
  level: process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info"),
  base: undefined,
  serializers: { err: describeError },
});

/**
 * What a log line says of an error. Only these fields: database drivers hang queries and their parameters on errors,
 * and viem writes whole request bodies (proofs, nullifiers) into messages, keeping a short one beside them.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "something was thrown that is no Error" };
  const short =
    "shortMessage" in error && typeof error.shortMessage === "string" ? error.shortMessage : undefined;
  return {
    name: error.name,
    message: short ?? error.message,
    code: "code" in error ? String(error.code) : undefined,
    // The first lines of a stack repeat the message; the frames say where.
    at: error.stack?.split("\n").filter((line) => /^\s+at /.test(line)),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
