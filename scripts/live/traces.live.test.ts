import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { ROOT } from "@/scripts/stack/settings";

const traceSchema = z.object({ files: z.array(z.string()) });

/** Files that a host would pack with the app, by their paths from the root, as the build has traced them. */
async function tracedFiles(): Promise<{ traces: number; files: ReadonlySet<string> }> {
  const build = path.join(ROOT, ".next");
  const names = await readdir(build, { recursive: true });
  const traces = names.filter((name) => name.endsWith(".nft.json") && !/^(dev|standalone)\//.test(name));
  const files = await Promise.all(
    traces.map(async (name) => {
      const trace = traceSchema.parse(JSON.parse(await readFile(path.join(build, name), "utf8")));
      const folder = path.join(build, path.dirname(name));
      return trace.files.map((file) => path.relative(ROOT, path.join(folder, file)));
    }),
  );
  return { traces: traces.length, files: new Set(files.flat()) };
}

it("newcomers O3: no build trace names state or secrets of the machine that built", async () => {
  const { traces, files } = await tracedFiles();
  expect(traces).toBeGreaterThan(50);
  expect(files, "it reads traces").toContain("circuits/artifacts/manifest.json");
  const secret = [...files].filter((file) => /^\.parley(\/|$)|(^|\/)\.env/.test(file));
  expect(secret).toEqual([]);
});
