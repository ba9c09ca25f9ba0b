import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { compileVerifier, ensureVerifier } from "./compiled-verifier";
import { KeysError } from "./errors";
import { ownCache } from "./test/cache";

const pragma = "pragma solidity ^0.8.27;";
const cache = ownCache();

describe("compileVerifier", () => {
  test("names the libraries to deploy first", async () => {
    const library = "library Lib { function f() external pure returns (uint) { return 1; } }";
    const contract =
      "contract HonkVerifier { function g() external pure returns (uint) { return Lib.f(); } }";
    const { name, links, libraries } = await compileVerifier(`${pragma} ${library} ${contract}`);
    expect(name).toBe("HonkVerifier");
    expect(libraries.map((each) => each.name)).toEqual(["Lib"]);
    expect(Object.keys(links)).toEqual(["Lib"]);
  });

  test("refuses what has no verifier, what no chain would take, and what does not compile", async () => {
    const abstract = "abstract contract HonkVerifier { function f() external virtual; }";
    const large = `contract HonkVerifier { function f() external pure returns (bytes memory) { return hex"${"ab".repeat(25_000)}"; } }`;
    const refused = (contract: string) => expect(compileVerifier(`${pragma} ${contract}`)).rejects;
    // Each in a thread of its own, which takes longest to load the compiler.
    await Promise.all([
      refused("contract Other { uint public x; }").toThrow(KeysError),
      refused(abstract).toThrow(KeysError),
      refused(large).toThrow(/too large/),
      refused("contract HonkVerifier {").toThrow(/ParserError/),
    ]);
  });
});

test("a compiled verifier is found again in the cache, and made again when it is damaged there", async () => {
  const keys = { soliditySource: `${pragma} contract HonkVerifier { uint public x; }` };
  const made = await ensureVerifier(keys);
  const [directory = ""] = (await readdir(cache())).filter((name) => name.startsWith("verifier-"));
  const file = path.join(cache(), directory, "value.json");
  await writeFile(file, JSON.stringify({ ...made, bytecode: "0x01" }));
  expect(await ensureVerifier(keys)).toEqual({ ...made, bytecode: "0x01" });
  await writeFile(file, "{");
  expect(await ensureVerifier(keys)).toEqual(made);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(made);
});
