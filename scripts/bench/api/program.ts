import { randomUUID } from "node:crypto";
import { z } from "zod";

/*
 * What the app asks the database for one request, as a program that another server can run for other requests. It is made
 * from two recorded requests of the same kind: a value that is the same in both is part of the statement; every other
 * comes from the request, from an earlier answer of the database, from the clock, or is a new id.
 */

/** A row as `pg` returns it. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** A statement as it was sent, and what came back. */
export interface RecordedStep {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly ResultRow[];
}

/** Statements on one connection: a transaction, or one statement. */
export interface RecordedGroup {
  /** Whether it ran after the response. */
  readonly after: boolean;
  readonly steps: readonly RecordedStep[];
}

/** A recorded request. */
export interface RecordedRequest {
  /** What the request says, by name: ids of its member, topic or post, its word. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly at: Date;
  readonly groups: readonly RecordedGroup[];
}

/** Where a value of a statement comes from. */
type Binding =
  | { readonly constant?: unknown }
  | { readonly input: string }
  /** A value of an earlier answer. */
  | { readonly cell: { readonly step: number; readonly row: number; readonly column: string } }
  /** A column of an earlier answer; its first `take` rows, or all. */
  | { readonly list: { readonly step: number; readonly column: string; readonly take: number | null } }
  /** Milliseconds from now. */
  | { readonly now: number }
  /** A new id, the same wherever the number is the same. */
  | { readonly fresh: number }
  | { readonly items: readonly Binding[] }
  | { readonly fields: Readonly<Record<string, Binding>> }
  /** As JSON. */
  | { readonly json: Binding }
  /** As text, one after the other. */
  | { readonly parts: readonly Binding[] };

const bindingSchema: z.ZodType<Binding> = z.lazy(() =>
  z.union([
    z.strictObject({ input: z.string() }),
    z.strictObject({ cell: z.object({ step: z.int(), row: z.int(), column: z.string() }) }),
    z.strictObject({ list: z.object({ step: z.int(), column: z.string(), take: z.int().nullable() }) }),
    z.strictObject({ now: z.number() }),
    z.strictObject({ fresh: z.int() }),
    z.strictObject({ items: z.array(bindingSchema) }),
    z.strictObject({ fields: z.record(z.string(), bindingSchema) }),
    z.strictObject({ json: bindingSchema }),
    z.strictObject({ parts: z.array(bindingSchema) }),
    z.strictObject({ constant: z.unknown() }),
  ]),
);

export const programSchema = z.array(
  z.object({
    after: z.boolean(),
    steps: z.array(z.object({ text: z.string(), values: z.array(bindingSchema) })),
  }),
);
export type Program = z.infer<typeof programSchema>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** A shorter input, such as the number 1, would be found everywhere. */
const MIN_INPUT = 4;

/**
 * Makes a program of two recorded requests.
 * @throws Error when they did not send the same statements
 */
export function programOf(one: RecordedRequest, other: RecordedRequest): Program {
  const [ones, others] = [one, other].map(({ groups }) => groups.flatMap(({ steps }) => steps));
  const texts = (steps: readonly RecordedStep[] = []) => steps.map(({ text }) => text).join(";\n");
  if (!ones || !others || texts(ones) !== texts(others)) {
    throw new Error(`two requests sent different statements:\n${texts(ones)}\n\n${texts(others)}`);
  }
  const fresh = new Map<string, number>();
  let index = -1;
  return one.groups.map(({ after, steps }) => ({
    after,
    steps: steps.map(({ text, values }) => {
      index += 1;
      const [before, beforeOther] = [ones.slice(0, index), others.slice(0, index)];
      const bound = values.map((value, place) => {
        const pair = { value, other: others[index]?.values[place] };
        return bindingOf(pair, { one, other, before, beforeOther, fresh });
      });
      return { text, values: bound };
    }),
  }));
}

interface Known {
  readonly one: RecordedRequest;
  readonly other: RecordedRequest;
  readonly before: readonly RecordedStep[];
  readonly beforeOther: readonly RecordedStep[];
  /** New ids of the first request, by their number. */
  readonly fresh: Map<string, number>;
}

/** A value in both requests. */
interface Pair {
  readonly value: unknown;
  readonly other: unknown;
}

function bindingOf(pair: Pair, known: Known): Binding {
  const { value, other } = pair;
  const column = listOf(pair, known);
  if (column) return column;
  if (same(value, other)) return { constant: value ?? null };
  const input = Object.keys(known.one.inputs).find(
    (name) => same(known.one.inputs[name], value) && same(known.other.inputs[name], other),
  );
  if (input !== undefined) return { input };
  return cellOf(pair, known) ?? insideOf(pair, known) ?? ownOf(value, known);
}

/** The values of a list, an object, or a text that is JSON. */
function insideOf({ value, other }: Pair, known: Known): Binding | undefined {
  if (Array.isArray(value) && Array.isArray(other)) {
    if (value.length !== other.length) return undefined;
    return { items: value.map((one, index) => bindingOf({ value: one, other: other[index] }, known)) };
  }
  if (isPlain(value) && isPlain(other)) {
    const fields = Object.entries(value).map(([name, one]) => [
      name,
      bindingOf({ value: one, other: other[name] }, known),
    ]);
    return { fields: Object.fromEntries(fields) };
  }
  const [parsed, parsedOther] = [parsedJson(value), parsedJson(other)];
  if (parsed === undefined || parsedOther === undefined) return undefined;
  return { json: bindingOf({ value: parsed, other: parsedOther }, known) };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns the list or object that a text is; undefined for other texts. */
function parsedJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** A list that is a column of an earlier answer, whole in any order, or its beginning. */
function listOf({ value, other }: Pair, { before, beforeOther }: Known): Binding | undefined {
  if (!Array.isArray(value) || !Array.isArray(other) || value.length === 0) return undefined;
  for (const [step, { rows }] of before.entries()) {
    for (const column of Object.keys(rows[0] ?? {})) {
      const [here, there] = [columnOf(rows, column), columnOf(beforeOther[step]?.rows ?? [], column)];
      if (sameSet(here, value) && sameSet(there, other)) return { list: { step, column, take: null } };
      const isStart = same(here.slice(0, value.length), value) && same(there.slice(0, other.length), other);
      if (isStart && value.length === other.length) return { list: { step, column, take: value.length } };
    }
  }
  return undefined;
}

function cellOf({ value, other }: Pair, { before, beforeOther }: Known): Binding | undefined {
  for (const [step, { rows }] of before.entries()) {
    for (const [row, cells] of rows.entries()) {
      for (const column of Object.keys(cells)) {
        const there = beforeOther[step]?.rows[row];
        if (there && same(cells[column], value) && same(there[column], other)) {
          return { cell: { step, row, column } };
        }
      }
    }
  }
  return undefined;
}

/** A time, a text with ids in it, or else the value of the first request. */
function ownOf(value: unknown, { one, fresh }: Known): Binding {
  if (value instanceof Date) return { now: value.getTime() - one.at.getTime() };
  if (typeof value !== "string") return { constant: value };
  const inputs = Object.entries(one.inputs).filter(([, text]) => text.length >= MIN_INPUT);
  const known = new Map(inputs.map(([name, text]) => [text, name]));
  const pattern = [...known.keys()].map((text) => text.replace(/\W/g, "\\$&"));
  const parts = value
    .split(new RegExp(`(${[...pattern, UUID.source].join("|")})`))
    .filter((part) => part !== "")
    .map((part) => {
      const input = known.get(part);
      if (input !== undefined) return { input };
      if (!part.match(UUID)) return { constant: part };
      const number = fresh.get(part) ?? fresh.size;
      fresh.set(part, number);
      return { fresh: number };
    });
  const [only = { constant: value }] = parts;
  return parts.length <= 1 ? only : { parts };
}

function columnOf(rows: readonly ResultRow[], column: string): unknown[] {
  return rows.map((row) => row[column]);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  const texts = (values: readonly unknown[]) =>
    [...new Set(values.map((value) => JSON.stringify(value)))].sort();
  return a.length > 0 && same(texts(a), texts(b));
}

/** Gives a program's statements their values, for one request. */
export class Run {
  readonly #inputs: Readonly<Record<string, string>>;
  readonly #fresh: string[] = [];
  /** Answers of the statements so far. */
  readonly rows: (readonly ResultRow[])[] = [];

  constructor(inputs: Readonly<Record<string, string>>) {
    this.#inputs = inputs;
  }

  /** Returns the value for a binding. */
  value(binding: Binding): unknown {
    if ("input" in binding) return this.#inputs[binding.input];
    if ("now" in binding) return new Date(Date.now() + binding.now);
    if ("fresh" in binding) return this.#freshId(binding.fresh);
    if ("cell" in binding) return this.rows[binding.cell.step]?.[binding.cell.row]?.[binding.cell.column];
    if ("list" in binding) {
      const { step, column, take } = binding.list;
      const all = columnOf(this.rows[step] ?? [], column);
      return take === null ? all : all.slice(0, take);
    }
    if ("items" in binding) return binding.items.map((item) => this.value(item));
    if ("fields" in binding) {
      const fields = Object.entries(binding.fields);
      return Object.fromEntries(fields.map(([name, field]) => [name, this.value(field)]));
    }
    if ("json" in binding) return JSON.stringify(this.value(binding.json));
    if ("parts" in binding) return binding.parts.map((part) => this.value(part)).join("");
    return binding.constant;
  }

  #freshId(number: number): string {
    const id = this.#fresh[number] ?? randomUUID();
    this.#fresh[number] = id;
    return id;
  }
}
