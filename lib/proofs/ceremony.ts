import { hexToBytes } from "@noble/hashes/utils.js";

/**
 * Points of the public ceremony (Aztec's Ignition) that real proofs are made and verified with. These constants identify
 * the ceremony itself, so files from any source can be checked against them.
 */

/** Hosts that bb itself fetches the ceremony's points from. */
export const CEREMONY_HOSTS = ["https://crs.aztec-cdn.foundation", "https://crs.aztec-labs.com"] as const;

/** Bytes of one point in a `bn254_g1.dat`: x ‖ y, big-endian. */
export const POINT_BYTES = 64;
/** Bytes of one compressed point: x, with the parity of y in its highest bit. */
export const COMPRESSED_POINT_BYTES = 32;
/** bb checks compressed points in chunks of this size against compiled-in hashes, and accepts only whole chunks. */
export const CHUNK_POINTS = 131_072;

/** [x]_2 of the ceremony, as in `bn254_g2.dat`; bb has the same value compiled in. */
export const CEREMONY_G2: Uint8Array = hexToBytes(
  [
    "0118c4d5b837bcc2bc89b5b398b5974e9f5944073b32078b7e231fec938883b0",
    "260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1",
    "22febda3c0c0632a56475b4214e5615e11e6dd3f96e6cea2854a87d4dacc5e55",
    "04fc6369f7110fe3d25156c1bb9a72859cf2a04641f99ba4ee413c80da6a5fe4",
  ].join(""),
);

/** sha256 of the first points of the ceremony, uncompressed. A file with another prefix is not the ceremony's. */
export const CEREMONY_PREFIX = {
  points: 32_769,
  sha256: "d769ac6c98f8fab858a7e9967f2b7f181d8ad9fdcdf55438c915696febf0e99c",
} as const;

/** The points that anonymous_membership takes: 2^13 gates need one more. Every app serves them, development's too. */
export const MEMBERSHIP_PREFIX = {
  points: 8_193,
  sha256: "ec2c34c509679e6152dee93f36f50d93def31809e1be0f0519036dcba8fdc2cb",
  path: "/proving/points/membership.dat",
} as const;

/** A part of the ceremony to fetch: enough points for a circuit, and all of them verifiable. */
export interface PointsPart {
  /** `plain` is checked against `CEREMONY_PREFIX`, `compressed` by bb. */
  readonly form: "plain" | "compressed";
  readonly points: number;
  readonly bytes: number;
}

/** Returns the part to fetch for a circuit of this size. @param points 2^k, the circuit's gates rounded up */
export function pointsPart(points: number): PointsPart {
  if (points < CEREMONY_PREFIX.points) {
    const { points: all } = CEREMONY_PREFIX;
    return { form: "plain", points: all, bytes: all * POINT_BYTES };
  }
  const whole = Math.ceil(points / CHUNK_POINTS) * CHUNK_POINTS;
  return { form: "compressed", points: whole, bytes: whole * COMPRESSED_POINT_BYTES };
}

/** File names of the two forms, both at the ceremony's hosts and on our own server. */
export const pointsFiles = { plain: "g1.dat", compressed: "g1_compressed.dat" } as const;
