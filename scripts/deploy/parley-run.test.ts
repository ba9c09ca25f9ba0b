import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../stack/settings";
import { deployFile } from "./manifests";

/**
 * `deploy/systemd/parley-run` with stand-ins for systemd's two commands, which need a booted systemd: one prints our unit
 * files, the other the arguments that it gets, and ends with status 3.
 */

const bin = mkdtempSync(path.join(tmpdir(), "parley-run-"));
const standIn = (name: string, script: string) => {
  writeFileSync(path.join(bin, name), `#!/bin/bash\n${script}\n`);
  chmodSync(path.join(bin, name), 0o755);
};
const folder = path.join(ROOT, "deploy/systemd");
standIn("systemctl", `[ "$1" = cat ] && cat "${folder}/\${2/@9./@.}"`);
standIn("systemd-run", 'printf "%s\\n" "$@"; exit 3');

/** Runs the command. @returns its exit status, and the lines that it prints */
function run(args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ status: unknown; lines: string[]; problem: string }>((resolve) => {
    const command = path.join(folder, "parley-run");
    const options = { env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` } };
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, lines: stdout.split("\n"), problem: stderr }),
    );
  });
}

it.each([
  ["app", "parley-app@.service", "app"],
  ["prover", "parley-prover@.service", "prover"],
  ["facilitator", "parley-facilitator.service", "prover"],
])("parley-run %s has the user, settings and secrets of its unit", async (program, unit, code) => {
  const { status, lines } = await run([program, "doctor", "--flag", "two words"]);
  expect(status).toBe(3);
  const name = lines[lines.indexOf("--unit") + 1] ?? "";
  expect(name).toMatch(new RegExp(`^parley-run-${program}-\\d+\\.service$`));
  const properties = lines.filter((_, at) => lines[at - 1] === "--property");
  const kept = /^(User|Environment|EnvironmentFile|LoadCredential)=/;
  const wanted = deployFile(`systemd/${unit}`)
    .split("\n")
    .filter((line) => kept.test(line));
  expect(wanted.length).toBeGreaterThan(5);
  for (const line of wanted) {
    expect(properties).toContain(line.replaceAll("%d", `/run/credentials/${name}`).replaceAll("%i", "9"));
  }
  expect(properties.join("\n")).not.toMatch(/%[a-z]|ExecStart/);
  expect(lines.slice(-6, -1)).toEqual([
    "/usr/bin/node",
    `/opt/parley/${code}/index.js`,
    "doctor",
    "--flag",
    "two words",
  ]);
});

it("parley-run adds the settings of VARIABLES last, so that they override the unit's", async () => {
  const { lines } = await run(["app", "restore"], { VARIABLES: "/etc/parley/restored.env" });
  const properties = lines.filter((_, at) => lines[at - 1] === "--property");
  expect(properties.at(-1)).toBe("EnvironmentFile=/etc/parley/restored.env");
});

it("parley-run refuses a program that it does not know", async () => {
  const { status, problem, lines } = await run(["store", "doctor"]);
  expect([status, problem.trim(), lines]).toEqual([
    2,
    "parley-run: store is neither app, prover nor facilitator",
    [""],
  ]);
});
