import type { Strategy } from "./attack";

/** How well a strategy did. */
interface Result {
  readonly name: string;
  readonly right: number;
  readonly of: number;
  /** Above what chance gives, in units of its spread. */
  readonly score: number;
}

export interface Verdict {
  readonly best: Result;
  /** How often the best of all strategies does as well as this by chance. */
  readonly p: number;
}

const PERMUTATIONS = 2_000;

/**
 * Returns how likely the best strategy is as good by chance; null without a guess. What one author says in a week hangs together, by its tag, so
 * guesses about it are right or wrong together, which a χ² over single guesses takes for knowledge. Here chance is what remains
 * when the members change their names with each other: it counts what hangs together, and that many strategies were tried.
 * @param truth by what was said: the index of its author
 */
export function verdictOn(
  strategies: readonly Strategy[],
  truth: ReadonlyMap<string, number>,
  members: number,
): Verdict | null {
  const tables = strategies.flatMap(({ name, guesses }) => {
    const counts = new Uint16Array(members * members);
    let of = 0;
    for (const [one, guess] of guesses) {
      const author = truth.get(one);
      if (author === undefined) continue;
      counts[guess * members + author] = (counts[guess * members + author] ?? 0) + 1;
      of++;
    }
    return of > 0 ? [{ name, of, counts }] : [];
  });
  if (tables.length === 0) return null;
  const resultOf = ({ name, of, counts }: (typeof tables)[number], names: readonly number[]): Result => {
    let right = 0;
    for (const [author, name] of names.entries()) right += counts[name * members + author] ?? 0;
    const expected = of / members;
    return { name, right, of, score: (right - expected) / Math.sqrt(expected) };
  };
  const bestOf = (names: readonly number[]) =>
    tables
      .map((table) => resultOf(table, names))
      .reduce((best, one) => (one.score > best.score ? one : best));
  const own = Array.from({ length: members }, (_, member) => member);
  const best = bestOf(own);
  let asGood = 0;
  for (let i = 0; i < PERMUTATIONS; i++) if (bestOf(permuted(own)).score >= best.score) asGood++;
  return { best, p: (asGood + 1) / (PERMUTATIONS + 1) };
}

function permuted(all: readonly number[]): number[] {
  const result = [...all];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [result[i], result[j]] = [result[j] ?? 0, result[i] ?? 0];
  }
  return result;
}
