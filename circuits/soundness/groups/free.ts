import { flatNames, type Inputs } from "../abi";
import { ConstraintChecker, evaluate } from "../acir/check";
import { ORDER } from "../acir/field";
import { isTrue, unflatten } from "../anonymous/witness";
import type { Circuit } from "../circuit";
import { Random } from "../random";
import { type Group, share, spread, Tally, type Task } from "./group";

/** Parameters that are not constrained by design, and when. See the circuits' READMEs. */
const FREE_PARAMETERS: readonly { circuit: string; name: RegExp; when?: (inputs: Inputs) => boolean }[] = [
  // A hint for the quotients, which are constrained.
  { circuit: "oidc_domain_attestation", name: /^redc_params_limbs\[/ },
  // What is said: a proof is about it, as about every public word, but no constraint is.
  { circuit: "anonymous_membership", name: /^signal$/ },
  // Where the nonce is, when there is none.
  { circuit: "oidc_domain_attestation", name: /^nonce_index$/, when: ({ nonce }) => isEmpty(nonce) },
];

function isEmpty(vec: Inputs[string] | undefined): boolean {
  return typeof vec === "object" && !Array.isArray(vec) && BigInt(Number(vec.len)) === 0n;
}

/** Whether nothing constrains a parameter in any witness. */
export function isFree(circuit: string, parameter: string): boolean {
  return FREE_PARAMETERS.some((one) => one.circuit === circuit && !one.when && one.name.test(parameter));
}

/** Witnesses that may have any value in this assignment: unconstrained parameters and inverses of zero. */
function mayBeFree(circuit: Circuit, inputs: Inputs, values: readonly bigint[]): Set<number> {
  const free = new Set<number>();
  flatNames(circuit.abi).forEach(({ name }, i) => {
    const rule = FREE_PARAMETERS.find((one) => one.circuit === circuit.name && one.name.test(name));
    if (rule && (rule.when?.(inputs) ?? true)) free.add(i);
  });
  for (const opcode of circuit.program.opcodes) {
    if (opcode.kind !== "hint" || opcode.hint !== "directive_invert") continue;
    const [[asked] = []] = opcode.inputs;
    if (asked && evaluate(asked, values) === 0n) for (const output of opcode.outputs) free.add(output);
  }
  return free;
}

const modulo = (value: bigint) => ((value % ORDER) + ORDER) % ORDER;

/** Whether what survives says nothing false: a larger limit, say, with the room it leaves above the slot. */
function isTrueAnyway(id: string, values: readonly bigint[], changes: ReadonlyMap<number, bigint>): boolean {
  if (id !== "anonymous_membership") return false;
  return isTrue(unflatten(values.map((value, i) => changes.get(i) ?? value)));
}

/** One value changed at a time, to seven others. */
function single(
  task: Task,
  checker: ConstraintChecker,
  values: readonly bigint[],
  free: Set<number>,
  tally: Tally,
) {
  const { id, suite, form } = task;
  const random = new Random(`${id} single ${tally.tried}`);
  const used = [...checker.touching.keys()].filter((witness) => !free.has(witness));
  const chosen = form === "short" ? spread(used, 200) : used;
  const names = flatNames(suite.circuit.abi);
  for (const witness of share(chosen, task)) {
    const value = values[witness] ?? 0n;
    const others = [
      value + 1n,
      value - 1n,
      1n - value,
      value + 256n,
      value + (1n << 64n),
      value + (1n << 120n),
    ];
    for (const other of [...others, random.bits(250)].map(modulo)) {
      if (other === value) continue;
      const changes = suite.circuit.asVerified(values, new Map([[witness, other]]));
      const survives = checker.survives(values, changes);
      tally.count(survives, `witness ${witness} (${names[witness]?.name ?? "inner"}), ${value} as ${other}`);
    }
  }
}

/** Two values of one linear constraint changed so that it still holds. */
function pairs(
  task: Task,
  checker: ConstraintChecker,
  values: readonly bigint[],
  free: Set<number>,
  tally: Tally,
) {
  const { id, suite, form } = task;
  const random = new Random(`${id} pairs ${tally.tried}`);
  const linear = suite.circuit.program.opcodes.flatMap((opcode) =>
    opcode.kind === "zero" && opcode.expression.terms.length > 1 ? [opcode.expression.terms] : [],
  );
  const chosen = form === "short" ? spread(linear, 60) : linear;
  for (const terms of share(chosen, task)) {
    for (let i = 0; i < 6; i++) {
      const [one, other] = [random.pick(terms), random.pick(terms)];
      if (one.witness === other.witness || free.has(one.witness) || free.has(other.witness)) continue;
      // By one and by what makes up for it; or by both factors, crosswise.
      const step = random.chance(0.5) ? inverse(other.factor) : 1n;
      const changes = new Map([
        [one.witness, modulo((values[one.witness] ?? 0n) + other.factor * step)],
        [other.witness, modulo((values[other.witness] ?? 0n) - one.factor * step)],
      ]);
      const seen = suite.circuit.asVerified(values, changes);
      const survives = checker.survives(values, seen);
      if (survives && isTrueAnyway(id, values, seen)) continue;
      tally.count(survives, `witnesses ${one.witness} and ${other.witness}`);
    }
  }
}

function inverse(value: bigint): bigint {
  let [result, base, exponent] = [1n, modulo(value), ORDER - 2n];
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % ORDER;
    base = (base * base) % ORDER;
  }
  return result;
}

/**
 * Values of the solved witness, changed without solving anything again: the constraints alone, checked by code that is
 * not the compiler's, must notice. What survives would be a value that nothing pins.
 */
export const freeWitnesses: Group = async (task) => {
  const { id, suite, form } = task;
  const ones = new Tally(id, "solved witness, one value", "none");
  const twos = new Tally(id, "solved witness, two values", "none");
  const checked = new Tally(id, "honest, by our own checker", "all");
  const checker = new ConstraintChecker(suite.circuit.program);
  const bases = [suite.honest, ...spread(suite.cases.honest, 2).map(({ inputs }) => inputs)];
  for (const [i, inputs] of (form === "short" ? bases.slice(0, 1) : bases).entries()) {
    const values = await suite.circuit.witness(inputs);
    if (task.part === 0) checked.count(checker.violated(values) === undefined, `honest witness ${i}`);
    const free = mayBeFree(suite.circuit, inputs, values);
    single(task, checker, values, free, ones);
    pairs(task, checker, values, free, twos);
  }
  return [checked, ones, twos];
};
