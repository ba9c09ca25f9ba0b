import { BaseError } from "viem";

/** The program refuses to start, for another reason than its settings. The message contains no secret. */
export class StartRefusedError extends Error {
  override name = "StartRefusedError";
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
