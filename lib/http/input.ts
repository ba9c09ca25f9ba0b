import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { z } from "zod";
import type { OperationSpec } from "@/lib/contract";
import { isErrorCode } from "@/lib/contract/errors";
import { isRefusal, Refusal } from "@/lib/errors";
import { type Incoming, readerOf } from "./incoming";
import { type BodyPlace, bodyPlace } from "./large-bodies";

/** Room for the longest post with every character escaped (50,000 × 6 bytes), and for any proof. */
export const maxBodyBytes = 512 * 1024;
/** Maximum number of values in a JSON body, names included; the longest known body has about six hundred. */
const MAX_VALUES = 10_000;
/** Bytes decoded at a time: a large body must not block other requests. */
const SLICE_BYTES = 512 * 1024;

/**
 * Reads and checks the body of a request: JSON, or the fields of a form where the operation takes one.
 * @param place receives a body beyond the default size
 * @throws Refusal as readJsonBody does; invalid_request
 */
export async function readBody(request: Incoming, op: OperationSpec, place: BodyPlace): Promise<unknown> {
  if (!op.body) return {};
  const type = request.headers.get("content-type") ?? "";
  if (op.multipart && /^multipart\/form-data\s*;/i.test(type.trim())) {
    return validate(op.multipart, await readForm(request, op.maxBytes ?? maxBodyBytes, place));
  }
  return validate(op.body, await readJsonBody(request, op, place));
}

/** Reads the fields of a form; of repeated fields the last counts. */
async function readForm(request: Incoming, limit: number, place: BodyPlace): Promise<unknown> {
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
 * Reads the JSON body of a request, unchecked; `{}` when it is empty and the operation allows that.
 * @throws Refusal unsupported_media_type, body_too_large, invalid_json, body_too_slow, invalid_request (NUL bytes)
 */
async function readJsonBody(request: Incoming, op: OperationSpec, place: BodyPlace): Promise<unknown> {
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
 * Decodes JSON text and counts its values in slices; the time later steps take depends on that number.
 * @throws Refusal invalid_json for invalid UTF-8 or too many values
 */
async function textOf(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  const values = new ValueCounter();
  try {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      values.add(slice);
      parts.push(decoder.decode(slice, { stream: true }));
      if (bytes.length > SLICE_BYTES) await yieldToRequests();
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal("invalid_json", { message: "The body is not valid UTF-8." });
  }
  return parts.join("");
}

/** Counts the values of JSON by the separators outside strings. */
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
    if (this.#count > MAX_VALUES) {
      throw new Refusal("invalid_json", {
        message: `The body has more than ${MAX_VALUES.toLocaleString("en")} values.`,
      });
    }
  }
}

/** Reads the whole body of a web request outside the contract, of at most 512 KiB. @throws Refusal as readBytes does */
export async function readWhole(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  const place = bodyPlace();
  try {
    return await readBytes({ headers: request.headers, body: readerOf(request) }, limit, place);
  } finally {
    place.release();
  }
}

/**
 * Reads at most `limit` bytes. A body with a wrong or missing length is cut off at the limit. A body beyond the
 * default size is received on disk and read when memory has room for it.
 * @throws Refusal body_too_large, body_too_slow, rate_limited
 */
export async function readBytes(
  { headers, body }: Pick<Incoming, "headers" | "body">,
  limit: number,
  place: BodyPlace,
): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () =>
    new Refusal("body_too_large", {
      message: `The body can have up to ${Math.floor(limit / 1024)} KiB.`,
    });
  if (Number(headers.get("content-length") ?? 0) > limit) throw tooLarge();
  if (!body) return Buffer.alloc(0);
  let size = 0;
  const next = async () => {
    const bytes = await body.read();
    size += bytes?.length ?? 0;
    if (size > limit) throw tooLarge();
    return bytes;
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
    await body.cancel().catch(() => undefined);
    throw error;
  }
}

/**
 * Rejects text PostgreSQL cannot store (NUL) or would change (half a surrogate pair). Walks without recursion: a body
 * of brackets alone would exhaust the stack.
 * @throws Refusal invalid_request naming the field
 */
function assertCleanText(value: unknown, path = ""): void {
  const open = [{ path, value }];
  for (let item = open.pop(); item; item = open.pop()) {
    const { path, value } = item;
    if (typeof value === "string") {
      if (value.includes("\0") || !value.isWellFormed()) {
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

type Issue = z.core.$ZodIssue;

/**
 * Checks a part of a request against its schema.
 * @throws Refusal invalid_request with `field` and a sentence that states the rule
 */
export function validate(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { field, rule } = violation(result.error.issues[0]);
  throw new Refusal("invalid_request", {
    field: field || undefined,
    message: field ? `${field} ${rule}.` : `The body ${rule}.`,
  });
}

/** Codes of parameters that are not named after their resource. */
const otherCodes: ReadonlyMap<string, string> = new Map([
  ["requestId", "proof_request_unknown"],
  ["clientId", "app_not_found"],
  ["appRequestId", "app_request_not_found"],
  ["fileId", "upload_not_found"],
  ["nickname", "user_not_found"],
  ["number", "root_not_found"],
]);

/**
 * Checks path parameters. An invalid one cannot name anything, so it is a 404 of that resource.
 * @throws Refusal with the not-found code of the parameter (`topicId` -> topic_not_found)
 */
export function validateParams(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const name = String(result.error.issues[0]?.path[0] ?? "");
  const [resource = ""] = name.split(/(?=[A-Z])/);
  const code = otherCodes.get(name) ?? `${resource}_not_found`;
  throw new Refusal(isErrorCode(code) ? code : "not_found");
}

/** Returns field and rule of the first violation, in words for people: "title" "must have at most 200 characters". */
function violation(issue: Issue | undefined): { field: string; rule: string } {
  if (!issue) return { field: "", rule: "is not valid" };
  const field = issue.path.join(".");
  const at = (rule: string) => ({ field, rule });
  switch (issue.code) {
    case "invalid_type":
      return at(isMissing(issue) ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`);
    case "too_small":
      return at(`must have at least ${issue.minimum} ${units[issue.origin] ?? ""}`.trim());
    case "too_big":
      return at(`must have at most ${issue.maximum} ${units[issue.origin] ?? ""}`.trim());
    case "invalid_value":
      return at(`must be one of: ${issue.values.map(String).join(", ")}`);
    case "invalid_union": {
      // The alternatives disagree; the one that got furthest describes the problem best.
      const found = issue.errors.flat().toSorted((a, b) => b.path.length - a.path.length);
      const inner = found.find((candidate) => !isMissing(candidate)) ?? found[0];
      if (!inner || !issue.message.startsWith("Invalid input")) return at(issue.message);
      const { field: below, rule } = violation(inner);
      return { field: [field, below].filter(Boolean).join("."), rule };
    }
    default:
      return at(issue.message.startsWith("must") ? issue.message : `is not valid (${issue.message})`);
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** zod leaves the value out of its issues; only the message tells a missing value from a wrong one. */
function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

const units: Readonly<Record<string, string>> = { string: "characters", array: "entries", set: "entries" };

/** Reads the query parameters; of repeated ones the last counts. @param url path and query */
export function queryOf(url: string): Record<string, string> {
  const at = url.indexOf("?");
  const query = at === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at)));
  for (const [field, value] of Object.entries(query)) assertCleanText(value, field);
  return query;
}
