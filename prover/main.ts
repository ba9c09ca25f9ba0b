import { loadBackend } from "./backend";
import { proverConfig } from "./config";
import { refuseDumps } from "./dumps";
import { startOrExit } from "./env";
import { startProver } from "./server";

/** Entry of the prover: `tsx prover/main.ts`. */
await startOrExit(async () => {
  // Only its own user may read what this process writes (keys, its embedded database).
  process.umask(0o077);
  const config = proverConfig(process.env);
  if (config.deployment.mode === "production") await refuseDumps();
  const backend = await loadBackend(config.deployment, {
    ...config.bb,
    onProgress: (step, fraction) => console.log(`${step} ${Math.round(fraction * 100)} %`),
  });
  const prover = await startProver(config, { backend });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void prover.close().then(() => process.exit(0)));
  }
  await backend.warm();
  console.log(`prover listening on ${prover.url}`);
});
