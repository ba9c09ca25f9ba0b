import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { compileCircuit } from "@/scripts/circuits/compile";
import { CIRCUITS_DIR } from "@/scripts/circuits/paths";
import { type Run, runnable } from "./circuit";

/** A hint of a crate, and how to pass what it returns through an oracle that the test answers. */
interface Hint {
  /** The oracle's name. */
  name: string;
  file: string;
  /** The call inside `unsafe { }`. */
  call: string;
  /** Type of what the call returns, and the generic parameters it needs. */
  generics: string;
  type: string;
}

/** Every `unsafe` block that the circuit compiles; the test counts them. */
export const HINTS: Hint[] = [
  {
    name: "end",
    file: "lib/sha256_tail/src/lib.nr",
    call: "one_hot::<N / 4 + 1>(spot)",
    generics: "<let N: u32>",
    type: "[bool; N]",
  },
  {
    name: "decoded",
    file: "lib/base64url/src/lib.nr",
    call: "split::<N>(values, phase)",
    generics: "<let N: u32>",
    type: "[u8; N]",
  },
  {
    name: "active",
    file: "lib/json_claims/src/claims.nr",
    call: "first_of::<MAX>(length)",
    generics: "<let N: u32>",
    type: "[bool; N]",
  },
  {
    name: "form",
    file: "bin/oidc_domain_attestation/src/verified.nr",
    call: "form(tape, at as u32, provider)",
    generics: "",
    type: "[bool; 5]",
  },
  {
    name: "division",
    file: "lib/rsa2048/src/lib.nr",
    call: "quotient_and_remainder(power, power, n, redc)",
    generics: "",
    type: "(Limbs, Limbs)",
  },
  {
    name: "quotient",
    file: "lib/rsa2048/src/lib.nr",
    call: "quotient_only(power, s, n, redc)",
    generics: "",
    type: "Limbs",
  },
];

/** The Noir sources that a circuit is compiled from, by path in the workspace. */
export function noirSources(): Map<string, string> {
  const files = ["lib", "bin"].flatMap((folder) =>
    fs
      .readdirSync(path.join(CIRCUITS_DIR, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".nr") || name.endsWith(".toml"))
      .map((name) => path.join(folder, name)),
  );
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(CIRCUITS_DIR, name), "utf8")]));
}

/** The source with the hint passed through `tamper_<name>`, in an otherwise unchanged program. */
function tampered(source: string, { name, call, generics, type }: Hint): string {
  if (source.split(`unsafe { ${call} }`).length !== 2) throw new Error(`${call} is not called once.`);
  const oracle = [
    `#[oracle(${name})]`,
    `unconstrained fn oracle_${name}${generics}(honest: ${type}) -> ${type} {}`,
    `unconstrained fn tamper_${name}${generics}(honest: ${type}) -> ${type} {`,
    `    oracle_${name}(honest)`,
    "}",
  ];
  const changed = source.replace(`unsafe { ${call} }`, `unsafe { tamper_${name}(${call}) }`);
  return `${changed}\n${oracle.join("\n")}\n`;
}

/**
 * Compiles the circuit with every hint passed through an oracle: the constraints are the same, and the
 * test decides what the hints say, as a hostile prover does.
 */
export async function circuitWithOracles(circuit: string): Promise<Run> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-hints-"));
  try {
    const sources = noirSources();
    for (const hint of HINTS) sources.set(hint.file, tampered(sources.get(hint.file) ?? "", hint));
    for (const [name, source] of sources) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), source);
    }
    return runnable(await compileCircuit(root, circuit));
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
