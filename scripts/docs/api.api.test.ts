import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "@/lib/contract";
import type { Exchange } from "./example";
import { examples } from "./examples";
import { apiMarkdown } from "./markdown";
import { samplesJson } from "./samples";
import { createWorld, type World } from "./world";

/** What docs/api.md shows is what the API does. */
let world: World;
const exchanges = new Map<string, Exchange>();
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => await world.close());

describe("every example, in order", () => {
  it.each(examples.map((example) => [example.op.id, example] as const))("%s", async (id, { op, run }) => {
    // Status and shape of the answer are compared where it is run; a second example would hide the first.
    expect(exchanges.has(id)).toBe(false);
    const exchange = await run(world);
    exchanges.set(id, exchange);
    expect(exchange.method).toBe(op.method);
    const success = op.binary || op.events ? ["200"] : Object.keys(op.responses);
    expect(success).toContain(String(exchange.status));
  });
});

describe("lib/http/samples.json", () => {
  it("is what `npm run docs` writes", () => {
    const written = readFileSync(path.resolve(import.meta.dirname, "../../lib/http/samples.json"), "utf8");
    expect(samplesJson(exchanges).split("\n"), "run npm run docs").toEqual(written.split("\n"));
    for (const token of world.tokens.values()) expect(written).not.toContain(token.slice(-20));
  });
});

describe("docs/api.md", () => {
  it("has an example for every operation", () => {
    expect(examples.map(({ op }) => op.id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
  });

  it("is what `npm run docs` writes", async () => {
    const written = readFileSync(path.resolve(import.meta.dirname, "../../docs/api.md"), "utf8");
    expect(apiMarkdown(operations, exchanges).split("\n"), "run npm run docs").toEqual(written.split("\n"));
  });

  it("carries no secret of its run", () => {
    const written = readFileSync(path.resolve(import.meta.dirname, "../../docs/api.md"), "utf8");
    expect(written).not.toMatch(/eyJ[\w-]{10,}/);
    for (const token of world.tokens.values()) expect(written).not.toContain(token.slice(-20));
  });
});
