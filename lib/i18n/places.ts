import compile from "icu-minify/compile";

/** Names of the places of a sentence; compiled, a place is a list that begins with its name. */
export function placesOf(sentence: string): string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node) && typeof node[0] === "string") found.add(node[0]);
    const [, , options] = Array.isArray(node) ? node : [];
    for (const option of typeof options === "object" ? Object.values(options) : []) {
      for (const inner of Array.isArray(option) ? option : []) visit(inner);
    }
  };
  const compiled = compile(sentence);
  for (const node of Array.isArray(compiled) ? compiled : []) visit(node);
  return [...found].toSorted();
}
