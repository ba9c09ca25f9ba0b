import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { UsageError } from "./options";
import { holderOf, payerOf } from "./wallets";

const key = generatePrivateKey();
const account = privateKeyToAccount(key);
const remote = { paymentWallet: "https://signer.example" };
const none = { paymentWallet: null };

function refusal(choose: () => unknown): string {
  try {
    choose();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("taken");
}

describe("the wallet that pays", () => {
  it("is that of the private key or the managed one", () => {
    expect(payerOf(none, { PAYMENT_PRIVATE_KEY: key })).toMatchObject({
      role: "payment",
      address: account.address,
    });
    expect(payerOf(remote, { PAYMENT_ADDRESS: account.address })).toMatchObject({
      role: "payment",
      address: account.address,
    });
  });

  it("is never guessed: none and two are refused, and the attestation's key does not replace it", () => {
    for (const env of [{}, { ATTESTATION_KEY: key }, { PAYMENT_ADDRESS: account.address }]) {
      expect(refusal(() => payerOf(none, env))).toMatch(/Choose.*PAYMENT_PRIVATE_KEY.*--payment-wallet/);
    }
    const both = { PAYMENT_PRIVATE_KEY: key, PAYMENT_ADDRESS: account.address };
    expect(refusal(() => payerOf(remote, both))).toMatch(/Two wallets.*not both/);
    expect(refusal(() => payerOf(remote, { ATTESTATION_KEY: key }))).toMatch(/PAYMENT_ADDRESS/);
  });

  it("does not send its token over plain HTTP", () => {
    const env = { PAYMENT_ADDRESS: account.address, PAYMENT_SIGNER_TOKEN: "canary" };
    const message = refusal(() => payerOf({ paymentWallet: "http://signer.example" }, env));
    expect(message).toMatch(/https/);
    expect(message).not.toContain("canary");
  });

  it("an invalid key is not repeated", () => {
    const wrong = `${key}00`;
    for (const choose of [
      () => payerOf(none, { PAYMENT_PRIVATE_KEY: wrong }),
      () => holderOf({ ATTESTATION_KEY: wrong }),
    ]) {
      const message = refusal(choose);
      expect(message).toMatch(/64 hex digits/);
      expect(message).not.toContain(key.slice(2));
    }
  });
});

describe("the wallet with the attestation", () => {
  it("is ATTESTATION_KEY and nothing else", () => {
    expect(holderOf({ ATTESTATION_KEY: key })).toMatchObject({
      role: "attestation",
      address: account.address,
    });
    expect(refusal(() => holderOf({ PAYMENT_PRIVATE_KEY: key }))).toMatch(/ATTESTATION_KEY/);
  });
});
