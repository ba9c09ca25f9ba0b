import { expect } from "vitest";
import { type ProofInputCode, ProofInputError } from "../errors";

/**
 * Expects a refusal with this code and field, whose error holds nothing of what is private.
 * @param secrets hex that must not stand in it.
 */
export async function refused(
  run: Promise<unknown>,
  code: ProofInputCode,
  field: string,
  secrets: readonly string[],
): Promise<void> {
  const error = await run.then(
    () => expect.fail("was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProofInputError)) throw error;
  expect({ code: error.code, field: error.field }).toEqual({ code, field });
  const told = JSON.stringify(error, Object.getOwnPropertyNames(error)).toLowerCase();
  for (const secret of secrets) expect(told).not.toContain(secret.toLowerCase().slice(2));
  expect(error.message).not.toMatch(/\bFR\b/);
  expect(error).not.toHaveProperty("cause");
}
