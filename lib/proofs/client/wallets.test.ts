import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AttestationWallet,
  attestationWallet,
  type PayingWallet,
  payingWallet,
  type TransferTypedData,
} from "./wallets";

const account = privateKeyToAccount(generatePrivateKey());
const pay = (wallet: PayingWallet) => wallet.role;
const attest = (wallet: AttestationWallet) => wallet.role;

describe("the wallet that pays and the one with the attestation", () => {
  it("cannot be swapped: the compiler refuses either in the other's place, and a signer without a role", () => {
    const payer = payingWallet(account);
    const holder = attestationWallet(account);
    expect([pay(payer), attest(holder)]).toEqual(["payment", "attestation"]);
    // @ts-expect-error the wallet with the attestation does not pay
    expect(pay(holder)).toBe("attestation");
    // @ts-expect-error the paying wallet signs no statement
    expect(attest(payer)).toBe("payment");
    // @ts-expect-error a signer has no role until it is chosen for one
    expect(pay(account)).toBeUndefined();
    // @ts-expect-error a signer has no role until it is chosen for one
    expect(attest(account)).toBeUndefined();
    expectTypeOf(payer).not.toExtend<AttestationWallet>();
    expectTypeOf(holder).not.toExtend<PayingWallet>();
  });

  it("the paying one has nothing to sign a message with", () => {
    expect(Object.keys(payingWallet(account)).sort()).toEqual(["address", "role", "signTypedData"]);
    expectTypeOf<PayingWallet["signTypedData"]>().parameter(0).toEqualTypeOf<TransferTypedData>();
  });
});
