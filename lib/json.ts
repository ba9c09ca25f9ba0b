/** The value of a JSON text; undefined for text that is not JSON. Check its shape before you use it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
