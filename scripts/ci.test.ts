import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { withFolder } from "./stack/folder";
import { ROOT } from "./stack/settings";

const run = promisify(execFile);

/** Writes its arguments, folder and files to a file. `npm test` prints the same last line as the real one. */
const NPM = `#!/bin/sh
{ echo "$*"; pwd; ls -A; ls -A ..; git status --porcelain; echo "cache $PARLEY_CACHE"; } > "$TOLD/$1"
[ "$1" = ci ] || echo "3 passed, $FAILED failed"
[ "$1" = ci ] || exit "$FAILED"
`;

/** Runs .ci/run of a small repository with uncommitted files in and beside it. npm, apt-get and systemctl are stubs. */
async function ci(folder: string, failed: number, args: readonly string[] = []) {
  const bin = path.join(folder, "bin");
  const tmp = path.join(folder, "tmp");
  const told = path.join(folder, "told");
  const repository = path.join(folder, "repository");
  const folders = [
    bin,
    tmp,
    told,
    path.join(folder, "shared"),
    path.join(repository, ".ci"),
    path.join(repository, "node_modules"),
  ];
  await Promise.all(folders.map((one) => mkdir(one, { recursive: true })));
  await copyFile(path.join(ROOT, ".ci/run"), path.join(repository, ".ci/run"));
  await writeFile(path.join(repository, "package.json"), "{}");
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@a.example", ...words], { cwd: repository });
  await git("init", "--quiet");
  await git("add", ".ci", "package.json");
  await git("commit", "--quiet", "-m", "test: begin");
  await writeFile(path.join(repository, "uncommitted"), "");
  await writeFile(path.join(bin, "npm"), NPM);
  const ofTheMachine = ["apt-get", "systemctl"];
  for (const name of ofTheMachine) await writeFile(path.join(bin, name), "#!/bin/sh\n");
  await Promise.all(["npm", ...ofTheMachine].map((name) => chmod(path.join(bin, name), 0o755)));
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, TMPDIR: tmp, TOLD: told };
  const result = await run(path.join(repository, ".ci/run"), args, {
    cwd: folder,
    env: { ...env, FAILED: String(failed) },
  }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
  const said = async (name: string) => (await readFile(path.join(told, name), "utf8")).trimEnd().split("\n");
  return {
    ...result,
    left: await readdir(tmp),
    tmp: await realpath(tmp),
    ci: await said("ci"),
    test: await said("test"),
  };
}

it("structure 1: CI runs npm ci and npm test in a clean clone elsewhere, and leaves nothing", async () => {
  await withFolder(async (folder) => {
    const { stdout, code, left, tmp, ci: installed, test } = await ci(folder, 0, ["--only", "unit"]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("3 passed, 0 failed");
    expect([installed[0], test[0]]).toEqual(["ci --no-audit --no-fund", "test -- --only unit"]);
    const where = test[1] ?? "";
    expect(path.dirname(path.dirname(where))).toBe(tmp);
    expect(test.slice(2, test.indexOf("gitconfig")), "what is committed").toEqual([
      ".ci",
      ".git",
      "package.json",
    ]);
    expect(test.at(-1)).toBe(`cache ${path.dirname(where)}/cache`);
    // Beside the clone there is only what the run created.
    expect(test.slice(test.indexOf("gitconfig"), -1)).toEqual(["gitconfig", "parley"]);
    expect(left).toEqual([]);
  });
});

it("structure 1: CI's exit status is that of the tests", async () => {
  await withFolder(async (folder) => {
    const { stdout, code, left } = await ci(folder, 1);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("3 passed, 1 failed");
    expect(left).toEqual([]);
  });
});
