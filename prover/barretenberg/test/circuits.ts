import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { kept } from "@/lib/testing/kept";
import { CircuitArtifact } from "../types";

/** Circuits for tests: small enough for a real SRS of 32,768 points and for a development SRS made in a second. */
export const SOURCES = {
  /** one field and four bytes in public, as the real circuits have them */
  square: `fn main(x: Field, y: pub Field, data: pub [u8; 4]) {
    assert(x != 5, "x is five");
    assert(x != 6, f"x is {x}");
    assert(x * x == y);
    assert(data[0] as u16 + data[1] as u16 == data[2] as u16 + data[3] as u16, "unbalanced");
}`,
  /** the same public inputs, another statement */
  cube: `fn main(x: Field, y: pub Field, data: pub [u8; 4]) {
    assert(x * x * x == y);
    assert(data[0] == data[1]);
}`,
  /** some twenty thousand gates, so that there is time to interrupt bb */
  medium: `fn main(x: pub Field) {
    let mut y = x;
    for _ in 0..20000 { y = y * y + x; }
    assert(y != 0);
}`,
  /** a second or so of unconstrained work */
  slow: `fn main(x: pub u32) { 
    // Safety: a test of patience, not of soundness.
    let y = unsafe { spin(x) };
    assert(y == y);
}
unconstrained fn spin(x: u32) -> u32 { let mut y: u32 = x; for i in 0..400000 { y = (y ^ i) % 65521; } y }`,
};

/** One of SOURCES, compiled once for all test runs. */
export async function compileCircuit(name: keyof typeof SOURCES): Promise<CircuitArtifact> {
  const source = SOURCES[name];
  const compiled = await kept(
    `${name}.json`,
    { of: [name, source], packages: ["@noir-lang/noir_wasm"] },
    async () => Buffer.from(JSON.stringify(await compileSource(name, source))),
  );
  return CircuitArtifact.parse(JSON.parse(Buffer.from(compiled).toString()));
}

/** Compiles a program of one file in a directory that is gone afterwards. */
export async function compileSource(name: string, source: string): Promise<CircuitArtifact> {
  // The compiler takes a second to load, for those who need it.
  const { compile_program, createFileManager } = await import("@noir-lang/noir_wasm");
  const root = await mkdtemp(path.join(tmpdir(), "parley-noir-"));
  try {
    await mkdir(path.join(root, name, "src"), { recursive: true });
    const manifest = `[package]\nname = "${name}"\ntype = "bin"\nauthors = [""]\n[dependencies]\n`;
    await writeFile(path.join(root, name, "Nargo.toml"), manifest);
    await writeFile(path.join(root, name, "src", "main.nr"), source);
    const silent = () => {};
    const { program } = await compile_program(createFileManager(root), path.join(root, name), silent, silent);
    return CircuitArtifact.parse({ ...program, name, noirVersion: program.noir_version });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The word of a field element as bb gives it. */
export function word(value: bigint | number): `0x${string}` {
  return `0x${BigInt(value).toString(16).padStart(64, "0")}`;
}
