import type { Context } from "@/lib/context";
import { type OperationSpec, operations, takesIdempotencyKey } from "@/lib/contract";
import { accessRules } from "@/lib/contract/access";
import { scopeOf } from "@/lib/contract/automation";
import { errorBodySchema } from "@/lib/contract/error-body";
import { type ErrorCode, errors, meaningOf } from "@/lib/contract/errors";
import { fieldMeanings, tagMeanings } from "@/lib/contract/meanings";
import { proofRequirement } from "@/lib/contract/proof-requirement";
import {
  type Components,
  describeParameters,
  describePaths,
  type Json,
  newComponents,
  schemaRef,
} from "@/lib/openapi";
import { shareRepeated } from "@/lib/openapi-sharing";
import type { Deployment } from "@/lib/proofs/deployment";
import { sessionCookieName } from "@/lib/session/cookie";
import manifest from "@/package.json" with { type: "json" };
import executed from "./samples.json" with { type: "json" };

/** Bodies of requests that were executed, and of their answers, by operation: `npm run docs` writes them. */
const samples: Readonly<
  Record<string, { readonly status: number; readonly request?: unknown; readonly response?: unknown }>
> = executed;

/** Headers of answers, by name. */
const headers: Readonly<Record<string, Json>> = {
  "x-request-id": { description: "Quote it when asking for help", schema: { type: "string" } },
  "ratelimit-limit": { description: "Requests allowed in a window", schema: { type: "integer" } },
  "ratelimit-remaining": { description: "Requests left in this window", schema: { type: "integer" } },
  "ratelimit-reset": { description: "Seconds until the window ends", schema: { type: "integer" } },
  "retry-after": { description: "Seconds to wait", schema: { type: "integer" } },
  "idempotent-replayed": {
    description: "`true` on the answer to a repetition under the same Idempotency-Key",
    schema: { type: "string", enum: ["true"] },
  },
};
const rateHeaders = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

function headersNamed(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What holds for every operation, as a list in Markdown. */
export const conventions = `- Bodies are JSON (\`content-type: application/json\`). Times are ISO 8601 in UTC.
- A session is the cookie \`zk-community-session\` or \`authorization: Bearer\`; the header wins. A bad token is 401 everywhere. A token for automation (\`POST /api/auth/tokens\`) is sent the same way and reaches the operations of its scopes.
- Every response has \`x-request-id\`. Errors are \`{error, code, requestId, field?}\`: \`error\` is a sentence for people, \`code\` is stable.
- Limits count per user, or per address for guests. Every response has \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\`; a 429 has \`retry-after\`.
- Lists take \`limit\` and \`cursor\` (the \`nextCursor\` of the previous page; null at the end). Some also take \`offset\`, as the first specification had it.
- A POST that creates something takes \`Idempotency-Key\` (1 to 255 visible ASCII characters): for 24 hours, the same request by the same user gets the first response again, with \`idempotent-replayed: true\`. Another request with the same key gets 409 \`idempotency_mismatch\`; a repetition before the first response, 409 \`idempotency_in_progress\`. A refused request frees its key.
- Texts of posts are HTML, in which Markdown and line breaks mean nothing, or Markdown with \`format: "markdown"\`. Comments and chat messages are plain text; comments show a little Markdown.`;

/** Returns the OpenAPI 3.1 document of these operations, all of it derived from their declarations. */
export function openApiDocument(operations: readonly OperationSpec[], serverUrl: string): Json {
  const components = newComponents(fieldMeanings);
  const everywhere = [...new Set(operations.flatMap(generalErrors))];
  components.schemas.Error = {
    ...components.describe(errorBodySchema, "output"),
    description: `The body of every refusal. What is refused everywhere: ${meaningsOf(everywhere)}`,
  };
  components.describe(proofRequirement, "output");
  const parameters = shareRepeated(
    operations.flatMap(parametersOf).map((value) => ({ names: [String(value.name)], value })),
    "parameters",
  );
  const answersOf = (op: OperationSpec) => [
    ...Object.entries(successOf(op, components)).map(([status, value]) => ({
      status,
      names: [status, `${status}-${op.id}`],
      value,
    })),
    ...refusalsOf(op),
  ];
  const answers = shareRepeated(operations.flatMap(answersOf), "responses");
  const paths = describePaths(operations, (op) => ({
    ...describeOperation(op, components),
    parameters: parametersOf(op).map(parameters.refer),
    responses: Object.fromEntries(answersOf(op).map(({ status, value }) => [status, answers.refer(value)])),
  }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley community API",
      version: manifest.version,
      description: `A community where membership is proven, not disclosed.\n\n${conventions}`,
      license: { name: "Apache 2.0", identifier: manifest.license },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map((op) => op.tag))].map((name) => ({
      name,
      description: tagMeanings[name],
    })),
    paths,
    components: {
      schemas: components.schemas,
      parameters: parameters.shared,
      responses: answers.shared,
      headers,
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: sessionCookieName },
        bearer: { type: "http", scheme: "bearer", description: "A session's token, or one for automation." },
      },
    },
  };
}

function describeOperation(op: OperationSpec, components: Components): Json {
  return {
    operationId: op.id,
    summary: op.summary,
    description: [op.description, accessLine(op)].filter(Boolean).join("\n\n"),
    tags: [op.tag],
    ...(op.body && {
      requestBody: {
        required: op.bodyOptional !== true,
        content: {
          "application/json": {
            schema: components.describe(op.body, "input"),
            ...(samples[op.id]?.request !== undefined && { example: samples[op.id]?.request }),
          },
          ...(op.multipart && {
            "multipart/form-data": { schema: components.describe(op.multipart, "input") },
          }),
        },
      },
    }),
    security: securityOf(op),
    "x-ratelimit": {
      points: op.limit.points,
      seconds: op.limit.seconds,
      per: op.auth === "refused" ? "address" : "user, else address",
    },
    "x-access": op.access,
    "x-nickname-required": op.nickname,
    ...scopeLine(op),
  };
}

/** Names the scope of a token for automation that an operation is in, where it takes one: a named one, or its id. */
function scopeLine(op: OperationSpec): Json {
  if (op.auth === "none" || op.auth === "refused") return {};
  return { "x-scope": op.personOnly ? null : (scopeOf(op) ?? op.id) };
}

const sessions: Readonly<Record<OperationSpec["auth"], string>> = {
  none: "ignored",
  optional: "optional",
  required: "required",
  refused: "refused, and so is any other cookie",
};

/** Says in a line who may call an operation. */
export function accessLine({ auth, access, nickname }: OperationSpec): string {
  const chosen = nickname ? ", with a nickname" : "";
  return `Session: ${sessions[auth]}. For: ${accessRules[access].audience}${chosen}.`;
}

const parametersOf = (op: OperationSpec): Json[] => [
  ...describeParameters(op.params, "path", fieldMeanings),
  ...describeParameters(op.query, "query", fieldMeanings),
  ...(takesIdempotencyKey(op) ? [idempotencyKey] : []),
  ...(op.events ? [lastEventId] : []),
];

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Carries the request out once: for 24 hours a repetition is answered with the first answer.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const lastEventId: Json = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "Id of the last event received: what came since is sent first.",
  schema: { type: "string", maxLength: 100 },
};

const sessionSchemes = [{ cookie: [] }, { bearer: [] }];

function securityOf({ auth }: OperationSpec): Json[] {
  if (auth === "none" || auth === "refused") return [];
  // The empty entry means that a session is optional (OpenAPI 3.1, Security Requirement Object).
  return auth === "required" ? sessionSchemes : [{}, ...sessionSchemes];
}

function successOf(op: OperationSpec, components: Components): Readonly<Record<string, Json>> {
  const success = (type: string, schema: Json, example?: unknown): Json => ({
    description: "Success",
    ...(takesIdempotencyKey(op) && { headers: headersNamed("idempotent-replayed") }),
    content: { [type]: { schema, ...(example !== undefined && { example }) } },
  });
  if (op.binary) return { 200: success(op.binary, { type: "string", format: "binary" }) };
  if (op.events) return { 200: success("text/event-stream", eventsOf(op, op.events, components)) };
  return Object.fromEntries(
    Object.entries(op.responses).map(([status, schema]) => [
      status,
      success(
        "application/json",
        components.describe(schema, "output"),
        samples[op.id]?.status === Number(status) ? samples[op.id]?.response : undefined,
      ),
    ]),
  );
}

/** Describes one event of a stream; the data of each has a name. */
function eventsOf(
  op: OperationSpec,
  events: NonNullable<OperationSpec["events"]>,
  components: Components,
): Json {
  const forms = Object.entries(events).map(([event, schema]) => {
    const name = `${pascal(op.id)}${pascal(event)}Event`;
    components.schemas[name] = components.describe(schema, "output");
    return {
      type: "object",
      required: ["event", "data"],
      properties: {
        event: { const: event, description: "Name of the event." },
        data: { $ref: schemaRef(name) },
      },
    };
  });
  return { description: "One event of the stream, with its data as JSON.", oneOf: forms };
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

const refusalsOf = (op: OperationSpec) => {
  const general = new Set<string>(generalErrors(op));
  return [...errorsByStatus(op)].map(([status, codes]) => {
    const own = codes.filter((code) => !general.has(code));
    return {
      status,
      names: [[], own, codes].map((named) => [status, ...named].join("-")),
      value: refusal(status, codes, own),
    };
  });
};

/** @param own the codes that not every such operation can return; the others are described with the schema of errors */
function refusal(status: number, codes: readonly ErrorCode[], own: readonly ErrorCode[]): Json {
  const schema = {
    allOf: [{ $ref: schemaRef("Error") }, { properties: { code: { enum: codes, description: "Why." } } }],
  };
  return {
    description: describeCodes(codes, own),
    headers: headersNamed("x-request-id", ...(status === 429 ? [...rateHeaders, "retry-after"] : [])),
    content: { "application/json": { schema } },
  };
}

function describeCodes(codes: readonly ErrorCode[], own: readonly ErrorCode[]): string {
  if (own.length === 0) return meaningsOf(codes);
  const general = codes.filter((code) => !own.includes(code)).map((code) => `\`${code}\``);
  return general.length > 0
    ? `${meaningsOf(own)} Or, as everywhere: ${general.join(", ")}.`
    : meaningsOf(own);
}

function meaningsOf(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join(" ");
}

/** Returns every error code an operation can return, the general ones included, by status. */
export function errorsByStatus(op: OperationSpec): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...generalErrors(op), ...(op.errors ?? [])])) {
    const status = op.errorStatus?.[code] ?? errors[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Returns the errors `endpoint()` itself can throw for this declaration. */
function generalErrors(op: OperationSpec): ErrorCode[] {
  const codes: ErrorCode[] = ["rate_limited", "internal"];
  if (op.query || op.body || takesIdempotencyKey(op)) codes.push("invalid_request");
  if (op.body) codes.push("invalid_json", "body_too_large", "unsupported_media_type");
  if (op.maxBytes) codes.push("body_too_slow");
  if (op.auth === "refused") codes.push("credentials_not_allowed");
  else if (op.auth !== "none") codes.push("not_authenticated", "suspended", "scope_missing");
  if (op.method !== "GET") codes.push("cross_site");
  if (op.nickname) codes.push("nickname_required");
  if (takesIdempotencyKey(op)) codes.push("idempotency_in_progress", "idempotency_mismatch");
  return codes;
}

const documents = new WeakMap<Deployment, Json>();

/** GET /api/docs/openapi.json. Made once: it takes a quarter of a second, and anybody may ask. */
export function describeApi({ deployment }: Pick<Context, "deployment">): Record<string, unknown> {
  const document = documents.get(deployment) ?? openApiDocument(operations, deployment.services.appUrl);
  documents.set(deployment, document);
  return document;
}
