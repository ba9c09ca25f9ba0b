import type { z } from "zod";
import { schemaLines } from "@/components/docs/schema-lines";
import { type OperationSpec, takesIdempotencyKey } from "@/lib/contract";
import { errorCodes, errors, meaningOf } from "@/lib/contract/errors";
import { fieldMeanings } from "@/lib/contract/meanings";
import { accessLine, conventions, errorsByStatus } from "@/lib/http/openapi";
import { toJsonSchema } from "@/lib/openapi";
import type { Exchange } from "./example";
import { createNormaliser } from "./normalise";

const head = `# API

Generated from \`lib/contract\` and from examples that CI runs (\`npm run docs\`); do not edit. The app
serves the same as OpenAPI 3.1 at \`/api/docs/openapi.json\`, and as a page at \`/docs\`.

${conventions}

Examples show numbered ids, one fixed time, and long values cut short (…).
`;

/** Returns the text of docs/api.md. @param exchanges by operation ID, in the order of execution */
export function apiMarkdown(
  operations: readonly OperationSpec[],
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const normalise = createNormaliser();
  // IDs are numbered in order of execution, not of printing: a new operation renumbers few of them.
  const shown = new Map([...exchanges].map(([id, exchange]) => [id, normalise(exampleOf(exchange))]));
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const sections = tags.map((tag) => {
    const own = operations.filter((op) => op.tag === tag);
    return `## ${tag}\n\n${own.map((op) => operationText(op, shown.get(op.id) ?? "")).join("\n")}`;
  });
  return `${[head, ...sections, errorsText()].join("\n").trimEnd()}\n`;
}

function operationText(op: OperationSpec, shown: string): string {
  const { points, seconds } = op.limit;
  const key = takesIdempotencyKey(op) ? " Takes Idempotency-Key." : "";
  const parts = [
    `### ${op.method} ${op.path}`,
    `${op.summary}. \`${op.id}\``,
    op.description,
    `${accessLine(op)} At most ${points} in ${seconds} s.${key}`,
    fields("Path", op.params, "input"),
    fields("Query", op.query, "input"),
    fields("Body", op.body, "input"),
    fields("Or as multipart/form-data", op.multipart, "input"),
    ...Object.entries(op.responses).map(([status, schema]) => fields(`Response ${status}`, schema, "output")),
    op.binary && `Response 200: bytes of \`${op.binary}\`.`,
    op.events && "Response 200: `text/event-stream`. Takes Last-Event-ID.",
    ...Object.entries(op.events ?? {}).map(([name, schema]) => fields(`Event \`${name}\``, schema, "output")),
    refusals(op),
    shown,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function fields(title: string, schema: z.ZodType | undefined, io: "input" | "output"): string | undefined {
  if (!schema) return undefined;
  const described = toJsonSchema(schema, io, fieldMeanings);
  const forms = described.anyOf ?? described.oneOf ?? [described];
  const tables = forms.flatMap((form, index) => {
    const lines = typeof form === "object" ? schemaLines(form) : [];
    if (lines.length === 0) return [];
    const rows = lines.map(({ name, type, meaning, optional }) => {
      const mark = optional ? "?" : "";
      return `| \`${name}${mark}\` | ${type.replaceAll("|", "\\|")} | ${meaning.replaceAll("|", "\\|")} |`;
    });
    return [[`| ${index === 0 ? title : "or"} | | |`, "|---|---|---|", ...rows].join("\n")];
  });
  return tables.join("\n\n") || undefined;
}

function refusals(op: OperationSpec): string {
  const byStatus = [...errorsByStatus(op)].map(
    ([status, codes]) => `${status} ${codes.map((code) => `\`${code}\``).join(", ")}`,
  );
  return `Errors: ${byStatus.join("; ")}.`;
}

function exampleOf({ method, path, headers, body, status, contentType, answer }: Exchange): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = [`${method} ${path}`, ...lines, ...(body === null ? [] : ["", shortened(body)])];
  const isJson = contentType.startsWith("application/json");
  const isStream = contentType.startsWith("text/event-stream");
  const other = isStream ? [contentType, "", answer.trimEnd()] : [`${contentType} ${answer}`];
  const reply = [`${status}`, "", ...(isJson ? [shortened(answer)] : other)];
  return ["```http", ...request, "```", "", "```http", ...reply, "```"].join("\n");
}

function errorsText(): string {
  const rows = errorCodes.map(
    (code) => `| \`${code}\` | ${errors[code].status} | ${meaningOf(code).replaceAll("|", "\\|")} |`,
  );
  return `## Errors\n\n| Code | Status | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** Longer texts are cut. */
const textLength = 140;
/** How many entries of a list of objects, or of a table, are shown. */
const entries = 1;
/** An object with more fields is a table of data, and is cut like a list. */
const tableFields = 40;

/** Shortens JSON for readers: cuts long texts, lists and tables, and says how much is missing. */
function shortened(json: string): string {
  return JSON.stringify(cut(JSON.parse(json)), null, 2);
}

function cut(value: unknown): unknown {
  if (typeof value === "string") return cutText(value);
  if (Array.isArray(value)) return cutList(value);
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value);
  const shown = pairs.length > tableFields ? pairs.slice(0, entries) : pairs;
  const more = pairs.length - shown.length;
  return Object.fromEntries([
    ...shown.map(([name, child]) => [name, cut(child)]),
    ...(more > 0 ? [["…", `${more} more`]] : []),
  ]);
}

function cutText(text: string): string {
  if (text.startsWith("eyJ")) return "eyJ…";
  // It contains IDs, which are numbered afterwards: half an ID would differ in every run.
  if (/^http:\/\/localhost:3000\/uploads\//.test(text)) return text;
  if (/^0x[0-9a-f]{20,}$/i.test(text)) return `${text.slice(0, 10)}…`;
  return text.length > textLength ? `${text.slice(0, textLength)}…` : text;
}

function cutList(list: readonly unknown[]): readonly unknown[] {
  const isText = list.every((entry) => typeof entry === "string" && entry.length <= textLength);
  // Short words (countries, tags) are shown, not counted.
  const shown = isText && list.length <= 12 ? list : list.slice(0, entries);
  const more = list.length - shown.length;
  return [...shown.map(cut), ...(more > 0 ? [`… ${more} more`] : [])];
}
