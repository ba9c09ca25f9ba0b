const word = `0x${"1f2e3d4c".padEnd(64, "0")}`;
/** Values that differ in every run, or are too long to read, and what stands for them. The first that matches counts. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, "eyJhbGciOiJSUzI1NiJ9.eyJlbWFpbCI6ImFkYUBhY21lLmV4YW1wbGUifQ.c2lnbmF0dXJl"],
  [/^0x[0-9a-fA-F]{64,}$/, word],
  [/^[0-9a-f]{64}$/, word.slice(2)],
  [/^0x[0-9a-fA-F]{40}$/, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
  [/^http:\/\/127\.0\.0\.1:\d+/, "https://prover.example.org"],
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "2026-01-31T12:00:00.000Z"],
  [/^\d{4}-\d\d-\d\d$/, "2026-01-31"],
  [/^(?=.*[A-Z])(?=.*[a-z])[\w-]{20,}$/, "jt0YqK3mVb2Xw8Rz5Tn1Lg4c"],
];
/** Fields that say how long something took or may take, and Unix times in seconds. */
const durations = /Ms$/;
const times = /^(issuedAt|validUntil)$/;

/** Returns a value as an example: the same in every run, with the first entry of each list. */
export function exampleOf(value: unknown, name = ""): unknown {
  if (typeof value === "number") {
    if (times.test(name)) return 1769860800;
    return durations.test(name) ? 2000 : value;
  }
  if (typeof value === "string") {
    const [pattern, instead] = replaced.find(([pattern]) => pattern.test(value)) ?? [];
    return pattern && instead !== undefined ? value.replace(pattern, instead) : value;
  }
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => exampleOf(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, exampleOf(child, key)]));
}
