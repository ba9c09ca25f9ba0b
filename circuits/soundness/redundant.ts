/**
 * Assertions that every case survives the removal of, and why that is right: what they refuse is refused by another one,
 * too. A survivor that is not named here fails the harness.
 */
interface Redundant {
  /** Circuits it is redundant in; all when left out. */
  circuits?: readonly string[];
  file: string;
  text: string;
  why: string;
}

export const redundant: readonly Redundant[] = [];

/** Why an assertion may survive, or undefined when it may not. */
export function whyRedundant(circuit: string, file: string, text: string): string | undefined {
  return redundant.find(
    (one) => one.file === file && one.text === text && (one.circuits?.includes(circuit) ?? true),
  )?.why;
}
