import { describe, expect, it } from "vitest";
import { PayerNotSeparateError, payerAmong } from "./signer";

const holder = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const other = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const choice = { walletId: "w", holder } as const;

describe("who pays", () => {
  it("is never the account with the attestation", () => {
    expect(payerAmong([holder, other], choice)).toBe(other);
    expect(() => payerAmong([holder], choice)).toThrow(PayerNotSeparateError);
    expect(() => payerAmong(["0x5fbdb2315678afecb367f032d93f642f64180aa3"], choice)).toThrow(
      PayerNotSeparateError,
    );
  });

  it("is the account in use where no attestation is proven", () => {
    expect(payerAmong([holder, other], { ...choice, holder: null })).toBe(holder);
  });
});
