import { SrsError } from "@/prover/barretenberg";
import { DeployError, readOptions } from "./deploy/options";
import { deployCircuit } from "./deploy/run";

/**
 * `npm run contracts:deploy`: deploys one circuit's verifier to one chain (docs/deploy.md, "Verifiers"). Exits with 1 when
 * nothing was deployed, or the deployment is not correct.
 */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  let step = "";
  const { done, entry } = await deployCircuit(options, {
    say: (line) => console.log(line),
    onProgress: (progress) => {
      if (progress.step !== step) console.log(`${progress.step} …`);
      step = progress.step;
    },
  });
  console.log(entry ? `${done}: ${options.circuit} on chain ${options.chainId} at ${entry.front}` : done);
}

main().catch((error: unknown) => {
  const expected = error instanceof DeployError || error instanceof SrsError;
  console.error(expected ? error.message : error);
  process.exit(1);
});
