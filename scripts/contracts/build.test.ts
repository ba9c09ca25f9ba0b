import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "./build";

test("the committed artifacts match the sources, and contain no paths", async () => {
  const files = await generate();
  expect([...files.keys()]).toEqual([
    "DevelopmentAttester.ts",
    "DevelopmentDollar.ts",
    "DevelopmentRegistry.ts",
    "DevelopmentWallet.ts",
    "EligibleAction.ts",
    "RecordBoard.ts",
    "VerifierFront.ts",
  ]);
  for (const [name, content] of files) {
    const committed = await readFile(
      path.join(import.meta.dirname, "../../contracts/artifacts", name),
      "utf8",
    );
    expect(committed === content, `${name} is stale: npm run contracts:build`).toBe(true);
    expect(content).not.toMatch(/\/(home|root|work|Users|tmp)\//);
  }
});
