import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../stack/settings";
import {
  completed,
  type Lockfile,
  lockedPart,
  lockfileProblems,
  lockfileSchema,
  platformOf,
  TESTED_ENGINES,
} from "./platforms";

const lock = (packages: Lockfile["packages"]): Lockfile => ({ lockfileVersion: 3, packages });

describe("the committed lockfile", () => {
  it("structure 1: names every optional platform package, and no host", async () => {
    const text = await readFile(path.join(ROOT, "package-lock.json"), "utf8");
    expect(lockfileProblems(lockfileSchema.parse(JSON.parse(text)), TESTED_ENGINES)).toEqual([]);
    expect(text).not.toMatch(/"resolved":|https?:\/\/[^"]*\.tgz/);
  });

  it("structure 1: npm ci accepts it, and warns about no engine", async () => {
    const args = ["ci", "--dry-run", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    const env = { ...process.env, npm_config_loglevel: "warn" };
    const { stderr } = await promisify(execFile)("npm", args, { cwd: ROOT, env });
    expect(stderr).not.toContain("EBADENGINE");
  });
});

describe("the part of a lockfile that some packages need", () => {
  const whole = lock({
    "node_modules/a": { version: "1.0.0", dependencies: { b: "^1.0.0", c: "^1.0.0" } },
    "node_modules/a/node_modules/b": { version: "1.1.0", dependencies: { a: "1.0.0" } },
    "node_modules/b": { version: "2.0.0" },
    "node_modules/c": { version: "1.0.0", optionalDependencies: { d: "1.0.0" } },
    "node_modules/d": { version: "1.0.0" },
    "node_modules/e": { version: "1.0.0", dependencies: { f: "1.0.0" } },
  });

  it("contains their dependencies at unchanged locations", () => {
    const { "node_modules/b": _, "node_modules/e": __, ...part } = whole.packages;
    expect(lockedPart(whole, ["a"])).toEqual(part);
  });

  it("must be locked", () => {
    expect(() => lockedPart(whole, ["g"])).toThrow("g, which the program needs, is not locked");
    expect(() => lockedPart(whole, ["e"])).toThrow("f, which node_modules/e needs, is not locked");
  });
});

describe("a lockfile from a registry that lacks platforms", () => {
  const tool = {
    version: "1.2.3",
    dev: true,
    optionalDependencies: { "@tool/darwin-arm64": "1.2.3", "@tool/linux-amd64-musl": "1.2.3" },
  };
  const half = lock({
    "node_modules/tool": tool,
    "node_modules/@tool/darwin-arm64": {
      version: "1.2.3",
      resolved: "https://registry.example/t.tgz",
      os: ["darwin"],
      cpu: ["arm64"],
      integrity: "sha512-x",
    },
  });

  it("is refused with its missing packages and its hosts", () => {
    expect(lockfileProblems(half, {})).toEqual([
      "@tool/linux-amd64-musl is missing, which node_modules/tool names: npm run lockfile",
      "node_modules/@tool/darwin-arm64 names a host: npm run lockfile",
      "node_modules/tool has no binary for linux x64",
      "node_modules/tool has no binary for linux arm64",
      "node_modules/tool has no binary for darwin x64",
    ]);
  });

  it("is completed once, and keeps its entries", () => {
    const { lock: complete, added } = completed(half, {});
    expect(added).toEqual(["@tool/linux-amd64-musl@1.2.3"]);
    expect(complete.packages["node_modules/@tool/linux-amd64-musl"]).toEqual({
      ...{ version: "1.2.3", dev: true, optional: true },
      ...{ os: ["linux"], cpu: ["x64"], libc: ["musl"] },
    });
    expect(complete.packages["node_modules/@tool/darwin-arm64"]).toMatchObject({ integrity: "sha512-x" });
    expect(completed(complete, {})).toEqual({ lock: complete, added: [] });
  });

  it("finds packages in the folder of the package that names them", () => {
    const nested = lock({
      "node_modules/a/node_modules/tool": { version: "1.0.0", optionalDependencies: { b: "1.0.0" } },
      "node_modules/a/node_modules/b": { version: "1.0.0" },
    });
    expect(lockfileProblems(nested, {})).toEqual([]);
  });

  it("states the Node that was tested, for exactly the version it was tested with", () => {
    const engines = { "old@1.0.0": ">=20.19" };
    const asks = lock({ "node_modules/old": { version: "1.0.0", engines: { node: ">=22" } } });
    expect(lockfileProblems(asks, engines)).toEqual([
      "node_modules/old asks for Node >=22: npm run lockfile",
    ]);
    expect(lockfileProblems(completed(asks, engines).lock, engines)).toEqual([]);
    const newer = lock({ "node_modules/old": { version: "1.0.1", engines: { node: ">=22" } } });
    expect(lockfileProblems(newer, engines)).toEqual([
      "old@1.0.0 is not locked: remove it from TESTED_ENGINES",
    ]);
  });
});

it.each([
  ["@biomejs/cli-win32-x64", { os: ["win32"], cpu: ["x64"] }],
  ["@next/swc-linux-arm64-gnu", { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] }],
  ["@tailwindcss/oxide-linux-arm-gnueabihf", { os: ["linux"], cpu: ["arm"], libc: ["glibc"] }],
  ["@tailwindcss/oxide-wasm32-wasi", { cpu: ["wasm32"] }],
])("%s is for %o", (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});

it("a name that does not tell the platform is refused", () => {
  expect(() => platformOf("@tool/binary")).toThrow(/@tool\/binary/);
});
