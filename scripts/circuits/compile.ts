import path from "node:path";
import type { CompiledCircuit } from "@noir-lang/noir_js";
import { compile_contract, compile_program, createFileManager } from "@noir-lang/noir_wasm";

/** The compiler's description of a program's parameters. */
export type Abi = CompiledCircuit["abi"];

/** A compiled circuit, without data that depends on where or when it was compiled. */
export interface CircuitArtifact {
  name: string;
  noirVersion: string;
  abi: Abi;
  /** Gzipped ACIR, base64. */
  bytecode: string;
  hash: string;
}

/** A function of a compiled test contract. */
export type TestFunction = Awaited<ReturnType<typeof compileContract>>[number];

/** Ignores the compiler's report about each file. */
const silent = () => undefined;

/**
 * Compiles `bin/<name>` of the Noir workspace at `root`.
 * @throws Error with the compiler's diagnostics
 */
export async function compileCircuit(root: string, name: string): Promise<CircuitArtifact> {
  const { program } = await compiled(() =>
    compile_program(createFileManager(root), path.join(root, "bin", name), silent, silent),
  );
  return {
    name,
    noirVersion: program.noir_version.replace(/\+.*/, ""),
    abi: program.abi,
    bytecode: program.bytecode,
    hash: String(program.hash ?? ""),
  };
}

/** Compiles a contract package of the workspace and returns its functions. */
export async function compileContract(root: string, packageDir: string) {
  const { contract } = await compiled(() =>
    compile_contract(createFileManager(root), packageDir, silent, silent),
  );
  return contract.functions.map(({ name, abi, bytecode }) => ({ name, abi, bytecode }));
}

interface Diagnostic {
  message: string;
  file: string;
  secondaries: { message: string; start: number }[];
}

function diagnosticsOf(error: unknown): Diagnostic[] {
  if (!(error instanceof Error)) return [];
  if ("diagnostics" in error && Array.isArray(error.diagnostics)) return error.diagnostics;
  return diagnosticsOf(error.cause);
}

/** Lines that the compiler prints to the console, where they would break JSON output. */
const COMPILER_LINES = /^(Compiling at |skipping already resolved dependency )/;

/** Runs the compiler without its console lines, and turns its diagnostics into one readable message. */
async function compiled<T>(run: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = (...line: unknown[]) => {
    if (!COMPILER_LINES.test(String(line[0]))) log(...line);
  };
  try {
    return await run();
  } catch (error) {
    const lines = diagnosticsOf(error)
      .slice(0, 8)
      .map(
        ({ file, message, secondaries }) =>
          `${file}: ${message}${secondaries.map((secondary) => `\n  ${secondary.message}`).join("")}`,
      );
    throw new Error(`Noir did not compile.\n${lines.join("\n") || String(error)}`, { cause: error });
  } finally {
    console.log = log;
  }
}
