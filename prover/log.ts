import pino, { type Logger } from "pino";

/** JSON lines on standard output. What is logged holds no inputs; the list is the second line of defence. */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    redact: {
      paths: ["inputs", "jwt", "signature", "token", "jobToken", "authorization", "headers", "body"].flatMap(
        (name) => [name, `*.${name}`],
      ),
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
