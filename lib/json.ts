/** Parses JSON; undefined for any other text. Validate the result before you use it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
