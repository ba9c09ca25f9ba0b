import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replacementFees } from "./fees";

const needed = { fees: { maxFeePerGas: 120n, maxPriorityFeePerGas: 10n }, least: 100n };

describe("fees of a replacement", () => {
  it("are asked for only when what was offered is too little now", () => {
    expect(replacementFees({ maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }, needed)).toBeUndefined();
    expect(replacementFees({ maxFeePerGas: 99n, maxPriorityFeePerGas: 8n }, needed)).toEqual({
      maxFeePerGas: 120n,
      maxPriorityFeePerGas: 10n,
    });
  });

  it("are a tenth higher at least, both, whatever the chain asks: nodes refuse anything else", () => {
    const wei = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const property = fc.property(wei, wei, wei, wei, (fee, tip, askedFee, askedTip) => {
      const offered = { maxFeePerGas: fee, maxPriorityFeePerGas: tip };
      const asked = {
        fees: { maxFeePerGas: askedFee, maxPriorityFeePerGas: askedTip },
        least: fee + 1n,
      };
      const fees = replacementFees(offered, asked);
      return (
        fees !== undefined &&
        fees.maxFeePerGas * 10n >= fee * 11n &&
        fees.maxPriorityFeePerGas * 10n >= tip * 11n &&
        fees.maxFeePerGas >= askedFee &&
        fees.maxPriorityFeePerGas >= askedTip
      );
    });
    fc.assert(property);
  });
});
