import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { SOLC_VERSION } from "../../contracts/compile";
import { cacheDirectory, writeDirectory } from "./cache";
import { KeysError } from "./errors";
import type { CircuitKeys } from "./types";
import { runWorker } from "./worker";

/** Raise when the contents of a cached verifier or the way it is made change. */
const FORMAT = 1;
/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
const VERIFIER = "HonkVerifier";

/** Creation bytecode whose library addresses are still to be filled in. */
const linkableSchema = z.object({
  name: z.string(),
  /** 0x-prefixed; each library address is 40 placeholder characters */
  bytecode: z.string(),
  /** library name -> byte offsets of its address */
  links: z.record(z.string(), z.array(z.number().int())),
});
export type Linkable = z.infer<typeof linkableSchema>;

/** A generated verifier and the libraries to deploy before it. */
const verifierSchema = linkableSchema.extend({ libraries: z.array(linkableSchema) });
type CompiledVerifier = z.infer<typeof verifierSchema>;

const compiledSchema = z.record(z.string(), linkableSchema.extend({ deployedSize: z.number() }));

/**
 * The compiled verifier of a circuit: from the cache, or made in some three seconds. Only deploying needs it, so the
 * prover runs without a Solidity compiler.
 *
 * @throws KeysError when the generated verifier is not what this code was written for
 */
export async function ensureVerifier({
  soliditySource,
}: Pick<CircuitKeys, "soliditySource">): Promise<CompiledVerifier> {
  const id = createHash("sha256")
    .update(JSON.stringify([FORMAT, soliditySource, SOLC_VERSION]))
    .digest("hex");
  const directory = path.join(cacheDirectory(), `verifier-${id.slice(0, 32)}`);
  try {
    return verifierSchema.parse(JSON.parse(await readFile(path.join(directory, "verifier.json"), "utf8")));
  } catch {
    await rm(directory, { recursive: true, force: true }); // absent or damaged: made again
  }
  const verifier = await compileVerifier(soliditySource);
  await writeDirectory(directory, { "verifier.json": JSON.stringify(verifier) });
  return verifier;
}

/**
 * Compiles a generated verifier in a worker thread (about three seconds).
 *
 * @returns the verifier and the libraries it links to, in order of deployment.
 * @throws KeysError when the contract is not there or too large for the chain; SolidityError from solc.
 */
export async function compileVerifier(source: string): Promise<CompiledVerifier> {
  const contracts = compiledSchema.parse(await runWorker("verifier-worker", { source }));
  const linkable = (name: string): Linkable => {
    const contract = contracts[name];
    if (!contract || contract.deployedSize === 0)
      throw new KeysError(`the generated verifier has no ${name}`);
    if (contract.deployedSize > MAX_CODE_BYTES)
      throw new KeysError(`${name} is too large for a chain (EIP-170)`);
    return { name, bytecode: contract.bytecode, links: contract.links };
  };
  const verifier = linkable(VERIFIER);
  const libraries = Object.keys(verifier.links).sort().map(linkable);
  if (libraries.some((library) => Object.keys(library.links).length > 0)) {
    throw new KeysError("a library of the generated verifier links to another");
  }
  return { ...verifier, libraries };
}
