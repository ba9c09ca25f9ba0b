/** The benches of `npm run bench -- <name>`. */
export const benchNames = ["api", "chat", "prove", "prover"] as const;
