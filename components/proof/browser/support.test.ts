import { describe, expect, it } from "vitest";
import type { BrowserProving } from "@/lib/proofs/artifact";
import { BrowserProvingError, codeOf } from "./errors";
import { obstacle } from "./support";

const sheet = { artifactSha256: "ab", vkHash: "0x01", points: 2 ** 17 } as const;
const offer: BrowserProving = {
  offered: true,
  pointSources: ["/proving/points"],
  circuits: { oidc_domain_attestation: sheet, partner_country_attestation: { ...sheet, points: 2 ** 19 } },
};
const able = {
  isSecureContext: true,
  WebAssembly: {},
  Worker: class {},
  DecompressionStream: class {},
  navigator: { deviceMemory: 8 },
};

describe("whether a browser can make a proof", () => {
  it("is yes where nothing speaks against it, also where memory is not told", () => {
    expect(obstacle(offer, "oidc_domain_attestation", able)).toBeNull();
    expect(obstacle(offer, "oidc_domain_attestation", { ...able, navigator: {} })).toBeNull();
  });

  it.each([
    ["development_srs", { offered: false, reason: "development_srs" } as const, able],
    ["not_offered", { offered: false, reason: "not_offered" } as const, able],
    ["insecure", offer, { ...able, isSecureContext: false }],
    ["no_wasm", offer, { ...able, WebAssembly: undefined }],
    ["no_worker", offer, { ...able, Worker: undefined }],
    ["no_worker", offer, { ...able, DecompressionStream: undefined }],
    ["memory", offer, { ...able, navigator: { deviceMemory: 1 } }],
  ])("says %s", (code, offered, traits) => {
    expect(obstacle(offered, "oidc_domain_attestation", traits)).toBe(code);
  });

  it("asks more memory of the largest circuit, and knows which circuits are offered", () => {
    const phone = { ...able, navigator: { deviceMemory: 2 } };
    expect(obstacle(offer, "oidc_domain_attestation", phone)).toBeNull();
    expect(obstacle(offer, "partner_country_attestation", phone)).toBe("memory");
    expect(obstacle(offer, "network_eligibility", able)).toBe("not_offered");
  });
});

describe("the code of what went wrong", () => {
  it("is memory for what browsers and Barretenberg say of it, and repeats nothing else", () => {
    expect(codeOf(new RangeError("WebAssembly.Memory(): could not allocate memory"))).toBe("memory");
    expect(codeOf(new RangeError("Invalid array length"))).toBe("memory");
    expect(codeOf(new Error("std::bad_alloc"))).toBe("memory");
    expect(codeOf(new BrowserProvingError("points_wrong"))).toBe("points_wrong");
    expect(codeOf(new Error("the email is ada@example.com"))).toBe("crashed");
    expect(codeOf("what")).toBe("crashed");
  });
});
