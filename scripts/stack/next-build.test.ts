import path from "node:path";
import { expect, it } from "vitest";
import { withFolder } from "./folder";
import { bundleEntry } from "./next-build";

it("bundles no services and no database: Next's bundle has both, and opening them twice damages them", async () => {
  const sources = await withFolder((folder) => bundleEntry(path.join(folder, "entry.mjs")));
  expect(sources).toContain("lib/server/main.ts");
  const stateful =
    /^(db|lib\/(cache|chain|community|live|session|sql|storage))\/|^lib\/runtime\/(boot|services|start)/;
  expect(sources.filter((file) => stateful.test(file))).toEqual([]);
});
