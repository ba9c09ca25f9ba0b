import assert from "node:assert/strict";
import { ApiError } from "@/lib/client";
import { plainReporter } from "../stack/progress";

const reporter = plainReporter(console.log, 58);
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
  const result = await reporter.step(title, ({ detail }) => work(detail));
  passed++;
  return result;
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
