import { type OperationSpec, takesIdempotencyKey } from "@/lib/contract";
import { type ErrorCode, errorBodySchema, errors, meaningOf } from "@/lib/contract/errors";
import {
  describeParameters,
  describePaths,
  type Json,
  toComponentSchemas,
  toJsonSchema,
} from "@/lib/openapi";
import { sessionCookieName } from "@/lib/session/cookie";

/** Part of every rate-limited answer. */
const rateHeaders: Json = Object.fromEntries(
  [
    ["ratelimit-limit", "Requests allowed in a window"],
    ["ratelimit-remaining", "Requests left in this window"],
    ["ratelimit-reset", "Seconds until the window ends"],
  ].map(([name, description]) => [name, { description, schema: { type: "integer" } }]),
);
const requestIdHeader: Json = {
  "x-request-id": { description: "Quote it when asking for help", schema: { type: "string" } },
};

/** The OpenAPI 3.1 document of these operations. Nothing in it is written by hand a second time. */
export function openApiDocument(operations: readonly OperationSpec[], serverUrl: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley community API",
      version: "0.1.0",
      description:
        "A community where membership is proven, not disclosed. Errors are {error, code, requestId}; act on `code`.",
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map((op) => op.tag))].map((name) => ({ name })),
    paths: describePaths(operations, describeOperation),
    components: {
      schemas: toComponentSchemas({ Error: errorBodySchema }, "output"),
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: sessionCookieName },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
  };
}

function describeOperation(op: OperationSpec): Json {
  return {
    operationId: op.id,
    summary: op.summary,
    ...(op.description !== undefined && { description: op.description }),
    tags: [op.tag],
    parameters: [
      ...describeParameters(op.params, "path"),
      ...describeParameters(op.query, "query"),
      ...(takesIdempotencyKey(op) ? [idempotencyKey] : []),
      ...(op.events ? [lastEventId] : []),
    ],
    ...(op.body && {
      requestBody: {
        required: op.bodyOptional !== true,
        content: {
          "application/json": { schema: toJsonSchema(op.body, "input") },
          ...(op.multipart && { "multipart/form-data": { schema: toJsonSchema(op.multipart, "input") } }),
        },
      },
    }),
    responses: responsesOf(op),
    security: securityOf(op),
    "x-ratelimit": { points: op.limit.points, seconds: op.limit.seconds, per: "user, else address" },
    "x-access": op.access,
    "x-nickname-required": op.nickname,
  };
}

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

/** Part of a success that may be a repetition's. */
const replayedHeader: Json = {
  "idempotent-replayed": {
    description: "`true` on the answer to a repetition under the same Idempotency-Key",
    schema: { type: "string", enum: ["true"] },
  },
};

const sessionSchemes = [{ cookie: [] }, { bearer: [] }];

function securityOf({ auth }: OperationSpec): Json[] {
  if (auth === "none") return [];
  // The empty entry says that no session is needed (OpenAPI 3.1, Security Requirement Object).
  return auth === "required" ? sessionSchemes : [{}, ...sessionSchemes];
}

function responsesOf(op: OperationSpec): Json {
  const responses: Json = {};
  for (const [status, schema] of Object.entries(op.responses)) {
    responses[status] = {
      description: "Success",
      headers: { ...requestIdHeader, ...rateHeaders, ...(takesIdempotencyKey(op) && replayedHeader) },
      content: { "application/json": { schema: toJsonSchema(schema, "output") } },
    };
  }
  if (op.binary) {
    responses[200] = {
      description: "Success",
      headers: { ...requestIdHeader, ...rateHeaders },
      content: { [op.binary]: { schema: { type: "string", format: "binary" } } },
    };
  }
  if (op.events) {
    responses[200] = {
      description: `Events, each with its data as JSON: ${Object.keys(op.events).join(", ")}`,
      headers: { ...requestIdHeader, ...rateHeaders },
      content: { "text/event-stream": { schema: { type: "string" } } },
    };
  }
  for (const [status, codes] of errorsByStatus(op)) {
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join(" "),
      headers: {
        ...requestIdHeader,
        ...(status === 429 && {
          ...rateHeaders,
          "retry-after": { description: "Seconds to wait", schema: { type: "integer" } },
        }),
      },
      content: {
        "application/json": {
          schema: {
            allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: codes } } }],
          },
        },
      },
    };
  }
  return responses;
}

/** Every error code an operation can answer, the general ones included, by status. */
export function errorsByStatus(op: OperationSpec): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...generalErrors(op), ...op.errors])) {
    const status = op.errorStatus?.[code] ?? errors[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** What `endpoint()` itself answers, by what the operation declares. */
function generalErrors(op: OperationSpec): ErrorCode[] {
  const codes: ErrorCode[] = ["rate_limited", "internal"];
  if (op.query || op.body || takesIdempotencyKey(op)) codes.push("invalid_request");
  if (op.body) codes.push("invalid_json", "body_too_large", "unsupported_media_type");
  if (op.maxBytes) codes.push("body_too_slow");
  if (op.auth !== "none") codes.push("not_authenticated");
  if (op.method !== "GET") codes.push("cross_site");
  if (op.nickname) codes.push("nickname_required");
  if (takesIdempotencyKey(op)) codes.push("idempotency_in_progress", "idempotency_mismatch");
  return codes;
}
