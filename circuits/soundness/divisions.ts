import type { Answers } from "./acir/solve";

/** A call of one of RSA's hints, `quotient_and_remainder` or `quotient_only`. */
export interface Division {
  opcode: number;
  hasRemainder: boolean;
}

/** What a signature is verified with, as parameters of the circuit: 18 limbs of 120 bits each. */
export interface Verification {
  modulus: readonly bigint[];
  redc: readonly bigint[];
  signature: readonly bigint[];
}

const LIMBS = 18;
const LIMB_BITS = 120n;
const BITS = 2048n;

function limbsOf(value: bigint): bigint[] {
  const mask = (1n << LIMB_BITS) - 1n;
  return Array.from({ length: LIMBS }, (_, i) => (value >> (LIMB_BITS * BigInt(i))) & mask);
}

/** The number that limbs say, if they are the only ones that say it and it has at most 2048 bits. */
function numberOf(limbs: readonly bigint[]): bigint | undefined {
  if (limbs.some((limb) => limb < 0n || limb >> LIMB_BITS !== 0n)) return undefined;
  const value = limbs.reduceRight((sum, limb) => (sum << LIMB_BITS) + limb, 0n);
  return value >> BITS === 0n ? value : undefined;
}

/** Whether the constant that the hint estimates quotients with is the modulus's, for which the estimate is corrected exactly. */
function isReciprocal(redc: readonly bigint[], modulus: bigint): boolean {
  const value = redc.reduceRight((sum, limb) => (sum << LIMB_BITS) + limb, 0n);
  const extra = BigInt(Math.max(0, value.toString(2).length - 2049));
  return value === (1n << (2n * BITS + extra)) / modulus;
}

/**
 * What RSA's hints say of these parameters: the divisions of signature^65537 one after the other, each going on from the last one's
 * remainder, also where a prover lied about that. The virtual machine takes four times as long for them as for the rest of the circuit.
 * What is no signature of 2048 bits, or a lie that is no number, is left to the hint's own code.
 */
export function divisionAnswers(
  divisions: readonly Division[],
  { modulus, redc, signature }: Verification,
  lied: Answers,
): Answers {
  const answers = new Map<number, readonly bigint[]>();
  const [n, s] = [numberOf(modulus), numberOf(signature)];
  if (n === undefined || s === undefined || n >> (BITS - 1n) === 0n || !isReciprocal(redc, n)) return answers;
  let power = s;
  for (const { opcode, hasRemainder } of divisions) {
    const product = hasRemainder ? power * power : power * s;
    const said = lied.get(opcode) ?? [...limbsOf(product / n), ...(hasRemainder ? limbsOf(product % n) : [])];
    answers.set(opcode, said);
    if (!hasRemainder) continue;
    const next = numberOf(said.slice(LIMBS));
    if (next === undefined) return answers;
    power = next;
  }
  return answers;
}
