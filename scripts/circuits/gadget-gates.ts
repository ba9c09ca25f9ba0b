import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { countGates } from "./bb";
import { compileCircuit } from "./compile";
import { GADGETS, type Gadget } from "./gadgets";
import { CIRCUITS_DIR, crateNames } from "./paths";

/** What a gadget costs in a circuit that has hashes and signatures anyway. */
export interface GadgetCost {
  crate: string;
  gadget: string;
  gates: number;
}

/**
 * What every measured program does besides: four hashes and a signature. A small circuit is as long as the lookup tables of
 * what it uses, so that a gadget's own gates only show in one that is longer.
 */
const BALLAST = {
  imports: { keccak256: "hash_node as ballast_hash", secp256k1_account: "assert_signed as ballast_signed" },
  also: "use secp256k1_account::{PublicKey as BallastKey, Signature as BallastSignature};",
  parameters: "ballast_b: [[u64; 4]; 5], ballast_k: [[u8; 32]; 4]",
  call: [
    "let mut ballast = ballast_b[0];",
    "for i in 1..5 { ballast = ballast_hash(ballast, ballast_b[i]); }",
    "ballast_signed(BallastKey { x: ballast_k[0], y: ballast_k[1] }, BallastSignature { r: ballast_k[2], s: ballast_k[3] }, ballast);",
  ].join(" "),
};

/** A program with the gadget's parameters that calls it, or does not. */
function programOf({ also = {}, call, crate, parameters, uses }: Gadget, isCalled: boolean): string {
  const imports = [BALLAST.imports, also, { [crate]: uses }].flatMap((names) =>
    Object.entries(names).map(([from, name]) => `use ${from}::${name};`),
  );
  const declared = Object.entries(parameters).map(([name, type]) => `${name}: ${type}`);
  return [
    ...imports,
    BALLAST.also,
    `fn main(${[BALLAST.parameters, ...declared].join(", ")}) {`,
    BALLAST.call,
    isCalled ? call : "",
    "}",
  ].join("\n");
}

async function gatesOf(root: string, source: string): Promise<number> {
  const dir = path.join(root, "bin", "gadget");
  fs.mkdirSync(path.join(dir, "src"), { recursive: true });
  const dependencies = crateNames().map((crate) => `${crate} = { path = "../../lib/${crate}" }`);
  const manifest = ["[package]", 'name = "gadget"', 'type = "bin"', "[dependencies]", ...dependencies];
  fs.writeFileSync(path.join(dir, "Nargo.toml"), `${manifest.join("\n")}\n`);
  fs.writeFileSync(path.join(dir, "src", "main.nr"), source);
  return countGates(await compileCircuit(root, "gadget"));
}

/**
 * Measures gadgets, one program after another, and hands each result over as it comes. A gadget's inputs are parameters of
 * the program, so that nothing is worked out at compile time; what the parameters cost by themselves is taken off.
 */
export async function measureGadgets(
  report: (cost: GadgetCost) => void,
  gadgets: readonly Gadget[] = GADGETS,
): Promise<void> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-gadgets-"));
  try {
    fs.cpSync(path.join(CIRCUITS_DIR, "lib"), path.join(root, "lib"), { recursive: true });
    for (const gadget of gadgets) {
      const without = await gatesOf(root, programOf(gadget, false));
      const gates = (await gatesOf(root, programOf(gadget, true))) - without;
      report({ crate: gadget.crate, gadget: gadget.name, gates });
    }
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
