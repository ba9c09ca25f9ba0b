/**
 * `npm run circuits:vectors [-- --check]`: writes circuits/vectors/<circuit>.json, which depend only on the sources. With
 * --check, exits with 1 when they differ from the committed files.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { madeVectors, vectorFile } from "@/circuits/vectors/index";
import { circuitNames } from "@/lib/proofs/deployment";

const isCheck = process.argv.includes("--check");
for (const id of circuitNames) {
  const text = JSON.stringify(await madeVectors(id));
  if (!isCheck) {
    fs.writeFileSync(vectorFile(id), text);
    console.log(`${id}: written`);
  } else if (!isDeepStrictEqual(JSON.parse(fs.readFileSync(vectorFile(id), "utf8")), JSON.parse(text))) {
    console.error(`${id}: differs from the sources; run npm run circuits:vectors`);
    process.exitCode = 1;
  }
}
if (!isCheck)
  execFileSync("npx", ["biome", "check", "--write", ...circuitNames.map(vectorFile)], { stdio: "inherit" });
