import { describe, expect, it } from "vitest";
import { makesProofs, proverOrigin, readProverChoice, writeProverChoice } from "./prover-choice";

describe("an own prover's address", () => {
  it.each([
    ["https://prover.example", "https://prover.example"],
    [" https://prover.example:8443/ ", "https://prover.example:8443"],
    ["http://localhost:3002", "http://localhost:3002"],
    ["http://127.0.0.1:3002/", "http://127.0.0.1:3002"],
    ["HTTPS://Prover.Example", "https://prover.example"],
  ])("%s is taken", (text, origin) => {
    expect(proverOrigin(text)).toBe(origin);
  });

  it.each([
    "http://prover.example",
    "http://[::1]:3002",
    "http://localhost.evil.example",
    "https://user:pass@prover.example",
    "https://prover.example/path",
    "https://prover.example/?q",
    "https://prover.example/#f",
    "https://*.example",
    "https://a;script-src *",
    "https://a.example https://b.example",
    "wss://prover.example",
    "javascript:alert(1)",
    "data:text/plain,a",
    "",
    `https://${"a".repeat(300)}.example`,
  ])("%s is not", (text) => {
    expect(proverOrigin(text)).toBeNull();
  });
});

describe("the kept choice", () => {
  it("is read as it was written", () => {
    for (const choice of [
      { kind: "browser" },
      { kind: "server" },
      { kind: "own", origin: "http://localhost:3002" },
    ] as const) {
      expect(readProverChoice(writeProverChoice(choice))).toEqual(choice);
    }
  });

  it.each([undefined, "", "own:", "own:http://prover.example", "own:%E0%A4%A", "own:https://a;b", "root"])(
    "is the server's prover for %s",
    (value) => {
      expect(readProverChoice(value)).toEqual({ kind: "server" });
    },
  );
});

it("pages that make proofs are the ones that run them, and the answer of a provider", () => {
  for (const path of [
    "/sign-in",
    "/auth/callback",
    "/topics/new",
    "/topics/ab12/join",
    "/invite/x",
    "/phone/y",
  ]) {
    expect(makesProofs(path), path).toBe(true);
  }
  for (const path of [
    "/",
    "/topics/ab12",
    "/topics/ab12/new",
    "/posts/x",
    "/sign-in/x",
    "/invite",
    "/profile",
  ]) {
    expect(makesProofs(path), path).toBe(false);
  }
});
