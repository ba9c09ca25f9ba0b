import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** The dependency rules of docs/architecture.md: which modules must not import which. */
const forbidden: { from: RegExp; to: RegExp; why: string }[] = [
  {
    from: /^lib\/proofs\//,
    to: /^(app|components|db|prover|scripts|lib\/(?!proofs|settings))/,
    why: "both programs build on lib/proofs",
  },
  {
    from: /^prover\//,
    to: /^(app|components|db|lib\/(community|http|session|policy|cache|runtime))/,
    why: "the prover is independent of the community",
  },
  {
    from: /^lib\/contract\//,
    to: /^(app|components|db|prover|lib\/(?!contract))/,
    why: "the contract is shapes only",
  },
  {
    from: /^lib\/client\//,
    to: /^(app|components|db|prover|lib\/(?!client|contract|json$|proofs\/(?!.*\.server)))/,
    why: "the client runs in browsers",
  },
  {
    from: /^lib\/policy\//,
    to: /^(app|components|db\/(?!schema)|prover|lib\/(http|session|cache|runtime|community\/(?!context)))/,
    why: "policies are pure",
  },
  {
    from: /^lib\/(live|chain)\//,
    to: /^(app|components|prover|lib\/(http|session|community\/(?!context)))|^next(\/|$)/,
    why: "the community builds on them",
  },
  {
    from: /^lib\/(community|html)\//,
    to: /^(app|components|prover|lib\/http)|^next(\/|$)/,
    why: "the community is independent of HTTP",
  },
  {
    from: /^db\//,
    to: /^(app|components|prover|lib\/(?!sql|contract|chain\/tables))/,
    why: "the database layer is below them",
  },
  {
    from: /^components\//,
    to: /^(db|prover|scripts|lib\/(community|http|session|cache|sql|runtime|policy\/(?!(?:gate|report)$)))/,
    why: "components import no server code",
  },
  {
    from: /^lib\/server\/(?!boot)/,
    to: /^(app|components|db|prover|lib\/(?!server|http|runtime|settings|contract|errors|log|accept-waiting))/,
    why: "it forwards requests without interpreting them",
  },
  {
    from: /^(app|components|prover)\//,
    to: /^lib\/server/,
    why: "the entry server is above the app",
  },
  {
    from: /^circuits\/soundness\//,
    to: /^(app|components|db|e2e|lib\/(?!proofs)|prover\/(?!barretenberg)|scripts\/(?!circuits))/,
    why: "the soundness engine is a package of its own",
  },
  {
    from: /^(app|components|lib|db|prover|contracts)\//,
    to: /^(scripts|e2e)/,
    why: "scripts are at the top",
  },
];

/**
 * The modules of lib, lowest first. A file imports from its own module and from those in earlier layers, types included,
 * so that no two modules need each other.
 */
const layers = [
  ["lib/settings"],
  ["lib/contract", "lib/proofs"],
  // Files of lib itself: errors, the log, keys of rate limits, the OpenAPI generator.
  ["lib"],
  ["lib/sql", "lib/chain", "lib/client", "lib/html", "lib/i18n", "lib/storage"],
  ["db", "lib/worker", "lib/mcp"],
  ["lib/cache", "lib/policy"],
  ["lib/live", "lib/preview"],
  ["lib/push"],
  ["lib/context"],
  ["lib/session"],
  ["lib/community"],
  ["lib/runtime"],
  ["lib/http"],
  ["lib/metadata"],
  ["lib/server"],
];

/** Returns the module of a path from the repository root; null outside lib and db. */
function moduleOf(file: string): string | null {
  const [top, folder, ...rest] = file.split("/");
  if (top === "db") return top;
  if (top !== "lib" || !folder) return null;
  const name = `lib/${folder}`;
  return rest.length > 0 || layers.flat().includes(name) ? name : "lib";
}

const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"],
  { encoding: "utf8" },
)
  .split("\n")
  .filter(Boolean);
const sources = files.filter((f) => !/\.test\.tsx?$|\/testing\/|\/testing(-\w+)?\.ts$|\/test\//.test(f));

/** Returns an empty string if git lists the file but the work tree lacks it. */
function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Returns the imports of a file, types included, as paths from the repository root or package names. */
function importsOf(file: string): string[] {
  const found = textOf(file).matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g);
  return [...found].map(([, target = ""]) => {
    if (target.startsWith("@/")) return target.slice(2);
    if (target.startsWith(".")) return path.posix.join(path.posix.dirname(file), target);
    return target;
  });
}

describe("modules", () => {
  it("reads the tree", () => {
    expect(sources.length).toBeGreaterThan(30);
  });

  it("of lib import only from lower layers", () => {
    const layerOf = (module: string) => layers.findIndex((layer) => layer.includes(module));
    const modules = new Set(sources.map(moduleOf).filter((module) => module !== null));
    expect([...modules].filter((module) => layerOf(module) < 0)).toEqual([]);
    const upward = sources.flatMap((file) => {
      const from = moduleOf(file);
      return importsOf(file).flatMap((target) => {
        const to = moduleOf(target);
        if (from === null || to === null || from === to || layerOf(to) < layerOf(from)) return [];
        return [`${file} -> ${target}`];
      });
    });
    expect(upward).toEqual([]);
  });

  it("the server hooks into nothing that Next does not document, and has one global", () => {
    const hidden =
      /diagnostics_channel|NEXT_MANUAL_SIG_HANDLE|declare global|globalThis\.parley|Symbol\.for\(/;
    const server = sources.filter((f) => /^(app|db|lib|proxy\.ts|instrumentation\.ts)/.test(f));
    expect(server.filter((f) => hidden.test(textOf(f)))).toEqual(["lib/runtime/process.ts"]);
  });

  it("outside the soundness engine import only its entry, tests included", () => {
    const deep = files
      .filter((f) => !f.startsWith("circuits/soundness/"))
      .flatMap((f) =>
        importsOf(f)
          .filter((t) => t.startsWith("circuits/soundness/"))
          .map((t) => `${f} -> ${t}`),
      );
    expect(deep).toEqual([]);
  });

  it("import JSON as Node does: Playwright loads these files without a bundler", () => {
    const plain = files.filter((f) => /from "[^"]+\.json";/.test(textOf(f)));
    expect(plain).toEqual([]);
  });

  for (const rule of forbidden) {
    it(`${rule.from} never imports ${rule.to}: ${rule.why}`, () => {
      const broken = sources
        .filter((f) => rule.from.test(f))
        .flatMap((f) =>
          importsOf(f)
            .filter((t) => rule.to.test(t))
            .map((t) => `${f} -> ${t}`),
        );
      expect(broken).toEqual([]);
    });
  }
});
