import { writeFile } from "node:fs/promises";
import path from "node:path";
import { operations } from "@/lib/contract";
import type { Exchange } from "./example";
import { examples } from "./examples";
import { apiMarkdown } from "./markdown";
import { createWorld } from "./world";

/** `npm run docs`: runs every example and writes docs/api.md. */
async function main(): Promise<void> {
  const world = await createWorld();
  const exchanges = new Map<string, Exchange>();
  for (const { op, run } of examples) exchanges.set(op.id, await run(world));
  await world.close();
  const file = path.resolve(import.meta.dirname, "../../docs/api.md");
  await writeFile(file, apiMarkdown(operations, exchanges));
  console.log(`docs/api.md: ${exchanges.size} operations`);
}

await main();
