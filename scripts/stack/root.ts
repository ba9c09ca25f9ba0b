import path from "node:path";

/** The repository's root; every child runs there, whatever the caller's working directory is. */
export const ROOT = path.resolve(import.meta.dirname, "..", "..");
