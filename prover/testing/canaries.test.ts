import { describe, expect, it } from "vitest";
import { findLeaks, textPlace } from "./canaries";

const secrets = {
  email: "canary-7f3a9c1e",
  token: "eyJhbGciOiJSUzI1NiJ9.eyJlbWFpbCI6ImNhbmFyeSJ9.c2lnbmF0dXJlLW9mLWEtdG9rZW4",
  wallet: "0x52908400098527886e0f7030069857d2e4169ee7",
} as const;
const found = (text: string | Buffer) =>
  findLeaks(secrets, [typeof text === "string" ? textPlace("log", text) : { name: "log", bytes: text }]);

describe("the search for leaks", () => {
  it("finds a secret in every form it could leak in", () => {
    const { email, token, wallet } = secrets;
    const bytes = Buffer.from(wallet.slice(2), "hex");
    expect(found(`mail to ${email}@example.com`)).toEqual(["log: email"]);
    expect(found(`0x00${Buffer.from(email).toString("hex")}00`)).toEqual(["log: email"]);
    for (const before of ["", "a", "ab", "abc"]) {
      expect(found(Buffer.from(`${before}${email}@example.com`).toString("base64"))).toEqual(["log: email"]);
    }
    for (const part of [token.slice(0, 24), token.slice(-24), token.slice(22, 55)]) {
      expect(found(`it said ${part}…`)).toEqual(["log: token"]);
    }
    for (const text of [wallet, wallet.toUpperCase(), `0x${"0".repeat(24)}${wallet.slice(2)}`]) {
      expect(found(text)).toEqual(["log: wallet"]);
    }
    expect(found(Buffer.concat([Buffer.from([0, 1]), bytes, Buffer.from([0])]))).toEqual(["log: wallet"]);
    expect(found(bytes.toString("base64url"))).toEqual(["log: wallet"]);
  });

  it("finds nothing where nothing is", () => {
    expect(found("POST /api/v1/prove 200, canary, eyJ, 0x5290840009, alice@example.com")).toEqual([]);
  });
});
