import type { CircuitName } from "@/lib/proofs/deployment";
import { flatNames, type Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { toInputs } from "../anonymous/witness";
import { Maker } from "../attested/make";
import { Random } from "../random";
import { type Group, lineOf, Tally } from "./group";
import * as members from "./nullifier-members";
import * as oidc from "./nullifier-oidc";
import * as wallet from "./nullifier-wallet";

const PEOPLE = { short: 8, long: 1_000 };

/** Every so many people prove a second time, and have a foreign nullifier solved for anew. */
const AGAIN = 4;

/** Parameters that are nullifiers, flattened. */
const NULLIFIERS = /^nullifier\[|_nullifier$/;

/** A proof of one person with every free input drawn anew; and the same with another nullifier. */
type ProofOf = () => Promise<{ inputs: Inputs; changed: Inputs }>;

/** How people prove, by the circuit. */
async function proversOf(id: CircuitName): Promise<(index: number, random: Random) => ProofOf> {
  if (id === "anonymous_membership") {
    return (index, random) => async () => {
      const witness = members.randomMember(members.secretOf(index), random);
      return { inputs: toInputs(witness), changed: toInputs(members.otherMember(witness, random)) };
    };
  }
  if (id === "oidc_domain_attestation") {
    return (index, random) => {
      const email = oidc.addressOf(index, random);
      return async () => {
        const inputs = oidc.randomProof(email, random);
        return { inputs, changed: oidc.otherNullifier(inputs, email, random) };
      };
    };
  }
  const maker = await Maker.of(id);
  return (index, random) => async () => {
    const witness = await wallet.randomWitness(maker, wallet.walletOf(index), random);
    const changed = { ...witness, nullifier: wallet.otherNullifier(witness, random) };
    return { inputs: { ...witness }, changed };
  };
}

/**
 * One person has one nullifier per scope and circuit: proofs with every free input drawn anew are accepted with the one
 * that the definition gives the person, and the constraints refuse each of them with any other.
 */
export const oneNullifier: Group = async ({ id, suite, form, part, parts }) => {
  const people = PEOPLE[form];
  const own = new Tally(id, `one nullifier (${people} people): their own`, "all");
  const other = new Tally(id, `one nullifier (${people} people): any other`, "none");
  const { circuit } = suite;
  const checker = new ConstraintChecker(circuit.program);
  const words = flatNames(circuit.abi).flatMap(({ name }, i) => (NULLIFIERS.test(name) ? [i] : []));
  const proverOf = await proversOf(id);
  for (let index = part; index < people; index += parts) {
    const random = new Random(`${id} person ${index}`);
    const proofOf = proverOf(index, random);
    const isThorough = index % AGAIN === 0;
    const nullifiers = new Set<string>();
    for (const proof of isThorough ? [1, 2] : [1]) {
      const { inputs, changed } = await proofOf();
      const [honest, foreign] = [circuit.flatten(inputs), circuit.flatten(changed)];
      nullifiers.add(words.map((word) => honest[word]).join());
      const what = `person ${index}, proof ${proof}`;
      const verdict = await circuit.run(inputs);
      own.count(verdict.accepted, lineOf(what, verdict));
      if (isThorough) {
        const refused = await circuit.run(changed, { base: inputs });
        other.count(refused.accepted, lineOf(what, refused));
      }
      if (!verdict.accepted) continue;
      const changes = new Map(words.map((word) => [word, foreign[word] ?? 0n]));
      other.count(checker.survives(verdict.values, changes), `${what}, in the solved witness`);
    }
    if (nullifiers.size !== 1) own.problems.push(`person ${index} has ${nullifiers.size} nullifiers`);
  }
  return [own, other];
};
