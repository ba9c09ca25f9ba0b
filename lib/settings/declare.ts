import { z } from "zod";

/** A form that the text of a variable can have. */
export interface Form<T> {
  /** From the text to its value. Its own messages are of `custom` checks and never contain the value. */
  readonly schema: z.ZodType<T>;
  /** Completes "must be …", in errors and in the operator's table. */
  readonly rule: string;
}

/** What a declaration says about a variable besides its form. */
export interface About {
  /** One sentence, without its period. */
  readonly about: string;
  /** A value as an operator may write it. */
  readonly example?: string;
  /** What happens without it, if it has no default. */
  readonly unset?: string;
  /** Who reads it, if not every program of its group. */
  readonly by?: string;
  /** Read from the file that NAME_FILE names, too, and given only to the programs that read it. */
  readonly secret?: true;
}

const registry = z.registry<About & { rule: string }>();

/** The variables that a program reads, by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** Declares a variable that may be absent. */
export function optional<T>({ schema, rule }: Form<T>, about: About) {
  return schema.optional().register(registry, { ...about, rule });
}

/** Declares a variable with a default, written as an operator would write it. */
export function withDefault<T>({ schema, rule }: Form<T>, text: string, about: About) {
  return schema.prefault(text).register(registry, { ...about, rule, unset: text });
}

/** Declares a variable without which its program does not start. */
export function required<T>({ schema, rule }: Form<T>, about: About) {
  return schema.clone().register(registry, { ...about, rule });
}

/** Returns what a declaration says. @throws Error for a schema that was not made by a function of this file */
export function aboutOf(declared: z.ZodType): About & { readonly rule: string } {
  const about = registry.get(declared);
  if (!about) throw new Error("a variable is declared without a description");
  return about;
}

/** A program's variables, or a part of them, as the operator's pages show them. */
export interface Group {
  readonly title: string;
  /** The programs that read them. */
  readonly by: string;
  readonly variables: Shape;
}

export const text: Form<string> = { schema: z.string(), rule: "text" };

/** @param shown for the rule, e.g. "a whole number of milliseconds, 1 or more" */
export function whole(min: number, max: number, what = "a whole number"): Form<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return { schema: decimal(z.number().int().min(min).max(max)), rule: `${what}, ${range}` };
}

export const count = whole(1, Number.MAX_SAFE_INTEGER);
export const milliseconds = whole(1, Number.MAX_SAFE_INTEGER, "a whole number of milliseconds");
/** A port to listen on. */
export const port = whole(1, 65_535, "a port");
/** A port to listen on; 0 takes any free one. */
export const portOrAny = whole(0, 65_535, "a port");
export const share: Form<number> = {
  schema: decimal(z.number().positive().max(1)),
  rule: "a number above 0, up to 1",
};

/** Number() reads an empty text as 0 and takes spaces and hex; an operator means none of these. */
function decimal(number: z.ZodNumber): z.ZodType<number> {
  return z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(number);
}

export function choice<const T extends string>(...options: readonly [T, ...T[]]): Form<T> {
  return { schema: z.enum(options), rule: `one of ${options.join(", ")}` };
}

/** `1` for yes, `0` for no. */
export const flag: Form<boolean> = {
  schema: z.enum(["0", "1"]).transform((value) => value === "1"),
  rule: "0 or 1",
};

export const url: Form<string> = { schema: z.url(), rule: "a URL" };

/** Texts, comma-separated; empty ones are left out. */
export const list: Form<readonly string[]> = {
  schema: z.string().transform((value) => value.split(",").flatMap((entry) => entry.trim() || [])),
  rule: "a comma-separated list",
};

/** A text that the pattern matches. */
export function pattern(matching: RegExp, rule: string): Form<string> {
  return { schema: z.string().regex(matching), rule };
}

/** A secret of at least so many bytes, in any text. */
export function secretOf(minBytes: number): Form<string> {
  return {
    schema: z.string().refine((value) => new TextEncoder().encode(value).length >= minBytes, {
      error: `must be at least ${minBytes} bytes`,
    }),
    rule: `at least ${minBytes} bytes`,
  };
}
