import { zeroHash } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { countryWire, eligibilityWire } from "../testing/wallet-wires";
import { type CountryWireInputs, countryWireInputsSchema, eligibilityWireInputsSchema } from "./wire";

let honest: CountryWireInputs;
beforeAll(async () => {
  honest = await countryWire();
});

describe("the wire", () => {
  const field = (change: Record<string, unknown>) =>
    countryWireInputsSchema.safeParse({ ...honest, ...change }).error?.issues[0]?.path[0] ?? null;

  it("takes the documented fields as they are, and drops what it does not know", async () => {
    const identity = await eligibilityWire({ circuit: "network_eligibility" });
    expect(eligibilityWireInputsSchema.parse({ ...identity, extra: 1 })).toEqual(identity);
    expect(countryWireInputsSchema.parse({ ...honest, extra: 1 })).toEqual(honest);
    const { nullifier } = countryWireInputsSchema.parse({
      ...honest,
      nullifier: honest.nullifier.toUpperCase().replace("0X", "0x"),
    });
    expect(nullifier).toBe(honest.nullifier);
  });

  it.each<[string, unknown]>([
    ["signature", "0x00"],
    ["signature", `0x${"00".repeat(66)}`],
    ["nullifier", "0x00"],
    ["scope_bytes", "zk-community"],
    ["user_address", "0x00"],
    ["raw_transaction", "02"],
    ["raw_transaction", `0x${"00".repeat(5000)}`],
    ["tx_length", -1],
    ["tx_length", 1.5],
    ["leaf_index", "0"],
    ["merkle_proof", Array(100).fill(zeroHash)],
    ["scope", ""],
    ["scope", "x".repeat(89)],
    ["scope", "é".repeat(45)],
    ["scope", "\ud800"],
    ["is_included", "true"],
    ["country_list", "FR"],
  ])("refuses a %s that is not one", (name, value) => {
    expect(field({ [name]: value })).toBe(name);
  });
});
