import type { CircuitId } from "@/lib/proofs/deployment";
import { artifactFile, benchProve as benchCircuit, loadArtifact } from "@/prover/barretenberg";
import { honestInputs } from "../circuits/honest-inputs";
import type { Row } from "./row";

/** How much longer than the bare command our prover may take. */
const MAX_RATIO = 1.15;

/**
 * Compares our warm prover with the bare `bb prove` command (key given), on the same witness: that of a real identity
 * token, or of attestations signed with test keys.
 * @yields the rows of each circuit
 */
export async function* benchProve(ids: readonly CircuitId[], rounds: number): AsyncGenerator<Row[]> {
  for (const id of ids) {
    // The development stack uses this build.
    const circuit = await loadArtifact(artifactFile(id, "development"));
    const rows = await benchCircuit({ circuit, inputs: await honestInputs(id, "development"), rounds });
    yield rows.map((row) => (row.unit === "ratio" ? { ...row, limit: { most: MAX_RATIO } } : row));
  }
}
