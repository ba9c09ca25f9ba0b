import { flatBits, flatNames, type Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { Random } from "../random";
import { isFree } from "./free";
import { type Group, lineOf, spread, Tally, type Task } from "./group";
import { TrueStatements } from "./statements";

/** Solved anew, which takes about 0.1 s each; of anonymous_membership, a tenth of it. */
const COUNT = { short: 60, long: 2_000 };
const MEMBERSHIP_COUNT = { short: 60, long: 10_000 };
/** Checked against the constraints as they are. */
const SOLVED_COUNT = { short: 300, long: 10_000 };

/** A circuit's parameters by name, flattened. */
interface Parameters {
  bits: number[];
  publics: number[];
  /** Flat numbers of each parameter of the ABI. */
  groups: number[][];
  publicGroups: number[][];
}

function parametersOf({ suite: { circuit } }: Task): Parameters {
  const names = flatNames(circuit.abi);
  const groups = circuit.abi.parameters.map(({ name }) =>
    names.flatMap((flat, i) => (flat.name.split(/[.[]/)[0] === name ? [i] : [])),
  );
  return {
    bits: flatBits(circuit.abi),
    publics: names.flatMap(({ isPublic }, i) => (isPublic ? [i] : [])),
    groups,
    publicGroups: groups.filter(([first]) => first !== undefined && names[first]?.isPublic),
  };
}

type Change = Map<number, bigint>;

/** Changes of public words, alone and together with private values, from one honest witness towards nothing or another. */
class Mutator {
  readonly #random: Random;
  readonly #of: Parameters;

  constructor(random: Random, of: Parameters) {
    this.#random = random;
    this.#of = of;
  }

  /** One mutation of `own`; `other` is another honest witness. */
  next(own: readonly bigint[], other: readonly bigint[]): Change {
    const { publics, groups, publicGroups } = this.#of;
    const change: Change = new Map();
    const copy = (group: readonly number[]) => {
      for (const i of group) change.set(i, other[i] ?? 0n);
    };
    const kind = this.#random.next();
    if (kind < 0.5) {
      const words = kind < 0.35 ? 1 : 2 + this.#random.below(3);
      for (let i = 0; i < words; i++) this.#word(own, this.#random.pick(publics), change);
    } else if (kind < 0.6) {
      // Two words of one parameter, exchanged.
      const group = this.#random.pick(publicGroups);
      const [a, b] = [this.#random.pick(group), this.#random.pick(group)];
      change.set(a, own[b] ?? 0n).set(b, own[a] ?? 0n);
    } else if (kind < 0.75) {
      copy(this.#random.pick(publicGroups));
    } else if (kind < 0.8) {
      copy(publics);
    } else {
      // Any mixture of the two witnesses.
      const share = this.#random.next();
      for (const group of groups) if (this.#random.chance(share)) copy(group);
      if (this.#random.chance(0.3)) this.#word(own, this.#random.pick(publics), change);
    }
    return change;
  }

  #word(own: readonly bigint[], i: number, change: Change): void {
    const bits = this.#of.bits[i] ?? 8;
    const before = own[i] ?? 0n;
    const flipped = before ^ (1n << BigInt(this.#random.below(bits)));
    change.set(i, this.#random.chance(0.5) ? flipped : this.#random.bits(bits));
  }
}

/**
 * Random changes of public inputs, hints and inner values solved anew; and random changes of public words in a solved
 * witness, with inner values changed along and nothing solved. True statements about somebody else are left out: those
 * of the honest witnesses themselves, what several of one wallet say together, and other lists of countries that the
 * same attestation proves.
 */
export const mutations: Group = async (task) => {
  const { id, suite, form, part, parts } = task;
  const tally = new Tally(id, "public inputs changed", "none");
  const random = new Random(`${id} mutations ${part}`);
  const of = parametersOf(task);
  const bases: { inputs: Inputs; flat: bigint[] }[] = [
    { name: "", inputs: suite.honest },
    ...spread(suite.cases.honest, 7),
  ].map(({ inputs }) => ({ inputs, flat: suite.circuit.flatten(inputs) }));
  const publicsOf = (flat: readonly bigint[]) => of.publics.map((i) => flat[i] ?? 0n);
  const honest = new TrueStatements(
    id,
    suite,
    bases.map(({ flat }) => flat),
  );
  const mutator = new Mutator(random, of);
  const counts = id === "anonymous_membership" ? MEMBERSHIP_COUNT : COUNT;
  const count = Math.ceil(counts[form] / parts);
  while (tally.tried < count) {
    const [own, other] = [random.pick(bases), random.pick(bases)];
    const change = mutator.next(own.flat, other.flat);
    const flat = own.flat.map((value, i) => change.get(i) ?? value);
    if (honest.has(publicsOf(flat), flat)) continue;
    const verdict = await suite.circuit.run(own.inputs, { changes: change, base: own.inputs });
    const changed = [...change].map(([i, value]) => `${i}: ${own.flat[i]} -> ${value}`).join(", ");
    tally.count(
      verdict.accepted,
      lineOf(`mutation ${tally.tried} of part ${part} (${changed.slice(0, 300)})`, verdict),
    );
  }
  return [tally, await solvedMutations(task, of)];
};

async function solvedMutations(task: Task, { bits, publics: all }: Parameters): Promise<Tally> {
  const { id, suite, form, part, parts } = task;
  const tally = new Tally(id, "public words changed in the solved witness", "none");
  const random = new Random(`${id} solved mutations ${part}`);
  const checker = new ConstraintChecker(suite.circuit.program);
  const values = await suite.circuit.witness(suite.honest);
  const inner = [...checker.touching.keys()];
  const names = flatNames(suite.circuit.abi);
  const publics = all.filter((i) => !isFree(id, names[i]?.name ?? ""));
  for (let n = 0; n < Math.ceil(SOLVED_COUNT[form] / parts); n++) {
    const changes = new Map<number, bigint>();
    for (let i = 0; i <= random.below(3); i++) {
      const word = random.pick(publics);
      const width = bits[word] ?? 8;
      const value = values[word] ?? 0n;
      const other = value ^ (1n << BigInt(random.below(width)));
      changes.set(
        word,
        random.chance(0.7) ? other : value + (1n << BigInt(width)) * BigInt(1 + random.below(3)),
      );
    }
    for (let i = random.below(4); i > 0; i--) {
      const witness = random.pick(inner);
      if (!changes.has(witness)) changes.set(witness, (values[witness] ?? 0n) + BigInt(random.below(3)));
    }
    const what = [...changes].map(([witness, value]) => `${witness}: ${value}`).join(", ");
    tally.count(checker.survives(values, suite.circuit.asVerified(values, changes)), what);
  }
  return tally;
}
