import { createHash } from "node:crypto";
import { z } from "zod";
import { SOLC_VERSION } from "../../contracts/compile";
import { cachedJson } from "./cache";
import { KeysError } from "./errors";
import type { CircuitKeys } from "./types";
import { runWorker } from "./worker";

/** Raise when the contents of a cached verifier, or how it is made, change. */
const FORMAT = 1;
/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
const VERIFIER = "HonkVerifier";

/** Creation bytecode without its library addresses. */
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
 * Returns the compiled verifier of a circuit: from the cache, or made in about three seconds. Only deploying needs it,
 * so the prover runs without a Solidity compiler.
 * @throws KeysError if the generated verifier is not what this code was written for
 */
export async function ensureVerifier({
  soliditySource,
}: Pick<CircuitKeys, "soliditySource">): Promise<CompiledVerifier> {
  const id = createHash("sha256")
    .update(JSON.stringify([FORMAT, soliditySource, SOLC_VERSION]))
    .digest("hex");
  const make = () => compileVerifier(soliditySource);
  return await cachedJson(`verifier-${id.slice(0, 32)}`, verifierSchema, make);
}

/**
 * Compiles a generated verifier in a worker thread (about three seconds).
 * @returns the verifier and the libraries it links to, in order of deployment
 * @throws KeysError if the contract is missing or too large for the chain; SolidityError from solc
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
