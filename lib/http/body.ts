import type { OperationSpec } from "@/lib/contract";
import { isRefusal, Refusal } from "@/lib/errors";

/** Room for the longest post with every character escaped (50,000 × 6 bytes), and for any proof. */
export const maxBodyBytes = 512 * 1024;

/**
 * The JSON body of a request, unchecked; `{}` when it is empty and the operation allows that.
 * @throws Refusal unsupported_media_type, body_too_large, invalid_json, invalid_request (NUL bytes)
 */
export async function readJsonBody(request: Request, op: OperationSpec): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === "") {
    if (op.bodyOptional) return {};
    throw new Refusal("invalid_json", "The body must be JSON, and it is empty.");
  }
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    throw new Refusal("unsupported_media_type", "Send the body with content-type application/json.");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json", "The body is not valid JSON.");
  }
  assertCleanText(body);
  return body;
}

/** Reads at most `maxBodyBytes`: a body that lies about its length, or states none, is cut off where it goes over. */
async function readText(request: Request): Promise<string> {
  const tooLarge = () =>
    new Refusal("body_too_large", `The body must be at most ${maxBodyBytes / 1024} KiB long.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) throw tooLarge();
  if (!request.body) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = request.body.getReader();
  let size = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > maxBodyBytes) throw tooLarge();
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    if (isRefusal(error)) throw error;
    throw new Refusal("invalid_json", "The body is not valid UTF-8.");
  }
}

/**
 * PostgreSQL cannot store NUL, and half a surrogate pair would come back as another character. Walks without
 * recursion: a body of brackets alone would exhaust the stack.
 * @throws Refusal invalid_request naming the field
 */
function assertCleanText(body: unknown): void {
  const open: { path: string; value: unknown }[] = [{ path: "", value: body }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { path, value } = item;
    if (typeof value === "string") {
      if (!isCleanText(value)) {
        throw new Refusal(
          "invalid_request",
          `${path || "The body"} must not contain NUL or broken characters.`,
          {
            field: path || undefined,
          },
        );
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        open.push({ path: path.length > 100 ? path : path ? `${path}.${key}` : key, value: child });
      }
    }
  }
}

/** True when the text has neither NUL nor a lone surrogate. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}
