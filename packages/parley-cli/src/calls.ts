import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { callAddress, refusalOf } from "@/lib/client";
import { contract, type OperationSpec, operations } from "@/lib/contract";
import { scopeOf } from "@/lib/contract/automation";
import { parseJson } from "@/lib/json";
import { FROM_INPUT } from "./commands";
import { keepToken, readCredentials } from "./credentials";
import { Failure } from "./failure";
import { failureOf, type Options, surroundingsOf } from "./session";
import { print, readInput } from "./terminal";

/** Lists the operations of the API whose id or summary has all of these words. */
export function listOperations(words: readonly string[], { json }: Options): void {
  const wanted = words.map((word) => word.toLowerCase());
  const found = operations
    .filter(({ id, summary }) => wanted.every((word) => `${id} ${summary}`.toLowerCase().includes(word)))
    .map((op) => ({ id: op.id, summary: op.summary, call: `${op.method} ${op.path}`, scope: scopeOf(op) }));
  print({ operations: found }, json);
}

/**
 * Calls any operation of the API and prints what it answers; bytes go to standard output as they are.
 * @param fields `name=text` or `name:=JSON`, for path, query and body alike; "-" reads a JSON object from standard input
 * @throws Failure
 */
export async function callOperation(id: string, fields: readonly string[], options: Options): Promise<void> {
  const op = operations.find((one) => one.id === id);
  if (!op) throw new Failure("usage", `No operation is called ${id}. parley operations lists them.`);
  if (op.events)
    throw new Failure("usage", `${id} is a stream of events. parley follow-chat follows a chat.`);
  // Text of others in it could act on the terminal.
  if (op.binary && process.stdout.isTTY) throw new Failure("usage", `${id} answers bytes: add > FILE.`);
  const response = await send(op, await inputOf(fields), options);
  if (op.binary) return await pipeline(bytesOf(response), process.stdout, { end: false });
  const answer: unknown = await response.json();
  const renamed = op.id === contract.profile.setNickname.id ? reissued.safeParse(answer) : null;
  print(renamed?.success ? await keepReissued(renamed.data, options) : Object(answer), options.json);
}

/** What a new nickname answers to a session, which ends within a minute. */
const reissued = z.looseObject({ token: z.string() });

/** Keeps the session under its new name where the old one was kept. @returns what to print */
async function keepReissued(answer: z.infer<typeof reissued>, options: Options): Promise<object> {
  const { appUrl, token } = await surroundingsOf(options);
  const kept = await readCredentials();
  if (token === undefined || kept?.tokens[appUrl] !== token) return answer;
  await keepToken(appUrl, answer.token);
  const { token: _, ...shown } = answer;
  return shown;
}

/**
 * Writes everything that is the member's to a new file, readable by this user alone.
 * @throws Failure; also where the file exists
 */
export async function exportAccount(file: string, options: Options): Promise<void> {
  // First, since an archive counts against the day's limit whether or not it can be written.
  const created = await open(file, "wx", 0o600).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : "unknown error";
    const why = code === "EEXIST" ? "it exists already" : String(code);
    throw new Failure("failed", `${file} cannot be created: ${why}.`);
  });
  const out = created.createWriteStream();
  try {
    await pipeline(bytesOf(await send(contract.profile.export, {}, options)), out);
  } catch (error) {
    // Half of an archive looks like a whole one until it is opened.
    out.destroy();
    await rm(file, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure("failed", "The download broke off. Nothing was kept.");
  }
  print({ written: file, bytes: out.bytesWritten }, options.json);
}

async function send(op: OperationSpec, input: Record<string, unknown>, options: Options): Promise<Response> {
  for (const [, name = ""] of op.path.matchAll(/\{(\w+)\}/g)) {
    if (input[name] === undefined) throw new Failure("usage", `${op.id} needs ${name}=…`);
  }
  const { path, rest } = callAddress(op, input);
  const [unknown] = op.body ? [] : Object.keys(rest);
  if (unknown !== undefined) throw new Failure("usage", `${op.id} has no field ${unknown}.`);
  const { appUrl, token } = await surroundingsOf(options);
  const headers = new Headers();
  if (token && op.auth !== "refused") headers.set("authorization", `Bearer ${token}`);
  if (op.body) headers.set("content-type", "application/json");
  const body = op.body ? JSON.stringify(rest) : undefined;
  const response = await fetch(`${appUrl}${path}`, { method: op.method, headers, body }).catch(() => {
    throw new Failure("failed", "The network did not answer. Try again.");
  });
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => null);
  throw failureOf(refusalOf(response.status, answer));
}

async function inputOf(fields: readonly string[]): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    if (field === FROM_INPUT) {
      Object.assign(input, objectOf(await readInput()));
      continue;
    }
    const [, name, mark, value = ""] = /^(\w+)(:?=)([\s\S]*)$/.exec(field) ?? [];
    if (name === undefined) throw new Failure("usage", "A field is name=text or name:=JSON.");
    const given = mark === ":=" ? parseJson(value) : value;
    if (given === undefined) throw new Failure("usage", `${name}: what follows := is not JSON.`);
    input[name] = given;
  }
  return input;
}

function objectOf(text: string): object {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Failure("usage", "Standard input is not a JSON object.");
}

/** `Readable.fromWeb` takes Node's own type of streams, which is not the one of `fetch`. */
export async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
