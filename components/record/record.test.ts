import { describe, expect, it } from "vitest";
import { roughAmount } from "./record";

describe("amounts of gas", () => {
  it("have two significant digits and no needless ones", () => {
    expect(roughAmount("4123456789012")).toBe("0.0000041");
    expect(roughAmount("1")).toBe("0.000000000000000001");
    expect(roughAmount("1000000000000000000")).toBe("1");
    expect(roughAmount("12345678901234567890123")).toBe("12345");
    expect(roughAmount("1234567890123456789")).toBe("1.2");
    expect(roughAmount("0")).toBe("0");
  });
});
