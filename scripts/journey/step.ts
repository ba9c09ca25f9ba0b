import assert from "node:assert/strict";
import { ApiError } from "@/lib/client";
import { formatElapsed } from "../stack/progress";

let passed = 0;

/** Returns the number of steps that passed so far. */
export function passedSteps(): number {
  return passed;
}

/** Runs and prints one step. An error ends the journey: every later step would fail for the same reason. */
export async function step<T>(
  title: string,
  work: (say: (detail: string) => void) => Promise<T>,
): Promise<T> {
  const started = Date.now();
  let detail = "";
  const line = (mark: string) =>
    console.log(
      `${mark} ${title.padEnd(58)} ${formatElapsed(Date.now() - started).padStart(7)}${detail ? `  ${detail}` : ""}`,
    );
  try {
    const result = await work((text) => {
      detail = text;
    });
    passed++;
    line("  ok");
    return result;
  } catch (error) {
    line("FAIL");
    throw error;
  }
}

/** Asserts that the request is refused with exactly this status and code. */
export async function refused(
  status: number,
  code: string,
  request: () => Promise<unknown>,
): Promise<ApiError> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    assert.deepEqual([error.status, error.code], [status, code], error.message);
    return error;
  }
  throw new Error(`expected ${status} ${code}, but it was allowed`);
}
