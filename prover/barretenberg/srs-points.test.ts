import { createHash } from "node:crypto";
import { bn254 } from "@noble/curves/bn254.js";
import { describe, expect, test } from "vitest";
import { developmentG2, developmentTau, G1_BYTES, powersOfTau } from "./srs-points";

const { Fr } = bn254.fields;

/** The point as noble computes it, one scalar multiplication at a time. */
function reference(tau: bigint, i: number): string {
  const { x, y } = bn254.G1.Point.BASE.multiply(Fr.pow(tau, BigInt(i))).toAffine();
  return x.toString(16).padStart(64, "0") + y.toString(16).padStart(64, "0");
}

function pointAt(points: Uint8Array, i: number): string {
  return Buffer.from(points.subarray(i * G1_BYTES, (i + 1) * G1_BYTES)).toString("hex");
}

describe("powersOfTau", () => {
  test("gives what scalar multiplication gives, from the generator on", () => {
    const tau = developmentTau();
    const points = powersOfTau(tau, 0, 300);
    for (let i = 0; i < 300; i++) expect(pointAt(points, i), `point ${i}`).toBe(reference(tau, i));
  });

  test("gives the same points in shares as in one go, across batches", () => {
    const tau = developmentTau();
    const whole = powersOfTau(tau, 0, 5000);
    const parts = Buffer.concat([
      powersOfTau(tau, 0, 1),
      powersOfTau(tau, 1, 2999),
      powersOfTau(tau, 3000, 2000),
    ]);
    expect(parts.equals(whole)).toBe(true);
    for (const i of [2047, 2048, 4999]) expect(pointAt(whole, i)).toBe(reference(tau, i));
  });

  // These scalars have digits 0, ±1 and ±half a window in every place: where incomplete addition formulas
  // meet equal points, opposite points and infinity.
  test.each([
    ["1", 1n],
    ["-1", Fr.ORDER - 1n],
    ["2", 2n],
    ["1/2", Fr.inv(2n)],
    ["2^13 - 1", 2n ** 13n - 1n],
    ["2^12", 2n ** 12n],
    ["-2", Fr.ORDER - 2n],
  ])("is right for tau = %s", (_, tau) => {
    const points = powersOfTau(tau, 0, 260);
    for (let i = 0; i < 260; i++) expect(pointAt(points, i), `point ${i}`).toBe(reference(tau, i));
  });

  test("reports how far it is", () => {
    const seen: number[] = [];
    powersOfTau(3n, 0, 5000, (done) => seen.push(done));
    expect(seen).toEqual([2048, 4096, 5000]);
  });
});

test("the development SRS is the same everywhere and for ever: keys and chains are built on it", () => {
  const digest = createHash("sha256")
    .update(powersOfTau(developmentTau(), 0, 1024))
    .update(developmentG2());
  expect(digest.digest("hex")).toBe("077b2b3d7dcaaa459a8da5d394d735578c29eb113f721dbdf5d2511af1b46949");
});

test("the G2 point belongs to the G1 points: e([tau]_1, [1]_2) = e([1]_1, [tau]_2)", () => {
  const g2 = developmentG2();
  const field = (bytes: Uint8Array, i: number) =>
    BigInt(`0x${Buffer.from(bytes.subarray(i * 32, i * 32 + 32)).toString("hex")}`);
  const points = powersOfTau(developmentTau(), 0, 2);
  const tau1 = bn254.G1.Point.fromAffine({ x: field(points, 2), y: field(points, 3) });
  const tau2 = bn254.G2.Point.fromAffine({
    x: { c0: field(g2, 0), c1: field(g2, 1) },
    y: { c0: field(g2, 2), c1: field(g2, 3) },
  });
  const product = bn254.pairingBatch([
    { g1: tau1, g2: bn254.G2.Point.BASE },
    { g1: bn254.G1.Point.BASE.negate(), g2: tau2 },
  ]);
  expect(bn254.fields.Fp12.eql(product, bn254.fields.Fp12.ONE)).toBe(true);
});
