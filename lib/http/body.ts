import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { OperationSpec } from "@/lib/contract";
import { isRefusal, Refusal } from "@/lib/errors";
import type { BodyPlace } from "./large-bodies";

/** Room for the longest post with every character escaped (50,000 × 6 bytes), and for any proof. */
export const maxBodyBytes = 512 * 1024;
/** Most values of a JSON body, names included; the longest we know of has some six hundred. */
const maxValues = 10_000;
/** Bytes decoded at once: a large body must not keep other requests waiting. */
const sliceBytes = 512 * 1024;

/**
 * The body of a request, unchecked: JSON, or the fields of a form where the operation takes one.
 * @param place takes in a body beyond the usual size
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
    throw new Refusal("invalid_request", { message: "The body is not valid multipart/form-data." });
  }
}

/**
 * The JSON body of a request, unchecked; `{}` when it is empty and the operation allows that.
 * @throws Refusal unsupported_media_type, body_too_large, invalid_json, body_too_slow, invalid_request (NUL bytes)
 */
async function readJsonBody(request: Request, op: OperationSpec, place: BodyPlace): Promise<unknown> {
  const text = await textOf(await readBytes(request, op.maxBytes ?? maxBodyBytes, place));
  if (!/\S/.test(text)) {
    if (op.bodyOptional) return {};
    throw new Refusal("invalid_json", { message: "The body must be JSON, but it is empty." });
  }
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type.trim())) {
    throw new Refusal("unsupported_media_type");
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json");
  }
  assertCleanText(body);
  return body;
}

/**
 * JSON as text, decoded and counted in slices: what is made of it afterwards takes time by the number of its values.
 * @throws Refusal invalid_json for what is not UTF-8, or has too many values
 */
async function textOf(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  const values = new ValueCounter();
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      values.add(slice);
      parts.push(decoder.decode(slice, { stream: true }));
      if (bytes.length > sliceBytes) await yieldToRequests();
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal("invalid_json", { message: "The body is not valid UTF-8." });
  }
  return parts.join("");
}

/** Counts the values of JSON by the characters that stand between them, outside strings. */
class ValueCounter {
  #inString = false;
  #escaped = false;
  #count = 0;

  /** @throws Refusal invalid_json */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === 0x5c) this.#escaped = true;
        else if (byte === 0x22) this.#inString = false;
      } else if (byte === 0x22) this.#inString = true;
      // Comma, colon and both opening brackets.
      else if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) this.#count += 1;
    }
    if (this.#count > maxValues) {
      throw new Refusal("invalid_json", {
        message: `The body has more than ${maxValues.toLocaleString("en")} values.`,
      });
    }
  }
}

/**
 * Reads at most `limit` bytes: a body that lies about its length, or states none, is cut off where it goes over. What
 * goes beyond the usual size is received on disk and read when there is room for it.
 * @throws Refusal body_too_large, body_too_slow, rate_limited
 */
export async function readBytes(
  request: Request,
  limit: number,
  place: BodyPlace,
): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () =>
    new Refusal("body_too_large", {
      message: `The body can have up to ${Math.floor(limit / 1024)} KiB.`,
    });
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  if (!request.body) return Buffer.alloc(0);
  const reader = request.body.getReader();
  let size = 0;
  const next = async () => {
    const { done, value } = await reader.read();
    if (done) return null;
    size += value.length;
    if (size > limit) throw tooLarge();
    return value;
  };
  try {
    const chunks: Uint8Array[] = [];
    while (size <= maxBodyBytes) {
      const chunk = await next();
      if (!chunk) return Buffer.concat(chunks);
      chunks.push(chunk);
    }
    return await place.receive(Buffer.concat(chunks), next);
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
        throw new Refusal("invalid_request", {
          field: path || undefined,
          message: `${path || "The body"} must not contain NUL or invalid characters.`,
        });
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
