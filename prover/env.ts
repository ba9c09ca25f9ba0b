import { BaseError } from "viem";
import type { z } from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The program refuses to start; the message names each wrong variable and never its value. */
export class StartRefusedError extends Error {
  override name = "StartRefusedError";
}

/**
 * Reads variables with a schema.
 * @throws StartRefusedError naming each wrong variable
 */
export function readEnvironment<S extends z.ZodType>(schema: S, environment: Environment): z.output<S> {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  throw new StartRefusedError(`cannot start: ${problems.join("; ")}`);
}

/** Runs a program's start. A failure ends the process after one line, or with its stack if it is a defect. */
export async function startOrExit(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (error instanceof Error && error.name !== "TypeError") {
      // A node's refusal says why; the rest of viem's message may hold the URL with a key.
      const reason = error.cause instanceof BaseError ? `: ${error.cause.shortMessage}` : "";
      console.error(`${error.name}: ${error.message}${reason}`);
    } else console.error(error);
    process.exit(1);
  }
}
