import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeError } from "./log";

describe("log lines", () => {
  it("leave out what drivers hang on errors: queries, parameters, request bodies", () => {
    const cause = Object.assign(new Error("Request body: canary-body"), {
      shortMessage: "HTTP request failed.",
    });
    const error = Object.assign(new Error("duplicate key", { cause }), {
      code: "23505",
      query: "insert canary-query",
      params: ["canary-param"],
      detail: "Key (nickname)=(canary-detail)",
    });
    const line = JSON.stringify(describeError(error));
    expect(line).not.toContain("canary");
    expect(line).toContain("duplicate key");
    expect(line).toContain("23505");
    expect(line).toContain("HTTP request failed.");
    expect(line).toContain("log.test.ts");
  });
  it("survive whatever is thrown", () => {
    for (const thrown of [undefined, null, "canary", { token: "canary" }]) {
      expect(JSON.stringify(describeError(thrown))).not.toContain("canary");
    }
  });
});

describe("lines of requests", () => {
  /** Runs a program that logs a thousand requests and then this. @returns its lines */
  async function linesOf(last: string): Promise<unknown[]> {
    const file = JSON.stringify(path.resolve(import.meta.dirname, "log.ts"));
    const program = `import { log, REQUEST } from ${file};
      for (let n = 0; n < 1000; n += 1) log.info({ n }, REQUEST);
      ${last}`;
    const args = ["--import", "tsx", "--input-type=module", "-e", program];
    const env = { ...process.env, LOG_LEVEL: "info" };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error: unknown) =>
      z.object({ stdout: z.string() }).parse(error),
    );
    const lines = stdout.trimEnd().split("\n");
    return lines.map((line): unknown => JSON.parse(line));
  }
  const all = Array.from({ length: 1000 }, (_, n) => expect.objectContaining({ n }));

  it("operations: are all written when the process ends or crashes", async () => {
    for (const last of ["process.exit(0)", 'throw new Error("crash")'])
      expect(await linesOf(last)).toEqual(all);
  });

  it("operations: come before later lines, which are written at once", async () => {
    const lines = await linesOf('log.error("last"); process.kill(process.pid, "SIGKILL")');
    expect(lines).toEqual([...all, expect.objectContaining({ level: 50, msg: "last" })]);
  });
});
