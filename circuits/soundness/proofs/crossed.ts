import { type Hex, zeroHash } from "viem";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import type { Proof } from "@/prover/barretenberg";
import { packWitness } from "../acir/force";
import { honestInputs as membership } from "../anonymous/index";
import { Maker } from "../attested/make";
import { type Form, type Row, Tally } from "../groups/group";
import { honestInputs } from "../oidc/make";
import { idOf, type Plan, plannedBuild, type Subject, type World, worldOf } from "./world";

/** The artifacts whose proofs are shown to each other's verifiers. */
function plans(form: Form): Plan[] {
  if (form === "short") {
    return [
      plannedBuild("network_eligibility", "development"),
      plannedBuild("regional_attestation", "development"),
    ];
  }
  return [
    plannedBuild("oidc_domain_attestation", "production"),
    plannedBuild("anonymous_membership", "production"),
    ...attestedCircuits.flatMap((id) => [plannedBuild(id, "production"), plannedBuild(id, "development")]),
  ];
}

async function honestProof(world: World, subject: Subject): Promise<Proof> {
  const [id = "", build = ""] = subject.name.split(" ");
  const attested = attestedCircuits.find((one) => one === id);
  const others = id === "anonymous_membership" ? membership : honestInputs;
  const inputs = attested
    ? (await Maker.of(attested, build === "development" ? "development" : "production")).honest
    : others;
  const proof = await world.prove(subject, packWitness(await subject.circuit.witness(inputs)));
  if (!proof) throw new Error(`bb does not prove an honest witness of ${subject.name}`);
  return proof;
}

/** Words cut off, or filled up with zeros, to what another circuit has. */
function fitted(words: readonly Hex[], count: number): Hex[] {
  return Array.from({ length: count }, (_, i): Hex => words[i] ?? zeroHash);
}

/**
 * A proof of one circuit or build, shown to the verifiers of all others: at the front and at the generated verifier, with
 * its own public inputs and with as many as the other has. The short form has one pair.
 */
export async function crossedProofs(form: Form, log: (line: string) => void): Promise<Row[]> {
  const world = await worldOf(plans(form));
  const rows: Row[] = [];
  try {
    const subjects = [...world.subjects.values()];
    for (const subject of subjects) {
      const id = idOf(subject);
      const own = new Tally(id, `real proof (${subject.name.split(" ")[1]}), own verifier`, "all");
      const others = new Tally(id, `real proof (${subject.name.split(" ")[1]}), others' verifiers`, "none");
      rows.push(own, others);
      const { proof, publicInputs } = await honestProof(world, subject);
      for (const at of ["front", "verifier"] as const) {
        own.count(await world.verify(subject, at, proof, publicInputs), at);
        for (const other of subjects) {
          if (other === subject) continue;
          const words = new Set([publicInputs, fitted(publicInputs, other.layout.count)]);
          for (const shown of words) {
            const accepted = await world.verify(other, at, proof, shown);
            others.count(accepted, `${at} of ${other.name}, ${shown.length} words`);
          }
        }
      }
      log(`${subject.name}: ${others.tried} foreign verifications`);
    }
  } finally {
    await world.close();
  }
  return rows;
}
