import type { OperationSpec } from "@/lib/contract";
import { isRefusal, Refusal } from "@/lib/errors";
import type { BodyPlace } from "./large-bodies";

/** Room for the longest post with every character escaped (50,000 × 6 bytes), and for any proof. */
export const maxBodyBytes = 512 * 1024;

/**
 * The body of a request, unchecked: JSON, or the fields of a form where the operation takes one.
 * @param place what a body beyond the usual size waits for
 * @returns which of the two it was, as their schemas differ
 * @throws Refusal as readJsonBody does
 */
export async function readBody(
  request: Request,
  op: OperationSpec,
  place: BodyPlace,
): Promise<{ readonly form: boolean; readonly value: unknown }> {
  const type = request.headers.get("content-type") ?? "";
  if (op.multipart && /^multipart\/form-data\s*;/i.test(type.trim())) {
    return { form: true, value: await readForm(request, op.maxBytes ?? maxBodyBytes, place) };
  }
  return { form: false, value: await readJsonBody(request, op, place) };
}

/** Fields of a form; of repeated ones the last counts. */
async function readForm(request: Request, limit: number, place: BodyPlace): Promise<unknown> {
  const bytes = await readBytes(request, limit, place);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    const value = Object.fromEntries(await new Response(bytes, { headers }).formData());
    assertCleanText(value);
    return value;
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal("invalid_request", "The body is not valid multipart/form-data.");
  }
}

/**
 * The JSON body of a request, unchecked; `{}` when it is empty and the operation allows that.
 * @throws Refusal unsupported_media_type, body_too_large, invalid_json, body_too_slow, invalid_request (NUL bytes)
 */
async function readJsonBody(request: Request, op: OperationSpec, place: BodyPlace): Promise<unknown> {
  const text = await readText(request, op.maxBytes ?? maxBodyBytes, place);
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

async function readText(request: Request, limit: number, place: BodyPlace): Promise<string> {
  const bytes = await readBytes(request, limit, place);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid_json", "The body is not valid UTF-8.");
  }
}

/**
 * Reads at most `limit` bytes: a body that lies about its length, or states none, is cut off where it goes over. What
 * goes beyond the usual size waits for a place first.
 * @throws Refusal body_too_large, body_too_slow
 */
export async function readBytes(
  request: Request,
  limit: number,
  place: BodyPlace,
): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () =>
    new Refusal("body_too_large", `The body must be at most ${Math.floor(limit / 1024)} KiB long.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  if (!request.body) return Buffer.alloc(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await place.inTime(reader.read());
      if (done) return Buffer.concat(chunks);
      size += value.length;
      if (size > limit) throw tooLarge();
      if (size > maxBodyBytes) await place.take();
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
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
  return !text.includes("\0") && text.isWellFormed();
}
