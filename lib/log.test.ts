import { describe, expect, it } from "vitest";
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
