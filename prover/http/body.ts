import type { Context } from "hono";
import { ProverRefusal } from "../refusal";

/** Largest request body in bytes, ten times the largest honest one (a token and a key set). */
export const maxBodyBytes = 64 * 1024;
/** Deepest nesting of a body. */
export const maxDepth = 12;
const maxNodes = 5_000;

/**
 * Reads a JSON body, whose size the middleware has limited.
 * @throws ProverRefusal 415 for another content type, 400 for a body that is not JSON or nested too deep
 */
export async function readJson(c: Context): Promise<unknown> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ProverRefusal(415, "UNSUPPORTED_MEDIA_TYPE", "the body must be application/json");
  }
  let value: unknown;
  try {
    value = JSON.parse(await c.req.text());
  } catch (error) {
    // The parser's message quotes the body. The size limit's error passes through.
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProverRefusal(400, "INVALID_REQUEST", "the body is not JSON");
  }
  assertModest(value);
  return value;
}

/** @throws ProverRefusal 400 for JSON that is nested too deep or has too many parts for the code that walks it */
export function assertModest(value: unknown): void {
  if (!isModest(value)) {
    throw new ProverRefusal(400, "INVALID_REQUEST", "the body is nested too deep or has too many parts");
  }
}

/** Walks without recursion, so that depth cannot overflow the stack. */
function isModest(root: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    nodes += 1;
    if (next.depth > maxDepth || nodes > maxNodes) return false;
    if (typeof next.value === "object" && next.value !== null) {
      for (const value of Object.values(next.value)) open.push({ value, depth: next.depth + 1 });
    }
  }
  return true;
}
