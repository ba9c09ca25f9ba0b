import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CEREMONY_HOSTS, MEMBERSHIP_PREFIX, POINT_BYTES } from "@/lib/proofs/ceremony";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { allVerifiers, testDeployment } from "@/lib/testing/deployment";
import { browserProvingOffer, POINTS_PATH } from "./browser-proving";
import { scriptHeaders } from "./security-headers";

const ignition = testDeployment({
  srs: { kind: "ignition", digest: `0x${"11".repeat(32)}` },
  verifiers: allVerifiers,
});
const none = async () => null;
const file = (points: number) => async () => ({ path: "bn254_g1.dat", points });

describe("what browsers are offered", () => {
  it("is nothing on development setup data, and where it is switched off", async () => {
    expect(await browserProvingOffer(testDeployment(), "any", file(2 ** 20))).toEqual({
      ...{ offered: false, reason: "development_srs" },
    });
    expect(await browserProvingOffer(ignition, "off", file(2 ** 20))).toEqual({
      ...{ offered: false, reason: "not_offered" },
    });
  });

  it("is every circuit with a verifier, by its build, key and size; our own points come first", async () => {
    const offer = await browserProvingOffer(ignition, "any", file(2 ** 20));
    if (!offer.offered) throw new Error("nothing offered");
    expect(offer.pointSources).toEqual([POINTS_PATH, ...CEREMONY_HOSTS]);
    const points = Object.fromEntries(Object.entries(offer.circuits).map(([id, one]) => [id, one?.points]));
    expect(points).toEqual({
      oidc_domain_attestation: 2 ** 17,
      network_eligibility: 2 ** 18,
      regional_attestation: 2 ** 18,
      partner_country_attestation: 2 ** 18,
    });
    expect(offer.circuits.oidc_domain_attestation).toMatchObject({
      artifactSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      vkHash: allVerifiers.oidc_domain_attestation?.vkHash,
    });
  });

  it("comes from the ceremony's hosts where there are no points here", async () => {
    const offer = await browserProvingOffer(ignition, "any", none);
    expect(offer).toMatchObject({ offered: true, pointSources: CEREMONY_HOSTS });
  });

  it("is only what our own points suffice for, where no other host may be asked", async () => {
    const offer = await browserProvingOffer(ignition, "own", file(2 ** 17));
    expect(offer).toMatchObject({ offered: true, pointSources: [POINTS_PATH] });
    expect(offer.offered && Object.keys(offer.circuits)).toEqual(["oidc_domain_attestation"]);
    expect(await browserProvingOffer(ignition, "own", none)).toMatchObject({ offered: false });
    // The file must contain whole chunks; bb checks nothing smaller.
    expect(await browserProvingOffer(ignition, "own", file(2 ** 17 - 1))).toMatchObject({ offered: false });
  });
});

it("the points of anonymous_membership are here: the ceremony's first, as many as the circuit takes", async () => {
  const bytes = await readFile(path.join(CEREMONY_CRS, "bn254_g1.dat"));
  const first = bytes.subarray(0, MEMBERSHIP_PREFIX.points * POINT_BYTES);
  expect(createHash("sha256").update(first).digest("hex")).toBe(MEMBERSHIP_PREFIX.sha256);
});

it("a worker of ours reaches this site and the points, and nothing else", () => {
  const policy = scriptHeaders.find(({ key }) => key === "content-security-policy")?.value ?? "";
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `connect-src 'self' data: ${CEREMONY_HOSTS.join(" ")}`,
  ]);
});
