import type { Json } from "@/lib/openapi";

/** A part of a document that stands in several places, with the names under which components may have it. */
export interface Named {
  /** Names it may get, the one it would rather have first. */
  readonly names: readonly string[];
  readonly value: Json;
}

/**
 * Returns what stands in several places alike, by name, and a function that refers to it there. Of different parts that
 * want one name, the most frequent one gets it; a part without a free name stays where it is.
 */
export function shareRepeated(parts: readonly Named[], place: "parameters" | "responses") {
  const counted = new Map<string, Named & { count: number }>();
  for (const part of parts) {
    const text = JSON.stringify(part.value);
    counted.set(text, { ...part, count: (counted.get(text)?.count ?? 0) + 1 });
  }
  const shared: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, { names, value, count }] of [...counted].sort(([, a], [, b]) => b.count - a.count)) {
    const name = names.find((one) => !(one in shared));
    if (count === 1 || name === undefined) continue;
    shared[name] = value;
    references.set(text, { $ref: `#/components/${place}/${name}` });
  }
  return { shared, refer: (value: Json) => references.get(JSON.stringify(value)) ?? value };
}
