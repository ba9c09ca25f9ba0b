import { bn254 } from "@noble/curves/bn254.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Points tau^i·G1 for a publicly known tau: the arithmetic of the development SRS.
 *
 * Fixed-base windows over a table of signed digits, in affine coordinates: a batch of accumulators advances one window
 * at a time and shares one modular inversion (Montgomery's trick), so an addition costs six field multiplications and
 * needs no normalization. About six times faster than one scalar multiplication per point.
 */

/** The public seed. Anyone who reads it can forge proofs, hence "development". */
const DEVELOPMENT_SRS_SEED = "parley development srs v1";

/** Bytes of one uncompressed G1 point in a `bn254_g1.dat`: x ‖ y, 32 bytes each, big-endian. */
export const G1_BYTES = 64;
/** Bytes of one uncompressed G2 point in a `bn254_g2.dat`: x.c0 ‖ x.c1 ‖ y.c0 ‖ y.c1, big-endian. */
const G2_BYTES = 128;

const P = bn254.fields.Fp.ORDER;
const R = bn254.fields.Fr.ORDER;
/** Points that share an inversion: enough to hide its cost, few enough to stay in cache. */
const BATCH = 2048;

const START = bn254.G1.Point.BASE.multiply(
  BigInt(`0x${bytesToHex(sha256(utf8ToBytes("parley accumulator start")))}`) % R,
).toAffine();

interface Table {
  /** bits per window */
  width: number;
  windows: number;
  /** x[w * half + d - 1] is the x of d·2^(width·w)·G for d in 1..half */
  x: bigint[];
  y: bigint[];
  half: number;
}

/** Returns tau = sha256(seed) mod r. */
export function developmentTau(seed: string = DEVELOPMENT_SRS_SEED): bigint {
  return BigInt(`0x${bytesToHex(sha256(utf8ToBytes(seed)))}`) % R;
}

/** Returns [tau]_2 as the 128 bytes of a `bn254_g2.dat`. */
export function developmentG2(seed: string = DEVELOPMENT_SRS_SEED): Uint8Array {
  const { x, y } = bn254.G2.Point.BASE.multiply(developmentTau(seed)).toAffine();
  const out = new Uint8Array(G2_BYTES);
  for (const [i, coordinate] of [x.c0, x.c1, y.c0, y.c1].entries()) writeField(out, i * 32, coordinate);
  return out;
}

/**
 * Computes the points tau^i·G1 for i in [from, from + count), each as x ‖ y (64 bytes).
 * @param onPoints called after each batch with the number of points so far
 */
export function powersOfTau(
  tau: bigint,
  from: number,
  count: number,
  onPoints: (done: number) => void = () => {},
): Uint8Array {
  const table = buildTable(bestWidth(count));
  const out = new Uint8Array(count * G1_BYTES);
  let scalar = power(tau, BigInt(from));
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start);
    const scalars: bigint[] = [];
    for (let i = 0; i < size; i++) {
      scalars.push(scalar);
      scalar = (scalar * tau) % R;
    }
    const { x, y } = multiplyBatch(table, scalars);
    for (let i = 0; i < size; i++) {
      writeField(out, (start + i) * G1_BYTES, x[i] ?? 0n);
      writeField(out, (start + i) * G1_BYTES + 32, y[i] ?? 0n);
    }
    onPoints(start + size);
  }
  return out;
}

/** Returns the window width that minimizes table additions plus additions per point. */
function bestWidth(count: number): number {
  let best = 4;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let width = 4; width <= 16; width++) {
    const windows = windowsFor(width);
    const cost = windows * (count + 2 ** (width - 1));
    if (cost < bestCost) [best, bestCost] = [width, cost];
  }
  return best;
}

// One bit more than r has, for the carry out of the top signed digit.
function windowsFor(width: number): number {
  return Math.ceil(255 / width);
}

function buildTable(width: number): Table {
  const half = 2 ** (width - 1);
  const windows = windowsFor(width);
  const x: bigint[] = [];
  const y: bigint[] = [];
  let base = bn254.G1.Point.BASE;
  for (let w = 0; w < windows; w++) {
    const first = base.toAffine();
    const rowX = [first.x];
    const rowY = [first.y];
    // Doubling the row: k+1..2k = (1..k) + k·base, so that k additions share an inversion.
    while (rowX.length < half) {
      const k = rowX.length;
      const addX = Array<bigint>(k).fill(rowX[k - 1] ?? 0n);
      const addY = Array<bigint>(k).fill(rowY[k - 1] ?? 0n);
      const nextX = rowX.slice();
      const nextY = rowY.slice();
      addAll(nextX, nextY, addX, addY);
      rowX.push(...nextX);
      rowY.push(...nextY);
    }
    x.push(...rowX);
    y.push(...rowY);
    for (let i = 0; i < width; i++) base = base.double();
  }
  return { width, windows, x, y, half };
}

function multiplyBatch(table: Table, scalars: bigint[]): { x: bigint[]; y: bigint[] } {
  const { width, windows, half } = table;
  const digits = scalars.map((scalar) => signedDigits(scalar, width, windows));
  // Every accumulator starts at a point with an unrelated logarithm, subtracted again below: affine formulas cannot
  // express the point at infinity, which a low digit -1 would reach from G itself.
  const x = Array<bigint>(scalars.length).fill(START.x);
  const y = Array<bigint>(scalars.length).fill(START.y);
  const addX: bigint[] = new Array(scalars.length);
  const addY: bigint[] = new Array(scalars.length);
  for (let w = 0; w < windows; w++) {
    for (let i = 0; i < scalars.length; i++) {
      const digit = digits[i]?.[w] ?? 0;
      const at = w * half + Math.abs(digit) - 1;
      addX[i] = digit === 0 ? -1n : (table.x[at] ?? 0n);
      addY[i] = digit < 0 ? P - (table.y[at] ?? 0n) : (table.y[at] ?? 0n);
    }
    addAll(x, y, addX, addY);
  }
  addAll(x, y, Array<bigint>(x.length).fill(START.x), Array<bigint>(x.length).fill(P - START.y));
  return { x, y };
}

/** scalar = Σ digit[w]·2^(width·w) with |digit| <= 2^(width-1). */
function signedDigits(scalar: bigint, width: number, windows: number): Int32Array {
  const digits = new Int32Array(windows);
  const mask = (1n << BigInt(width)) - 1n;
  const half = 2 ** (width - 1);
  let rest = scalar;
  let carry = 0;
  for (let w = 0; w < windows; w++) {
    let digit = Number(rest & mask) + carry;
    rest >>= BigInt(width);
    carry = 0;
    if (digit > half) {
      digit -= 2 * half;
      carry = 1;
    }
    digits[w] = digit;
  }
  return digits;
}

/** (x[i], y[i]) += (addX[i], addY[i]) for all i with one inversion; addX[i] = -1 leaves point i alone. */
function addAll(x: bigint[], y: bigint[], addX: bigint[], addY: bigint[]): void {
  const size = x.length;
  const prefix: bigint[] = new Array(size);
  let product = 1n;
  for (let i = 0; i < size; i++) {
    const ax = addX[i] ?? -1n;
    prefix[i] = product;
    if (ax < 0n) continue;
    const dx = ax - (x[i] ?? 0n);
    // Equal x means doubling or infinity, which the complete formulas below handle.
    if (dx !== 0n) product = (product * dx) % P;
  }
  let inverse = bn254.fields.Fp.inv(bn254.fields.Fp.create(product));
  for (let i = size - 1; i >= 0; i--) {
    const ax = addX[i] ?? -1n;
    if (ax < 0n) continue;
    const px = x[i] ?? 0n;
    const py = y[i] ?? 0n;
    const dx = ax - px;
    if (dx === 0n) {
      const sum = bn254.G1.Point.fromAffine({ x: px, y: py }).add(
        bn254.G1.Point.fromAffine({ x: ax, y: addY[i] ?? 0n }),
      );
      if (sum.is0()) throw new Error("development SRS: an accumulator reached the point at infinity");
      ({ x: x[i], y: y[i] } = sum.toAffine());
      continue;
    }
    const slope = (((addY[i] ?? 0n) - py) * ((inverse * (prefix[i] ?? 1n)) % P)) % P;
    inverse = (inverse * dx) % P;
    const sx = modP(slope * slope - px - ax);
    x[i] = sx;
    y[i] = modP(slope * (px - sx) - py);
  }
}

function modP(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  return bn254.fields.Fr.pow(base, exponent);
}

function writeField(out: Uint8Array, offset: number, value: bigint): void {
  const view = new DataView(out.buffer, out.byteOffset + offset, 32);
  for (let i = 3; i >= 0; i--) view.setBigUint64(24 - i * 8, BigInt.asUintN(64, value >> BigInt(i * 64)));
}
