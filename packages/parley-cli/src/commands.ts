import type { Argv } from "yargs";
import { z } from "zod";
import type { Tool } from "@/lib/mcp/tool";

/** One field of a tool's input, as JSON Schema says it. */
const field = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  anyOf: z.array(z.object({ const: z.union([z.string(), z.number()]).optional() })).optional(),
});
type Field = z.infer<typeof field>;
const inputSchema = z.looseObject({
  properties: z.record(z.string(), field),
  required: z.array(z.string()).default([]),
});

/** Adds the command of a tool: what it requires by position, in the order of its declaration, and the rest as options. */
export function addTool(program: Argv, tool: Tool, run: (tool: Tool, given: object) => Promise<void>): void {
  const { properties, required } = inputSchema.parse(z.toJSONSchema(tool.input, { io: "input" }));
  const names = Object.keys(properties);
  const command = [tool.name.replaceAll("_", "-"), ...required.map((name) => `<${name}>`)].join(" ");
  program.command(
    command,
    tool.description,
    (own) => {
      for (const [name, about] of Object.entries(properties)) {
        const facts = { describe: aboutOf(about, name), choices: choicesOf(about) };
        const type = typeOf(about);
        if (required.includes(name))
          own.positional(name, { ...facts, type: type === "array" ? "string" : type });
        else own.option(name, { ...facts, type, ...("default" in about && { default: about.default }) });
      }
      return own;
    },
    async (args) => {
      const given = names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]] as const]));
      await run(tool, Object.fromEntries(given));
    },
  );
}

/** Texts that may be long, which "-" has read from standard input. */
export const longTexts = ["content", "message"] as const;
/** Stands for "-", of which yargs makes an empty text. No argument can be it. */
export const FROM_INPUT = "\0";

function aboutOf({ description = "" }: Field, name: string): string {
  const isLong = longTexts.some((one) => one === name);
  return isLong ? `${description} "-" reads it from standard input.`.trim() : description;
}

function typeOf({ type, anyOf }: Field): "string" | "boolean" | "number" | "array" {
  if (type === "boolean" || type === "array") return type;
  const isNumber =
    type === "integer" || type === "number" || anyOf?.some((one) => typeof one.const === "number");
  return isNumber ? "number" : "string";
}

function choicesOf(about: Field): (string | number)[] | undefined {
  const constants = about.anyOf?.flatMap((one) => one.const ?? []) ?? [];
  return about.enum ?? (constants.length > 0 ? constants : undefined);
}
