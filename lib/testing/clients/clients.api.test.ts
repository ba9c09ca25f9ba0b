import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { gate, makeTopic, signIn, verified } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import type { Joining } from "./programs/joining";

/** Clients that stock generators make of the served document: they compile, and their types fit the answers. */
const root = path.resolve(import.meta.dirname, "../../..");
/** Inside the repository, so that the programs find its packages; no other tool looks there. */
const folder = path.join(root, "dist", `clients-${process.pid}`);
const generated = path.join(folder, "generated");
const run = (bin: string, args: readonly string[], cwd = folder) =>
  execFileSync(process.execPath, [path.join(root, "node_modules", bin), ...args], {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "typescript.mjs")}`,
    },
  });

let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  mkdirSync(generated, { recursive: true });
  cpSync(path.join(import.meta.dirname, "programs"), folder, { recursive: true });
  const { body } = await h.send("GET", "/api/docs/openapi.json");
  writeFileSync(path.join(folder, "openapi.json"), JSON.stringify(body));
  run("openapi-typescript/bin/cli.js", ["openapi.json", "-o", "generated/openapi-typescript.d.ts"]);
  run("@hey-api/openapi-ts/bin/run.js", [
    "-i",
    "openapi.json",
    "-o",
    "generated/hey-api",
    "-c",
    "@hey-api/client-fetch",
  ]);
}, 120_000);
afterAll(async () => {
  await h.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("generated clients", () => {
  it("compile, with programs that use them", () => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: "es2022", types: [] },
      ...{ module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"] },
    };
    writeFileSync(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["**/*.ts"] }),
    );
    expect(run("typescript/bin/tsc", ["--project", folder])).toBe("");
  });

  it.each(["openapi-fetch", "hey-api"])("%s joins a gated topic and posts in it", async (name) => {
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "workspace", { domain: "example.com" });
    const user = await signIn(h);
    const program = z
      .object({
        joinAndPost: z.custom<(joining: Joining) => Promise<unknown>>((made) => typeof made === "function"),
      })
      .parse(await import(path.join(folder, `${name}.ts`)));
    const asked: unknown[] = [];
    const post = await program.joinAndPost({
      baseUrl: h.services.deployment.services.appUrl,
      fetch: h.fetch,
      token: user.token,
      topicId: topic.id,
      prove: async (circuit, domain) => {
        asked.push({ circuit, domain });
        await verified(h, user, { domain: "example.com", provider: "provider_a" });
      },
    });
    expect(asked).toEqual([{ circuit: "oidc_domain_attestation", domain: "example.com" }]);
    expect(post).toMatchObject({ topicId: topic.id, content: "<p><strong>here</strong></p>" });
    const { posts } = await owner.api.call(contract.posts.list, { topicId: topic.id });
    expect(posts).toHaveLength(1);
  });
});
