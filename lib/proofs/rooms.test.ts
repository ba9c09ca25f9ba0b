import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = import.meta.dirname;
/** What browsers and both programs may pull in with this library. */
const allowed =
  /^(viem(\/.*)?|@noble\/.*|jose|zod|eventsource-parser|p-queue|@aztec\/bb\.js|@noir-lang\/noir_js|@zkpassport\/poseidon2|@scure\/bip39\/wordlists\/english)$/;

it("imports nothing a browser lacks, outside *.server.ts", () => {
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/(\.test|\.server)\.ts$/.test(file) && !file.startsWith("testing"),
  );
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s+"([^"]+)"/g)) {
      expect(
        target.startsWith("./") || target.startsWith("../") || allowed.test(target),
        `${file}: ${target}`,
      ).toBe(true);
      expect(target.endsWith(".server"), `${file}: ${target}`).toBe(false);
    }
  }
});
