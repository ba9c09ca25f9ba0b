import type { Json } from "@/lib/openapi";

/** A part of a document that stands in several places, with the name under which components have it. */
export interface Named {
  readonly name: string;
  readonly value: Json;
}

/**
 * Returns what stands in several places alike, by name, and a function that refers to it there. Of different parts with
 * one name, the most frequent one gets it; the others stay where they are.
 */
export function shareRepeated(parts: readonly Named[], place: "parameters" | "responses") {
  const counted = new Map<string, Named & { count: number }>();
  for (const part of parts) {
    const text = JSON.stringify(part.value);
    counted.set(text, { ...part, count: (counted.get(text)?.count ?? 0) + 1 });
  }
  const shared: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, { name, value, count }] of [...counted].sort(([, a], [, b]) => b.count - a.count)) {
    if (count === 1 || name in shared) continue;
    shared[name] = value;
    references.set(text, { $ref: `#/components/${place}/${name}` });
  }
  return { shared, refer: (value: Json) => references.get(JSON.stringify(value)) ?? value };
}
