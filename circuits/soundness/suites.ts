import type { CircuitId } from "@/lib/proofs/deployment";
import type { Inputs } from "./abi";
import { parameterAliases } from "./aliases";
import { attestedCases } from "./attested/index";
import { Maker } from "./attested/make";
import type { Case, Cases } from "./case";
import { Circuit } from "./circuit";
import { oidcCases } from "./oidc/index";
import { honestInputs } from "./oidc/make";

/** A committed circuit with everything that is tried against it by name. */
export interface Suite {
  circuit: Circuit;
  /** The honest witness that most cases depart from. */
  honest: Inputs;
  cases: Cases;
  /** Must be refused: second encodings of every parameter of the honest witness. */
  encodings: Case[];
}

const suites = new Map<CircuitId, Promise<Suite>>();

/** The suite of a circuit's production build. Made once per process. */
export function suiteOf(id: CircuitId): Promise<Suite> {
  const known = suites.get(id);
  if (known) return known;
  const made = makeSuite(id);
  suites.set(id, made);
  return made;
}

async function makeSuite(id: CircuitId): Promise<Suite> {
  const circuit = Circuit.committed(id);
  const [honest, cases] =
    id === "oidc_domain_attestation"
      ? [honestInputs, oidcCases()]
      : [(await Maker.of(id)).honest, await attestedCases(id)];
  return { circuit, honest, cases, encodings: parameterAliases(circuit, honest) };
}
