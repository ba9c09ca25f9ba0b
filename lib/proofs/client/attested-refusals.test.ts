import { beforeEach, describe, expect, it, vi } from "vitest";
import { AttestationWorld } from "../testing/attestation-world";
import { person } from "../testing/attestations";
import { action, attestedPurchase, statements } from "../testing/attested-purchase";
import { type AttestedStatement, proveAttested } from "./attested";

let setting: Awaited<ReturnType<typeof attestedPurchase>>;

describe("nobody is asked to sign", () => {
  const country = statements["a country"];
  beforeEach(async () => {
    setting = await attestedPurchase(country);
  });
  const untouched = () => {
    expect(setting.wallet.asked).toHaveLength(0);
    expect(setting.payer.signed).toHaveLength(0);
    expect(setting.prover.seen).toHaveLength(0);
  };

  it("when the paying wallet is the attested one", async () => {
    const paymentWallet = { ...setting.payer, address: person.address };
    await expect(proveAttested(setting.request({ paymentWallet }))).rejects.toMatchObject({
      code: "PAYMENT_WALLET_NOT_SEPARATE",
    });
    untouched();
    expect(setting.world.seen).toHaveLength(0);
  });

  it("when the attested country cannot prove what is asked", async () => {
    for (const list of [
      { countries: ["DE"], isIncluded: true },
      { countries: ["FR"], isIncluded: false },
    ]) {
      await expect(proveAttested(setting.request({ list }))).rejects.toMatchObject({
        code: "COUNTRY_NOT_PROVEN",
      });
    }
    untouched();
  });

  it("when there is no attestation, or none that stands", async () => {
    setting.world = new AttestationWorld("partner_country_attestation");
    await expect(proveAttested(setting.request())).rejects.toMatchObject({ code: "ATTESTATION_NOT_FOUND" });
    const { uids } = await setting.world.attest();
    setting.world.revoke(uids[0] ?? "0x");
    await expect(proveAttested(setting.request())).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
    untouched();
  });

  it("before an action was shown in full and confirmed", async () => {
    const acting = statements["an action"];
    setting = await attestedPurchase(acting);
    const confirmAction = vi.fn(async () => false);
    for (const over of [{ confirmAction }, { confirmAction: undefined }]) {
      await expect(proveAttested(setting.request(over))).rejects.toMatchObject({
        code: "ACTION_NOT_CONFIRMED",
      });
    }
    const lines = [expect.objectContaining({ path: "message.petition", value: "7" })];
    expect(confirmAction).toHaveBeenCalledWith(expect.arrayContaining(lines));
    untouched();
  });

  it.each<[string, Partial<AttestedStatement>, string]>([
    ["a country proof without a list", { list: undefined }, "INPUT_MALFORMED"],
    ["a country proof with a nonce", { nonce: "n" }, "INPUT_MALFORMED"],
    ["a country proof with an action", { action }, "INPUT_MALFORMED"],
    ["an empty list", { list: { countries: [], isIncluded: true } }, "COUNTRY_LIST_INVALID"],
    ["an empty scope", { scope: "" }, "SCOPE_INVALID"],
    ["a scope too long", { scope: "x".repeat(89) }, "SCOPE_INVALID"],
    ["an identity without a nonce", { circuit: "network_eligibility", list: undefined }, "INPUT_MALFORMED"],
    [
      "an identity with an empty nonce",
      { circuit: "network_eligibility", list: undefined, nonce: "" },
      "INPUT_MALFORMED",
    ],
    ["an identity with a list", { circuit: "network_eligibility", nonce: "n" }, "INPUT_MALFORMED"],
    [
      "identity and action at once",
      { circuit: "network_eligibility", list: undefined, nonce: "n", action },
      "INPUT_MALFORMED",
    ],
    [
      "an action that is none",
      { circuit: "network_eligibility", list: undefined, action: { ...action, message: {} } },
      "ACTION_INVALID",
    ],
  ])("for %s", async (_, change, code) => {
    await expect(proveAttested(setting.request(change))).rejects.toMatchObject({ code });
    untouched();
  });
});
