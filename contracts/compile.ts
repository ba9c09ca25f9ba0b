import { createRequire } from "node:module";
import { z } from "zod";

/**
 * solc for everything Parley compiles: one set of options, so that the same source gives the same bytecode in
 * the build script, in the prover and in a test.
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
  /** as solc gives it; validate before use */
  abi: Record<string, unknown>[];
  /** creation bytecode, 0x-prefixed; each unlinked library is 40 placeholder characters */
  bytecode: string;
  /** library name -> byte offsets of its address in `bytecode` */
  links: Record<string, number[]>;
  /** bytes of the code that stays on chain; EIP-170 allows 24,576 */
  deployedSize: number;
}

/** The source does not compile; the message is solc's, without paths outside the given sources. */
class SolidityError extends Error {
  override name = "SolidityError";
}

const load = createRequire(import.meta.url);

/** The compiler's release, for example "0.8.37". */
export const SOLC_VERSION = z.object({ version: z.string() }).parse(load("solc/package.json")).version;

/**
 * Compiles a set of sources (name -> text) with the optimizer, without the IR pipeline, for Cancun.
 * Synchronous and slow (seconds for a verifier): call it in a worker where an event loop matters.
 *
 * @throws SolidityError with solc's messages. Warnings are errors in our own code; `allowWarnings` is for
 * generated code.
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
      // No metadata hash: the bytecode then depends on nothing but the code.
      metadata: { bytecodeHash: "none", appendCBOR: false },
      outputSelection: {
        "*": {
          "*": ["abi", "evm.bytecode.object", "evm.bytecode.linkReferences", "evm.deployedBytecode.object"],
        },
      },
    },
  };
  // Loaded on first use and past any TypeScript loader: it is 9 MB, and transforming it takes seconds.
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
