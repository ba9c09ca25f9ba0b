import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { builtFiles } from "@/scripts/circuits/builds";
import { ARTIFACTS_DIR } from "@/scripts/circuits/paths";

it("the committed artifacts, with their numbers of gates, are what the sources compile to", async () => {
  const files = await builtFiles();
  expect(fs.readdirSync(ARTIFACTS_DIR).toSorted()).toEqual([...files.keys()].toSorted());
  const stale = [...files].filter(
    ([name, text]) => fs.readFileSync(path.join(ARTIFACTS_DIR, name), "utf8") !== text,
  );
  expect(
    stale.map(([name]) => name),
    "run npm run circuits:build and commit the result",
  ).toEqual([]);
});
