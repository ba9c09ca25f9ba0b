import { single } from "./search-params";

/** Returns the value of a query parameter if it is one of these; anything else counts as absent. */
export function oneOf<T extends string>(
  options: readonly T[],
  value: string | string[] | undefined,
): T | undefined {
  const text = single(value);
  return options.find((option) => option === text);
}
