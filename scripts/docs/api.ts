import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { operations } from "@/lib/contract";
import type { Exchange } from "./example";
import { examples } from "./examples";
import { apiMarkdown } from "./markdown";
import { samplesJson } from "./samples";
import { envExample, withTables } from "./settings";
import { createWorld } from "./world";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** `npm run docs`: writes docs/api.md and lib/http/samples.json from its examples, .env.example and the tables of docs/deploy.md from lib/settings. */
async function main(): Promise<void> {
  const deploy = path.join(ROOT, "docs", "deploy.md");
  await writeFile(path.join(ROOT, ".env.example"), envExample());
  await writeFile(deploy, withTables(await readFile(deploy, "utf8")));
  const world = await createWorld();
  const exchanges = new Map<string, Exchange>();
  for (const { op, run } of examples) exchanges.set(op.id, await run(world));
  await world.close();
  const file = path.join(ROOT, "docs", "api.md");
  await writeFile(file, apiMarkdown(operations, exchanges));
  await writeFile(path.join(ROOT, "lib", "http", "samples.json"), samplesJson(exchanges));
  console.log(`docs/api.md: ${exchanges.size} operations`);
}

await main();
