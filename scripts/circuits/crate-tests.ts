import fs from "node:fs";
import path from "node:path";
import { Noir } from "@noir-lang/noir_js";
import { withFolder } from "../stack/folder";
import { compileContract, type TestFunction } from "./compile";
import { CIRCUITS_DIR } from "./paths";

/** A `#[test]` of a crate. If the test must fail, `failsWith` is the text that its message must contain. */
export interface CrateTest {
  name: string;
  failsWith: string | undefined;
}

const TEST = /#\[test(?:\((should_fail(?:_with\s*=\s*"([^"]*)")?)\))?\]\s*(?:pub(?:\(crate\))?\s+)?fn (\w+)/g;

/**
 * Writes a contract package with the crate's tests as its functions. The compiler's WASM build cannot run tests, but it
 * compiles a contract function like a program.
 */
function writeContract(root: string, crate: string, tests: CrateTest[]): string {
  const dir = path.join(root, "lib", crate);
  const src = path.join(dir, "src");
  const manifest = path.join(dir, "Nargo.toml");
  fs.writeFileSync(manifest, fs.readFileSync(manifest, "utf8").replace('type = "lib"', 'type = "contract"'));
  const testFile = path.join(src, "tests.nr");
  fs.writeFileSync(testFile, fs.readFileSync(testFile, "utf8").replace(TEST, "pub(crate) fn $3"));
  const functions = tests.map(
    ({ name }) => `    fn ${name}(zero: u8) {\n        crate::tests::${name}(zero);\n    }\n`,
  );
  const lib = fs.readFileSync(path.join(src, "lib.nr"), "utf8").replace(/^\/\/!.*\n/gm, "");
  fs.writeFileSync(path.join(src, "main.nr"), `${lib}\ncontract CrateTests {\n${functions.join("\n")}}\n`);
  fs.rmSync(path.join(src, "lib.nr"));
  return dir;
}

/** Runs one compiled test. @returns the problem, or undefined */
export async function problemOf(test: CrateTest, compiled: TestFunction): Promise<string | undefined> {
  const noir = new Noir({ ...compiled, debug_symbols: "", file_map: {} });
  try {
    await noir.execute({ zero: "0" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (test.failsWith === undefined) return message;
    return message.includes(test.failsWith) ? undefined : `failed with "${message}", not "${test.failsWith}"`;
  }
  return test.failsWith === undefined ? undefined : "did not fail";
}

/** Returns the tests of a gadget crate. */
export function testsOf(crate: string): CrateTest[] {
  const source = fs.readFileSync(path.join(CIRCUITS_DIR, "lib", crate, "src", "tests.nr"), "utf8");
  return [...source.matchAll(TEST)].map(([, attribute, message = "", name = ""]) => ({
    name,
    failsWith: attribute === undefined ? undefined : message,
  }));
}

/** Compiles the tests of a gadget crate. @returns the tests by name */
export async function compileTests(crate: string): Promise<ReadonlyMap<string, TestFunction>> {
  return withFolder(async (root) => {
    fs.cpSync(path.join(CIRCUITS_DIR, "lib"), path.join(root, "lib"), { recursive: true });
    const functions = await compileContract(root, writeContract(root, crate, testsOf(crate)));
    return new Map(functions.map((one) => [one.name, one]));
  });
}
