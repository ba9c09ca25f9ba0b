import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { names } from "@/lib/settings";
import { ROOT } from "./stack/settings";

/** Variables of Node, Next, npm and the system, which others set. */
const FOREIGN = new Set([
  ...["CI", "HOME", "PATH", "TMPDIR", "XDG_CACHE_HOME", "FONTCONFIG_FILE"],
  ...["NODE_ENV", "NODE_OPTIONS", "VITEST", "npm_lifecycle_event"],
  ...["NEXT_ADAPTER_PATH", "NEXT_RUNTIME", "NEXTAUTH_URL", "VERCEL", "__NEXT_PRIVATE_STANDALONE_CONFIG"],
  // No variables: the build of the service worker replaces them by its sentences.
  ...["PUSH_TITLE", "PUSH_BODY"],
  // The harness of the serverless tests tells its part inside the app by it.
  "PLATFORM_PORTS",
]);

/** Files outside lib/settings that hand on the whole environment: to lib/settings, or to a program that they start. */
const HANDS_ON = [
  "e2e/support/attested.ts",
  "lib/proofs/ceremony.server.ts",
  "lib/proofs/circuits.server.ts",
  "lib/proofs/deployment.server.ts",
  "lib/runtime/services.ts",
  "lib/server/main.ts",
  "packages/parley-cli/src/prove/index.ts",
  "packages/parley-cli/src/session.ts",
  "prover/cli.ts",
  "prover/facilitator/main.ts",
  "prover/main.ts",
  "scripts/backup/main.ts",
  "scripts/bench/api/bare-next.ts",
  "scripts/bench/api/bare.ts",
  "scripts/bench/start.ts",
  "scripts/circuits/bb.ts",
  "scripts/contracts/deploy.ts",
  "scripts/doctor/main.ts",
  "scripts/journey.ts",
  "scripts/journey/stranger.ts",
  "scripts/journey/tools.ts",
  "scripts/live/app-process.ts",
  "scripts/live/prover-folder.ts",
  "scripts/programs/app-folder.ts",
  "scripts/programs/app.ts",
  "scripts/programs/prover-folder.ts",
  "scripts/programs/run-migrate.ts",
  "scripts/stack/attester/main.ts",
  "scripts/stack/checks/run.ts",
  "scripts/stack/checks/served.ts",
  "scripts/stack/gateway/main.ts",
  "scripts/stack/idp/main.ts",
  "scripts/stack/next-build.ts",
  "scripts/stack/settings.ts",
  "scripts/stack/sources.ts",
  "scripts/start.ts",
];

/** Runs before there is a bundle of lib/settings: it tells the stack where the bundles are. */
const LAUNCHER = "scripts/start.mjs";

const own = path.relative(ROOT, import.meta.filename);
const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs", "*.js"];
const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file && file !== own)
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), "utf8") }));
const sources = files.filter(({ file }) => !/\.test\.tsx?$|\/test(ing)?\//.test(file));

/** An object that holds an environment, wherever it is passed. */
const HOLDER = String.raw`(?:\bprocess\.env|\benv|\benvironment)`;
const READS = [
  new RegExp(String.raw`${HOLDER}\??\.([A-Z_][A-Z0-9_]*)\b`, "g"),
  new RegExp(String.raw`${HOLDER}(?:\?\.)?\[\s*["'\`](\w+)["'\`]\s*\]`, "g"),
  /\bprocess\.env\.(\w+)/g,
];
const DESTRUCTURED = new RegExp(String.raw`\{([^{}]*)\}\s*(?::[^=;]*)?=\s*[\w.]*${HOLDER}\s*[;,)]`, "g");

/** Returns the names of variables that a source reads by name. */
function readNames(text: string): string[] {
  const parts = [...text.matchAll(DESTRUCTURED)].flatMap(([, inner = ""]) => inner.split(","));
  const destructured = parts.map((part) => /^\s*["']?(\w*)/.exec(part)?.[1] ?? "");
  return [
    ...READS.flatMap((read) => [...text.matchAll(read)].map(([, name = ""]) => name)),
    ...destructured.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)),
  ];
}

it("finds the variables that a source reads", () => {
  const reads = [
    "process.env.A_1",
    'process.env["A_1"]',
    "settings.env.A_1",
    "env['A_1']",
    "environment?.A_1",
  ];
  for (const read of [...reads, "const { A_1: a = 1, B } = process.env;", "const { A_1 } = settings.env;"]) {
    expect(readNames(read), read).toContain("A_1");
  }
  expect(readNames("storage.env, import.meta.env, { env: A }, config.environments")).toEqual([]);
});

it("newcomers O10: every variable that the code reads is declared in lib/settings", () => {
  expect(files.length).toBeGreaterThan(1_000);
  const unknown = files.flatMap(({ file, text }) =>
    readNames(text)
      .filter((name) => !names.has(name) && !FOREIGN.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it("nothing but lib/settings reads our variables from the process", () => {
  const outside = sources.filter(({ file }) => !file.startsWith("lib/settings/") && file !== LAUNCHER);
  const direct = outside.flatMap(({ file, text }) =>
    [...text.matchAll(/\bprocess\.env\.(\w+)/g)].flatMap(([, name = ""]) =>
      FOREIGN.has(name) ? [] : [`${file}: ${name}`],
    ),
  );
  expect(direct).toEqual([]);
  // What destructures the environment or indexes it hands it on as a whole, as far as this test can see.
  const handsOn = /\bprocess\.env\b(?!\.\w)|\benv\b[^;=]*\}\s*=\s*process\b(?!\.)/;
  const whole = outside.filter(({ text }) => handsOn.test(text)).map(({ file }) => file);
  const foreignOnly = ["prover/barretenberg/bb.ts"];
  expect(whole.filter((file) => !foreignOnly.includes(file)).toSorted()).toEqual(HANDS_ON);
});

it("every declared variable is read", () => {
  const all = files.map(({ text }) => text).join("\n");
  const once = [...names].filter((name) => {
    const declared = name.replace(/_FILE$/, "");
    return (all.match(new RegExp(`\\b(${name}|${declared})\\b`, "g")) ?? []).length < 2;
  });
  expect(once).toEqual([]);
});
