import { flatNames, type Inputs } from "../abi";
import { ConstraintChecker } from "../acir/check";
import { Maker } from "../attested/make";
import { Random } from "../random";
import { type Group, lineOf, Tally } from "./group";
import * as oidc from "./nullifier-oidc";
import * as wallet from "./nullifier-wallet";

const PEOPLE = { short: 8, long: 1_000 };

/** Every so many people prove a second time, and have a foreign nullifier solved for anew. */
const AGAIN = 4;

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
  const words = flatNames(circuit.abi).flatMap(({ name }, i) => (name.startsWith("nullifier[") ? [i] : []));
  const maker = id === "oidc_domain_attestation" ? undefined : await Maker.of(id);
  for (let index = part; index < people; index += parts) {
    const random = new Random(`${id} person ${index}`);
    const email = oidc.addressOf(index, random);
    const key = wallet.walletOf(index);
    const proofOf = async (): Promise<{ inputs: Inputs; changed: Inputs }> => {
      if (!maker) {
        const inputs = oidc.randomProof(email, random);
        return { inputs, changed: oidc.otherNullifier(inputs, email, random) };
      }
      const witness = await wallet.randomWitness(maker, key, random);
      const changed = { ...witness, nullifier: wallet.otherNullifier(witness, random) };
      return { inputs: { ...witness }, changed };
    };
    const isThorough = index % AGAIN === 0;
    const nullifiers = new Set<string>();
    for (const proof of isThorough ? [1, 2] : [1]) {
      const { inputs, changed } = await proofOf();
      nullifiers.add(oidc.bytesIn(inputs.nullifier).join());
      const what = `person ${index}, proof ${proof}`;
      const verdict = await circuit.run(inputs);
      own.count(verdict.accepted, lineOf(what, verdict));
      if (isThorough) {
        const refused = await circuit.run(changed, { base: inputs });
        other.count(refused.accepted, lineOf(what, refused));
      }
      if (!verdict.accepted) continue;
      const foreign = oidc.bytesIn(changed.nullifier);
      const changes = new Map(words.map((word, i) => [word, BigInt(foreign[i] ?? 0)]));
      other.count(checker.survives(verdict.values, changes), `${what}, in the solved witness`);
    }
    if (nullifiers.size !== 1) own.problems.push(`person ${index} has ${nullifiers.size} nullifiers`);
  }
  return [own, other];
};
