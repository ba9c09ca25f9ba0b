/** What keeps a backup or a restore from being done; its message is for the operator and contains no secret. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** Returns the code of a system error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
