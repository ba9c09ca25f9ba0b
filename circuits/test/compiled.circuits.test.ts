import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { builtFiles } from "@/scripts/circuits/builds";
import { ARTIFACTS_DIR } from "@/scripts/circuits/paths";

it("the committed artifacts, with their numbers of gates and the key of the one that has one, are what the sources compile to", async () => {
  const files = await builtFiles();
  expect(fs.readdirSync(ARTIFACTS_DIR).toSorted()).toEqual([...files.keys()].toSorted());
  const stale = [...files].filter(
    ([name, content]) => !fs.readFileSync(path.join(ARTIFACTS_DIR, name)).equals(Buffer.from(content)),
  );
  expect(
    stale.map(([name]) => name),
    "run npm run circuits:build and commit the result",
  ).toEqual([]);
});
