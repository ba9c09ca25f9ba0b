import pino, { type Logger } from "pino";
import { logLevel } from "./settings/general";

/**
 * The server's log, JSON lines on stdout. Never log tokens, proofs, email addresses or bodies. Log request ids, operation
 * ids, codes and times instead.
 */
export const log: Logger = pino({
  level: logLevel(),
  base: undefined,
  serializers: { err: describeError },
});

/**
 * Returns the safe fields of an error. Database drivers attach queries and their parameters to errors, and viem puts whole
 * request bodies (proofs, nullifiers) into messages, next to a short one.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: "a value that is not an Error was thrown" };
  const short =
    "shortMessage" in error && typeof error.shortMessage === "string" ? error.shortMessage : undefined;
  return {
    name: error.name,
    message: short ?? error.message,
    code: "code" in error ? String(error.code) : undefined,
    // Only the frames: the first lines of a stack repeat the message.
    at: error.stack?.split("\n").filter((line) => /^\s+at /.test(line)),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
