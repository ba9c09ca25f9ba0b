import type { Inputs } from "../abi";
import { evaluate } from "../acir/check";
import { ORDER } from "../acir/field";
import type { Circuit, Lie } from "../circuit";
import { Random } from "../random";
import { type Group, lineOf, share, spread, Tally } from "./group";

/** Wrong answers for a hint of the compiler's own, given what it is asked and what it says. */
function wrongAnswers(hint: string, asked: bigint[], said: bigint[], random: Random): bigint[][] {
  switch (hint) {
    case "directive_invert": {
      const [value = 0n] = said;
      return [[0n], [value + 1n], [ORDER - value], [1n], [random.bits(250)]];
    }
    case "directive_integer_quotient": {
      const [a = 0n, b = 1n] = asked;
      const [q = 0n, r = 0n] = said;
      // The last is right in the field: a + p = q b + r.
      return [
        [q + 1n, r - b],
        [q - 1n, r + b],
        [0n, a],
        [q, r + 1n],
        [q + 1n, r],
        [r, q],
        [(a + ORDER) / b, (a + ORDER) % b],
        [(a + ORDER * (b - 1n)) / b, (a + ORDER * (b - 1n)) % b],
      ];
    }
    default:
      return said.flatMap((_, i) => [
        said.map((digit, j) => (j === i ? digit + 1n : digit)),
        said.map((digit, j) => (j === i ? digit + 2n : j === i + 1 ? digit - 1n : digit)),
        said.map((digit, j) => (j === i ? digit - 2n : j === i + 1 ? digit + 1n : digit)),
        said.map((digit, j) => (j === i ? random.bits(8) : digit)),
      ]);
  }
}

/** The lies to every hint that the compiler added, on one honest witness. */
async function liesOn(circuit: Circuit, inputs: Inputs, random: Random): Promise<[string, Lie][]> {
  const values = await circuit.witness(inputs);
  const calls = new Map<string, number>();
  return circuit.program.opcodes.flatMap((opcode): [string, Lie][] => {
    if (opcode.kind !== "hint") return [];
    const { hint, outputs } = opcode;
    const call = calls.get(hint) ?? 0;
    calls.set(hint, call + 1);
    if (!hint.startsWith("directive_")) return [];
    const asked = opcode.inputs.map(([expression]) => (expression ? evaluate(expression, values) : 0n));
    const said = outputs.map((output) => values[output] ?? 0n);
    // The inverse of zero is nobody's business: "x is zero" is then said by the product x * inverse, which is zero.
    if (hint === "directive_invert" && asked[0] === 0n) return [];
    return wrongAnswers(hint, asked, said, random)
      .map((wrong) => wrong.map((value) => ((value % ORDER) + ORDER) % ORDER))
      .filter((wrong) => wrong.some((value, i) => value !== said[i]))
      .map((wrong, i) => [`${hint} ${call}: lie ${i}`, { hint, call, change: () => wrong }]);
  });
}

/** Hints that the compiler adds, for divisions, comparisons and bits, that lie. */
export const compilerHints: Group = async (task) => {
  const { id, suite, form } = task;
  const tally = new Tally(id, "compiler's hints", "none");
  const random = new Random(`${id} compiler's hints`);
  const bases = [suite.honest, ...spread(suite.cases.honest, 3).map(({ inputs }) => inputs)];
  for (const [i, inputs] of (form === "short" ? bases.slice(0, 1) : bases).entries()) {
    const lies = await liesOn(suite.circuit, inputs, random);
    for (const [name, lie] of share(form === "short" ? spread(lies, 40) : lies, task)) {
      const verdict = await suite.circuit.run(inputs, { lies: [lie], base: inputs });
      tally.count(verdict.accepted, lineOf(`witness ${i}, ${name}`, verdict));
    }
  }
  return [tally];
};
