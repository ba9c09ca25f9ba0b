import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

/** A failed test: its location and its message. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** File with what a browser test's page showed when it failed. */
  readonly context?: string;
}

/** Enough of an error to see what went wrong. The log has all of it. */
const MESSAGE_LINES = 12;

function failure(name: string, message: string): Failure {
  const lines = stripVTControlCharacters(message).trim().split("\n");
  return { name, message: lines.slice(0, MESSAGE_LINES).join("\n") };
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Reads the outcome from a report of `vitest --reporter=json`. Names a file that does not load by its path. */
export function readVitestReport(json: string) {
  const report = vitestReport.parse(JSON.parse(json));
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0) return file.status === "failed" ? [failure(file.name, file.message)] : [];
    return failed.map((one) =>
      failure(`${file.name} › ${one.fullName}`, (one.failureMessages ?? []).join("\n")),
    );
  });
  return { passed: report.numPassedTests, failed: report.numFailedTests, failures };
}

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      results: z.array(
        z.object({
          errors: z.array(z.object({ message: z.string().optional() })),
          attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })).optional(),
        }),
      ),
    }),
  ),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(playwrightSuite),
});

function failedSpecs({ specs, suites = [] }: z.infer<typeof playwrightSuite>): readonly Failure[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ title, file, line, tests }) =>
      tests.map(({ projectName, results }) => {
        const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ""));
        const context = results
          .flatMap(({ attachments = [] }) => attachments)
          .find(({ name }) => name === "error-context")?.path;
        const failed = failure(`[${projectName}] ${file}:${line} › ${title}`, messages.join("\n"));
        return context ? { ...failed, context } : failed;
      }),
    );
  return [...own, ...suites.flatMap(failedSpecs)];
}

/** Reads the outcome from a report of Playwright's `json` reporter. An error outside every test counts as a failure. */
export function readPlaywrightReport(json: string) {
  const { stats, errors, suites } = playwrightReport.parse(JSON.parse(json));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [
      ...suites.flatMap(failedSpecs),
      ...errors.map(({ message = "" }) => failure("outside of every test", message)),
    ],
  };
}

/** Enough of a page for its header and what a test looked for below. */
const PAGE_LINES = 150;

/** Returns the page from Playwright's description of a failure (error-context.md), as assistive technology gets it. */
export function pageIn(markdown: string): string {
  const [, page] = /^```yaml\n(.*?)\n```$/ms.exec(markdown) ?? [];
  return page ? `The page:\n${page.split("\n").slice(0, PAGE_LINES).join("\n")}` : "";
}
