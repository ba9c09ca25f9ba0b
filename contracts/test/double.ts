import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Hex } from "viem";
import { compileSolidity } from "../compile";

/** Creation bytecode of a contract in contracts/test/doubles.sol. */
export async function double(name: string): Promise<Hex> {
  const source = await readFile(path.join(import.meta.dirname, "doubles.sol"), "utf8");
  const contract = compileSolidity({ "doubles.sol": source }, { allowWarnings: true })[name];
  if (!contract) throw new Error(`no double ${name}`);
  return `0x${contract.bytecode.slice(2)}`;
}
