import type { CircuitName } from "@/lib/proofs/deployment";
import { flatNames, type Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { type Forced, forceWitness, packWitness } from "../acir/force";
import type { Case } from "../case";
import type { Circuit } from "../circuit";
import { isFree } from "../groups/free";
import { type Row, spread, Tally } from "../groups/group";
import { suiteOf } from "../suites";
import { forgedBoxes } from "./boxes";
import { idOf, plannedBuild, type Subject, type World, worldOf } from "./world";

/** How many kinds of refusal of each circuit the backend is asked about. */
const KINDS = 14;
/** More than this in the way of a case, and its forced witness says little about any of it. */
const MOST_BROKEN = 40;
/** Of a circuit's refused cases; each may take dozens of solutions until nothing is in its way. */
const CASES = 80;

/** A witness that breaks constraints, and which kinds of them. */
export interface Attempt {
  name: string;
  forced: Forced;
}

/** One public word of each parameter changed in the solved witness, and nothing else. */
async function wordAttempts(circuit: Circuit, honest: Inputs): Promise<Attempt[]> {
  const values = await circuit.witness(honest);
  const names = flatNames(circuit.abi).filter(({ isPublic }) => isPublic);
  const parameters = circuit.abi.parameters.filter(({ visibility }) => visibility === "public");
  const firsts = parameters.filter(({ name }) => !isFree(circuit.name, name));
  return firsts.map(({ name }) => {
    const from = names.findIndex((flat) => flat.name.split(/[.[]/)[0] === name);
    const witness = circuit.program.publicInputs[from] ?? 0;
    // A copy with the same holes: witnesses that no constraint has are not values to be packed.
    const changed = values.slice();
    changed[witness] = (values[witness] ?? 0n) ^ 1n;
    return { name: `public ${name}, word ${from}`, forced: { values: changed, violated: [] } };
  });
}

/** The kinds of constraints that an assignment breaks. */
function kindsOf(circuit: Circuit, { violated }: Forced): string {
  const kinds = violated.map((opcode) => {
    const found = circuit.program.opcodes[opcode];
    if (found?.kind === "blackbox") return found.box;
    return found?.kind === "range" ? `range ${found.bits}` : (found?.kind ?? "");
  });
  return [...new Set(kinds)].sort().join("+");
}

/** Of the cases that the circuit refuses, one for each kind of reason, with everything in their way taken out. */
async function caseAttempts(circuit: Circuit, cases: readonly Case[], honest: Inputs): Promise<Attempt[]> {
  const checker = new ConstraintChecker(circuit.program);
  const base = await circuit.witness(honest);
  const found = new Map<string, Attempt>();
  for (const { name, inputs, changes } of spread(cases, CASES)) {
    const verdict = await circuit.run(inputs, { changes, base: honest });
    if (verdict.accepted || found.size >= 4 * KINDS) continue;
    const own = circuit.flatten(inputs);
    const changed = circuit.asVerified(own, changes ?? new Map());
    const parameters = own.map((value, i) => changed.get(i) ?? value);
    const forced = await forceWitness(circuit.program, checker, parameters, base);
    if (!forced || forced.violated.length === 0 || forced.violated.length > MOST_BROKEN) continue;
    const kind = `${kindsOf(circuit, forced)} ${verdict.reason}`;
    const known = found.get(kind)?.forced.violated.length ?? Number.POSITIVE_INFINITY;
    if (forced.violated.length < known) found.set(kind, { name, forced });
  }
  // Those that break least: everything else about them is right.
  return [...found.values()]
    .sort((a, b) => a.forced.violated.length - b.forced.violated.length)
    .slice(0, KINDS);
}

/** Has bb prove an attempt, shows the proof to front and verifier, and counts what they say. */
export async function tryAttempt(
  world: World,
  subject: Subject,
  { name, forced }: Attempt,
  tally: Tally,
  unproven: Tally,
): Promise<void> {
  const proof = await world.prove(subject, packWitness(forced.values));
  unproven.count(proof === undefined, name);
  // Nothing to show to a verifier: that is no refusal. Of what is honest it is a failure.
  if (proof === undefined && tally.expected === "none") return;
  for (const at of ["front", "verifier"] as const) {
    const accepted =
      proof !== undefined && (await world.verify(subject, at, proof.proof, proof.publicInputs));
    tally.count(accepted, `${name}, ${at} (breaks ${kindsOf(subject.circuit, forced)})`);
  }
}

/**
 * Full assignments that break some constraints, given to bb as they are: it proves them, and the verifier must refuse the
 * proof. noir_js is not asked, so this shows that the backend's constraints are as strict as the virtual machine's.
 */
export async function forcedWitnesses(
  ids: readonly CircuitName[],
  log: (line: string) => void,
): Promise<Row[]> {
  const world = await worldOf(ids.map((id) => plannedBuild(id, "production")));
  if (!world) return [];
  const rows: Row[] = [];
  try {
    for (const subject of world.subjects.values()) {
      const id = idOf(subject);
      const { honest, cases } = await suiteOf(id);
      const control = new Tally(id, "forced witness, nothing broken", "all");
      const words = new Tally(id, "forced witness, a public word", "none");
      const constraints = new Tally(id, "forced witness, constraints", "none");
      const boxes = new Tally(id, "forced witness, a black box", "none");
      const unproven = new Tally(id, "forced witness, bb gave no proof", "any");
      rows.push(control, words, constraints, boxes, unproven);
      const values = await subject.circuit.witness(honest);
      // Before and after: what is refused in between is refused by a bb and a chain that work.
      const controlled = (name: string) =>
        tryAttempt(world, subject, { name, forced: { values, violated: [] } }, control, unproven);
      await controlled("honest, before all others");
      for (const attempt of await wordAttempts(subject.circuit, honest)) {
        await tryAttempt(world, subject, attempt, words, unproven);
      }
      for (const attempt of await caseAttempts(subject.circuit, cases.refused, honest)) {
        await tryAttempt(world, subject, attempt, constraints, unproven);
        log(`${id}: ${attempt.name}, ${attempt.forced.violated.length} constraints broken`);
      }
      for (const attempt of await forgedBoxes(id, subject.circuit, honest)) {
        await tryAttempt(world, subject, attempt, boxes, unproven);
        log(`${id}: ${attempt.name}`);
      }
      await controlled("honest, after all others");
    }
  } finally {
    await world.close();
  }
  return rows;
}
