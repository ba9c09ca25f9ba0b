/** The benches of `npm run bench -- <name>`. */
export const benchNames = [
  "api",
  "pages",
  "embedded",
  "chat",
  "start",
  "prove",
  "prover",
  "anonymous",
  "ballots",
  "costs",
  "rolling",
] as const;
