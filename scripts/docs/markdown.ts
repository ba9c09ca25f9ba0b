import { z } from "zod";
import { schemaLines } from "@/components/docs/schema-lines";
import { type Access, type OperationSpec, takesIdempotencyKey } from "@/lib/contract";
import { errorCodes, errors, meaningOf } from "@/lib/contract/errors";
import { errorsByStatus } from "@/lib/http/openapi";
import type { Exchange } from "./example";
import { createNormaliser, shortened } from "./shorten";

/** Who may call an operation. */
const words: Readonly<Record<Access, string>> = {
  anyone: "anyone",
  "signed-in": "signed-in users",
  "topic-visible": "users who may see the topic",
  "topic-content": "users who may read the topic's posts",
  "topic-member": "members of the topic who are not muted",
  "topic-insider": "members of the topic, including muted ones",
  "topic-chat": "members of the topic, including muted ones; for others the topic does not exist",
  "topic-outsider": "users who are not members yet",
  "topic-invited": "users with an invite who are not members yet",
  "topic-staff": "owner and admins of the topic",
  "topic-owner": "the topic's owner",
  "topic-owner-or-global-admin": "the topic's owner, or a global admin",
  "post-content": "users who may read the post",
  "post-member": "members of the post's topic who are not muted",
  "post-insider": "members of the post's topic, including muted ones",
  "post-recorder": "members of the post's topic who are not muted and did not write it",
  "post-staff": "owner and admins of the post's topic",
  "post-author": "the author, if a member who is not muted, or a global admin",
  "post-remover": "the author, the topic's staff, or a global admin",
  "comment-insider": "members of the comment's topic, including muted ones",
  "comment-staff": "owner and admins of the comment's topic",
  "comment-author": "the author, if a member who is not muted",
  "comment-remover": "the author, or the topic's staff",
};
const sessions: Readonly<Record<OperationSpec["auth"], string>> = {
  none: "ignored",
  optional: "optional",
  required: "required",
};

/** Session and access of an operation, as one line. */
function accessLine({ auth, access, nickname }: OperationSpec): string {
  const chosen = nickname ? " with a nickname" : "";
  return `Session: ${sessions[auth]}. For: ${words[access]}${chosen}.`;
}

const head = `# API

Generated from \`lib/contract\` and from examples that CI runs (\`npm run docs\`); do not edit. The app
serves the same as OpenAPI 3.1 at \`/api/docs/openapi.json\`, and as a page at \`/docs\`.

- Bodies are JSON (\`content-type: application/json\`). Times are ISO 8601 in UTC.
- A session is the cookie \`zk-community-session\` or \`authorization: Bearer\`; the header wins. A bad token is 401 everywhere.
- Every response has \`x-request-id\`. Errors are \`{error, code, requestId, field?}\`: \`error\` is a sentence for people, \`code\` is
  stable. The end of this page lists all codes.
- Limits count per user, or per address for guests. Every response has \`ratelimit-limit\`, \`ratelimit-remaining\` and
  \`ratelimit-reset\`; a 429 has \`retry-after\`.
- Lists take \`limit\` and \`cursor\` (the \`nextCursor\` of the previous page; null at the end). Some also take \`offset\`, as the first
  specification had it.
- A POST that creates something takes \`Idempotency-Key\` (1 to 255 visible ASCII characters): for 24 hours, the same
  request by the same user gets the first response again, with \`idempotent-replayed: true\`. Another request with the same key
  gets 409 \`idempotency_mismatch\`; a repetition before the first response, 409 \`idempotency_in_progress\`. A refused request
  frees its key.

Examples show numbered ids, one fixed time, and long values cut short (…).
`;

/** The whole of docs/api.md. @param exchanges by operation id, in the order in which they were carried out */
export function apiMarkdown(
  operations: readonly OperationSpec[],
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const normalise = createNormaliser();
  // Ids are numbered as they appeared, not as they are printed: adding an operation moves few of them.
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
  const described = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const forms = described.anyOf ?? described.oneOf ?? [described];
  const tables = forms.flatMap((form, index) => {
    const lines = typeof form === "object" ? schemaLines(form) : [];
    if (lines.length === 0) return [];
    const rows = lines.map(({ name, type, optional }) => {
      const mark = optional ? "?" : "";
      return `| \`${name}${mark}\` | ${type.replaceAll("|", "\\|")} |`;
    });
    return [[`| ${index === 0 ? title : "or"} | |`, "|---|---|", ...rows].join("\n")];
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
