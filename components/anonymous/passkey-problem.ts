import { PasskeyError } from "@/lib/client/anonymous/passkey";

/** Waits for a passkey. @returns why it made no secret; null when it did @throws what is no matter of passkeys */
export async function problemOf(work: Promise<void>): Promise<PasskeyError["problem"] | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof PasskeyError) return error.problem;
    throw error;
  }
}
