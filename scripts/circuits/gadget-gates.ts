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
 * What every measured program does besides: four hashes and a signature. A small circuit is as long as the
 * lookup tables of what it uses, so that a gadget's own gates only show in one that is longer.
 */
const BALLAST = {
  imports: {
    keccak256: "{hash_node as ballast_hash, to_bytes as ballast_bytes}",
    secp256k1_account: "assert_signed as ballast_signed",
  },
  also: "use secp256k1_account::{PublicKey as BallastKey, Signature as BallastSignature};",
  parameters: "ballast_b: [[u64; 4]; 5], ballast_k: [[u8; 32]; 4]",
  call: [
    "let mut ballast = ballast_b[0];",
    "for i in 1..5 { ballast = ballast_hash(ballast, ballast_b[i]); }",
    "ballast_signed(BallastKey { x: ballast_k[0], y: ballast_k[1] }, BallastSignature { r: ballast_k[2], s: ballast_k[3] }, ballast_bytes(ballast));",
  ].join(" "),
};

/** Parameters of a gadget in a program that has those of all, by their names there. */
function parametersOf(gadget: Gadget, at: number): [name: string, own: string, type: string][] {
  return Object.entries(gadget.parameters).map(([own, type]) => [`g${at}_${own}`, own, type]);
}

/** A program with the parameters of all gadgets that calls the one at `called`, or none. */
function programOf(gadgets: readonly Gadget[], called: number | undefined): string {
  const gadget = called === undefined ? undefined : gadgets[called];
  const declared = gadgets.flatMap((each, at) =>
    parametersOf(each, at).map(([name, , type]) => `${name}: ${type}`),
  );
  const bound = gadget ? parametersOf(gadget, called ?? 0).map(([name, own]) => `let ${own} = ${name};`) : [];
  const imports = [BALLAST.imports, ...(gadget ? [gadget.also ?? {}, { [gadget.crate]: gadget.uses }] : [])];
  return [
    ...imports.flatMap((names) => Object.entries(names).map(([from, name]) => `use ${from}::${name};`)),
    BALLAST.also,
    `fn main(${[BALLAST.parameters, ...declared].join(", ")}) {`,
    BALLAST.call,
    ...bound,
    gadget?.call ?? "",
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
 * Measures gadgets and hands each result over as it comes. A gadget's inputs are parameters of the program,
 * so that nothing is worked out at compile time; what the parameters cost by themselves is not counted.
 */
export async function measureGadgets(
  report: (cost: GadgetCost) => void,
  gadgets: readonly Gadget[] = GADGETS,
): Promise<void> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-gadgets-"));
  try {
    fs.cpSync(path.join(CIRCUITS_DIR, "lib"), path.join(root, "lib"), { recursive: true });
    const without = await gatesOf(root, programOf(gadgets, undefined));
    for (const [at, { crate, name }] of gadgets.entries()) {
      report({ crate, gadget: name, gates: (await gatesOf(root, programOf(gadgets, at))) - without });
    }
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
