import type { OperationSpec } from "@/lib/contract";

/** Where a call goes, and what of its input is left for the body. */
export interface CallAddress {
  /** Path with its query. */
  readonly path: string;
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Places path parameters and query of an input as its operation declares them. */
export function callAddress(op: Pick<OperationSpec, "path" | "query">, input: unknown): CallAddress {
  const rest = new Map<string, unknown>(Object.entries(Object(input)));
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const name of Object.keys(op.query?.shape ?? {})) {
    const value = rest.get(name);
    rest.delete(name);
    if (value !== undefined) query.set(name, String(value));
  }
  return { path: query.size > 0 ? `${path}?${query}` : path, rest: Object.fromEntries(rest) };
}
