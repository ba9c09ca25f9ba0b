import { createRequire } from "node:module";
import { z } from "zod";

/**
 * solc with one set of options, so that the same source gives the same bytecode in the build script, in the prover and in
 * tests.
 */

const References = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.number().int(), length: z.literal(20) }))),
);
const Bytecode = z.object({ object: z.string(), linkReferences: References.default({}) });
const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.record(z.string(), z.unknown())),
          evm: z.object({ bytecode: Bytecode, deployedBytecode: z.object({ object: z.string() }) }),
        }),
      ),
    )
    .default({}),
});

/** One compiled contract or library. */
export interface CompiledContract {
  name: string;
  /** Unchecked output of solc; validate it before use. */
  abi: Record<string, unknown>[];
  /** Creation bytecode, 0x-prefixed; each unlinked library is 40 placeholder characters. */
  bytecode: string;
  /** Byte offsets of each library's address in `bytecode`, by library name. */
  links: Record<string, number[]>;
  /** Bytes of the deployed code; EIP-170 allows 24,576. */
  deployedSize: number;
}

/** The source does not compile. The message is solc's. */
class SolidityError extends Error {
  override name = "SolidityError";
}

const load = createRequire(import.meta.url);

/** The version of the compiler, for example "0.8.37". */
export const SOLC_VERSION = z.object({ version: z.string() }).parse(load("solc/package.json")).version;

/**
 * Compiles sources (text by name) with the optimizer, without the IR pipeline, for Cancun. Synchronous and slow (seconds
 * for a verifier): call it in a worker if the event loop matters.
 * @throws SolidityError with solc's messages. Warnings are errors in our own code; `allowWarnings` is for generated code
 */
export function compileSolidity(
  sources: Record<string, string>,
  { allowWarnings = false }: { allowWarnings?: boolean } = {},
): Record<string, CompiledContract> {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: "cancun",
      // No metadata hash, so that the bytecode depends only on the code.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: {
        "*": {
          "*": ["abi", "evm.bytecode.object", "evm.bytecode.linkReferences", "evm.deployedBytecode.object"],
        },
      },
    },
  };
  // Loaded on first use, and not by a TypeScript loader: transforming its 9 MB takes seconds.
  const solc: typeof import("solc") = load("solc");
  const output = Output.parse(JSON.parse(solc.compile(JSON.stringify(input))));
  const problems = output.errors.filter((error) => !allowWarnings || error.severity === "error");
  if (problems.length > 0)
    throw new SolidityError(problems.map((error) => error.formattedMessage).join("\n"));

  const contracts: Record<string, CompiledContract> = {};
  for (const unit of Object.values(output.contracts)) {
    for (const [name, { abi, evm }] of Object.entries(unit)) {
      const links: Record<string, number[]> = {};
      for (const file of Object.values(evm.bytecode.linkReferences)) {
        for (const [library, places] of Object.entries(file))
          links[library] = places.map((place) => place.start);
      }
      contracts[name] = {
        name,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
        links,
        deployedSize: evm.deployedBytecode.object.length / 2,
      };
    }
  }
  return contracts;
}
