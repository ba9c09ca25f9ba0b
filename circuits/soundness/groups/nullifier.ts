import type { Inputs } from "../abi";
import { Maker } from "../attested/make";
import { Random } from "../random";
import { type Group, lineOf, Tally } from "./group";
import * as oidc from "./nullifier-oidc";
import * as wallet from "./nullifier-wallet";

const PEOPLE = { short: 8, long: 1_000 };

/**
 * One person has one nullifier per scope and circuit: two proofs with every free input drawn anew have the same one, and
 * each of them is refused with any other.
 */
export const oneNullifier: Group = async ({ id, suite, form, part, parts }) => {
  const people = PEOPLE[form];
  const own = new Tally(id, `one nullifier (${people} people): their own`, "all");
  const other = new Tally(id, `one nullifier (${people} people): any other`, "none");
  const { circuit } = suite;
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
    const nullifiers = new Set<string>();
    for (const proof of [1, 2]) {
      const { inputs, changed } = await proofOf();
      nullifiers.add(oidc.bytesIn(inputs.nullifier).join());
      const verdict = await circuit.run(inputs);
      own.count(verdict.accepted, lineOf(`person ${index}, proof ${proof}`, verdict));
      const refused = await circuit.run(changed, { base: inputs });
      other.count(refused.accepted, lineOf(`person ${index}, proof ${proof}`, refused));
    }
    if (nullifiers.size !== 1) own.problems.push(`person ${index} has ${nullifiers.size} nullifiers`);
  }
  return [own, other];
};
