import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  choice,
  type Form,
  flag,
  list,
  optional,
  port,
  portOrAny,
  required,
  secretOf,
  share,
  text,
  url,
  whole,
  withDefault,
} from "./declare";
import { misspelled } from "./index";
import { privateKey } from "./keys";
import { checkSettings, effectiveSettings, isSet, readSettings, SettingsError } from "./read";

const about = "A variable";
const folder = mkdtempSync(path.join(tmpdir(), "parley-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function secretFile(content: string): string {
  const file = path.join(folder, `${Math.random()}`);
  writeFileSync(file, content);
  return file;
}

describe("forms", () => {
  const key = `0x${"07".repeat(32)}` as const;

  it.each<[string, Form<unknown>, string, unknown]>([
    ["port", port, "8080", 8080],
    ["any port", portOrAny, "0", 0],
    ["whole number", whole(0, 9), "9", 9],
    ["share", share, "0.25", 0.25],
    ["choice", choice("a", "b"), "b", "b"],
    ["flag", flag, "1", true],
    ["list", list, " a, b ,,c", ["a", "b", "c"]],
    ["URL", url, "https://a.example/x", "https://a.example/x"],
    ["secret", secretOf(4), "äö", "äö"],
    ["private key", privateKey, key, key],
  ])("%s", (_, form, written, value) => {
    expect(readSettings({ X: optional(form, { about }) }, { X: written })).toEqual({ X: value });
  });

  it.each<[string, Form<unknown>, string[], string]>([
    [
      "port",
      port,
      ["0", "65536", "80.5", "0x50", " 80", "1e3", "tcp://10.0.0.1:80"],
      "must be a port, 1 to 65535",
    ],
    ["whole number", whole(1, 9), ["0", "10", "-1", "two"], "must be a whole number, 1 to 9"],
    ["share", share, ["0", "1.1", "half"], "must be a number above 0, up to 1"],
    ["choice", choice("a", "b"), ["c", "A"], "must be one of a, b"],
    ["flag", flag, ["true", "2"], "must be 0 or 1"],
    ["URL", url, ["a.example"], "must be a URL"],
    ["secret", secretOf(5), ["abcd"], "must be at least 5 bytes"],
    [
      "private key",
      privateKey,
      [key.slice(2), `${key}00`, `0x${"ff".repeat(32)}`],
      "must be a private key of 32",
    ],
  ])("%s refuses others, and names variable and rule but no value", (_, form, wrong, rule) => {
    for (const written of wrong) {
      const { problems } = checkSettings(
        { NAME: optional(form, { about, secret: true }) },
        { NAME: written },
      );
      expect(problems).toEqual([expect.stringContaining(`NAME ${rule}`)]);
      if (written.length > 4) expect(problems.join()).not.toContain(written);
    }
  });
});

describe("settings", () => {
  const shape = {
    PORT: withDefault(port, "3000", { about }),
    NAME: optional(text, { about }),
    KEY: optional(secretOf(4), { about, secret: true }),
  };

  it("have defaults; an empty variable is not set", () => {
    expect(readSettings(shape, {})).toEqual({ PORT: 3000 });
    expect(readSettings(shape, { PORT: "", NAME: "", KEY: "", KEY_FILE: "" })).toEqual({ PORT: 3000 });
    expect(isSet({ KEY: "" }, "KEY")).toBe(false);
  });

  it("take a secret from a file, without its last line break", () => {
    expect(readSettings(shape, { KEY_FILE: secretFile("line\nlast\n") }).KEY).toBe("line\nlast");
    expect(readSettings(shape, { KEY_FILE: secretFile("windows\r\n") }).KEY).toBe("windows");
    expect(isSet({ KEY_FILE: "x" }, "KEY")).toBe(true);
    // Only secrets: a file with a port would be a mistake.
    expect(readSettings(shape, { PORT_FILE: secretFile("4000") }).PORT).toBe(3000);
  });

  it("refuse a secret that is set twice, and a file that is empty or missing", () => {
    const twice = checkSettings(shape, { KEY: "abcde", KEY_FILE: secretFile("abcde") }).problems;
    expect(twice).toEqual(["KEY and KEY_FILE are both set; set one of them"]);
    for (const file of [secretFile("\n"), path.join(folder, "none"), folder]) {
      const { problems } = checkSettings(shape, { KEY_FILE: file });
      expect(problems).toEqual(["KEY_FILE must name a file with a value that this program can read"]);
    }
  });

  it("name the variable and the rule, never what a file contains", () => {
    const { problems } = checkSettings(shape, { KEY_FILE: secretFile("abc") });
    expect(problems).toEqual(["KEY must be at least 4 bytes"]);
  });

  it("list every problem at once, one for each variable", () => {
    const wrong = { PORT: "http", KEY: "abc" };
    const read = () => readSettings({ ...shape, NEEDED: required(port, { about }) }, wrong);
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(
      /- PORT must be a port.*\n- KEY must be at least 4 bytes\n- NEEDED is not set; it must be a port/,
    );
    expect(() => readSettings(shape, { PORT: "http" })).toThrow(/^PORT must be a port, 1 to 65535$/);
  });

  it("that are wrong count as not set where the start reports them", () => {
    expect(effectiveSettings(shape, { PORT: "http", NAME: "a" })).toEqual({ PORT: 3000, NAME: "a" });
    expect(() => effectiveSettings({ NEEDED: required(text, { about }) }, {})).toThrow("NEEDED is not set");
  });
});

describe("misspelled variables", () => {
  it("are those that begin like ours and that nothing reads", () => {
    const environment = {
      PARLEY_HOEM: "x",
      PROVER_METRIC_PORT: "9000",
      PARLEY_HOME_FILE: "/x",
      PARLEY_HOME: "x",
      PROVER_SECRET_FILE: "/x",
      OTHER_SECRET: "x",
    };
    expect(misspelled(environment).map((problem) => problem.split(" ")[0])).toEqual([
      "PARLEY_HOEM",
      "PROVER_METRIC_PORT",
      "PARLEY_HOME_FILE",
    ]);
  });

  it("are not those that Kubernetes sets for a service named prover", () => {
    const environment = {
      PROVER_SERVICE_HOST: "10.0.0.1",
      PROVER_SERVICE_PORT_HTTP: "80",
      PROVER_PORT_3001_TCP_ADDR: "10.0.0.1",
      PARLEY_APP_PORT: "tcp://10.0.0.1:80",
    };
    expect(misspelled(environment)).toEqual([]);
  });
});
