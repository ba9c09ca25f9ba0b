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

const cellSchema = z.object({ step: z.int(), row: z.int(), column: z.string() });
const bindingSchema = z.union([
  z.object({ constant: z.unknown() }),
  z.object({ input: z.string() }),
  /** A value of an earlier answer. */
  z.object({ cell: cellSchema }),
  /** A column of an earlier answer; the first `take` rows, or all. */
  z.object({ list: z.object({ step: z.int(), column: z.string(), take: z.int().nullable() }) }),
  /** Milliseconds from now. */
  z.object({ now: z.number() }),
  /** A new id, the same wherever the number is the same. */
  z.object({ fresh: z.int() }),
  /** Parts of a text: as they are, inputs, and new ids. */
  z.object({
    parts: z.array(z.union([z.string(), z.object({ input: z.string() }), z.object({ fresh: z.int() })])),
  }),
]);
type Binding = z.infer<typeof bindingSchema>;

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
  if (same(value, other)) return { constant: value };
  const input = Object.keys(known.one.inputs).find(
    (name) => same(known.one.inputs[name], value) && same(known.other.inputs[name], other),
  );
  if (input !== undefined) return { input };
  return listOf(pair, known) ?? cellOf(pair, known) ?? ownOf(value, known);
}

/** A list that is a column of an earlier answer, whole in any order, or its beginning. */
function listOf({ value, other }: Pair, { before, beforeOther }: Known): Binding | undefined {
  if (!Array.isArray(value) || !Array.isArray(other)) return undefined;
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
      if (!part.match(UUID)) return part;
      const number = fresh.get(part) ?? fresh.size;
      fresh.set(part, number);
      return { fresh: number };
    });
  const [only] = parts;
  if (parts.length === 1 && typeof only === "object") return only;
  return parts.every((part) => typeof part === "string") ? { constant: value } : { parts };
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
    if ("constant" in binding) return binding.constant;
    if ("input" in binding) return this.#inputs[binding.input];
    if ("now" in binding) return new Date(Date.now() + binding.now);
    if ("fresh" in binding) return this.#freshId(binding.fresh);
    if ("cell" in binding) return this.rows[binding.cell.step]?.[binding.cell.row]?.[binding.cell.column];
    if ("list" in binding) {
      const { step, column, take } = binding.list;
      const all = columnOf(this.rows[step] ?? [], column);
      return take === null ? all : all.slice(0, take);
    }
    return binding.parts
      .map((part) => {
        if (typeof part === "string") return part;
        return "input" in part ? this.#inputs[part.input] : this.#freshId(part.fresh);
      })
      .join("");
  }

  #freshId(number: number): string {
    const id = this.#fresh[number] ?? randomUUID();
    this.#fresh[number] = id;
    return id;
  }
}
