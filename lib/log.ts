import pino, { type Logger } from "pino";
import { logLevel } from "./settings/general";

/** Message of the line of a request. */
export const REQUEST = "request";
/** Lines of requests are written together, once there are so many bytes of them or so long after the first. */
const BATCH_BYTES = 4_096;
const BATCH_MS = 100;

/**
 * Makes a log of JSON lines on standard output. All writes are synchronous, so that a crash loses none and lines of several
 * copies of this module never mix; lines of requests wait for the next other line, for a full batch or for 100 ms (measured on
 * a pipe: 2 instead of 4 to 7 µs each). Only a process that is killed loses those.
 */
function createLog(level: string): Logger {
  const lines = pino.destination({ dest: 1, sync: true, minLength: BATCH_BYTES, periodicFlush: BATCH_MS });
  process.on("exit", () => lines.flush());
  const destination = {
    [pino.symbols.needsMetadataGsym]: true,
    // Set by pino before it writes.
    lastMsg: "",
    write(line: string): void {
      lines.write(line);
      if (destination.lastMsg !== REQUEST) lines.flush();
    },
  };
  return pino({ level, base: undefined, serializers: { err: describeError } }, destination);
}

/**
 * The server's log on standard output. Never log tokens, proofs, email addresses or bodies. Log request ids, operation
 * ids, codes and times instead.
 */
export const log: Logger = createLog(logLevel());

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
