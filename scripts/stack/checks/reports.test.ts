import { describe, expect, it } from "vitest";
import { pageIn, readPlaywrightReport, readVitestReport } from "./reports";

const file = { name: "/tree/a.test.ts", status: "failed", message: "" };

describe("a report of vitest", () => {
  it("names each failed test with the first lines of its error", () => {
    const json = JSON.stringify({
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        {
          ...file,
          assertionResults: [
            { fullName: "counting works", status: "passed", failureMessages: [] },
            {
              fullName: "counting is exact",
              status: "failed",
              failureMessages: [`\u001b[31mAssertionError\u001b[39m: 1\n${"at x\n".repeat(50)}`],
            },
          ],
        },
      ],
    });
    const { failures, ...counts } = readVitestReport(json);
    expect(counts).toEqual({ passed: 1, failed: 1 });
    expect(failures).toHaveLength(1);
    expect(failures[0]?.name).toBe("/tree/a.test.ts › counting is exact");
    expect(failures[0]?.message).toMatch(/^AssertionError: 1\nat x\n/);
    expect(failures[0]?.message.split("\n")).toHaveLength(12);
  });

  it("names a file that does not load", () => {
    const json = JSON.stringify({
      numPassedTests: 0,
      numFailedTests: 0,
      testResults: [{ ...file, message: "Cannot find module", assertionResults: [] }],
    });
    expect(readVitestReport(json).failures).toEqual([
      { name: "/tree/a.test.ts", message: "Cannot find module" },
    ]);
  });
});

describe("a report of Playwright", () => {
  it("names failed tests in nested groups, and errors outside of tests", () => {
    const spec = (title: string, ok: boolean) => ({
      title,
      file: "chat.spec.ts",
      line: 7,
      ok,
      tests: [
        {
          projectName: "mobile",
          results: [
            ok
              ? { errors: [] }
              : {
                  errors: [{ message: "Timed out" }],
                  attachments: [
                    { name: "screenshot", path: "/a.png" },
                    { name: "error-context", path: "/a.md" },
                  ],
                },
          ],
        },
      ],
    });
    const json = JSON.stringify({
      stats: { expected: 2, unexpected: 1, flaky: 0 },
      errors: [{ message: "No browser" }],
      suites: [{ specs: [spec("a", true)], suites: [{ specs: [spec("b", true), spec("c", false)] }] }],
    });
    expect(readPlaywrightReport(json)).toEqual({
      passed: 2,
      failed: 2,
      failures: [
        { name: "[mobile] chat.spec.ts:7 › c", message: "Timed out", context: "/a.md" },
        { name: "outside of every test", message: "No browser" },
      ],
    });
  });

  it("has the page as it was when a test failed", () => {
    const page = Array.from({ length: 200 }, (_, i) => `- text: ${i}`);
    const markdown = `# Error details\n\n\`\`\`\nTimed out\n\`\`\`\n\n\`\`\`yaml\n${page.join("\n")}\n\`\`\`\n\n# Test source\n`;
    expect(pageIn(markdown).split("\n")).toEqual(["The page:", ...page.slice(0, 150)]);
    expect(pageIn("# Error details\n")).toBe("");
  });
});
