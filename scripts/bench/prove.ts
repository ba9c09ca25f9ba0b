import type { CircuitId } from "@/lib/proofs/deployment";
import { artifactFile, type BenchRow, benchProve, loadArtifact } from "@/prover/barretenberg";
import { honestInputs } from "../circuits/honest-inputs";

const MAX_RATIO = 1.15;

/** Our warm proving of each circuit beside bb's command. @param show told of each circuit's rows */
export async function benchCircuits(
  ids: readonly CircuitId[],
  rounds: number,
  show: (rows: BenchRow[]) => void,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const id of ids) {
    // The build that the development stack proves with.
    const circuit = await loadArtifact(artifactFile(id, "development"));
    const measured = await benchProve({ circuit, inputs: await honestInputs(id, "development"), rounds });
    show(measured);
    rows.push(...measured);
  }
  return rows;
}

/** Whether a row is as it has to be. */
export function proveLimit(row: BenchRow): boolean {
  return row.unit !== "ratio" || row.value <= MAX_RATIO;
}
