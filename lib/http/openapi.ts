import type { Context } from "@/lib/context";
import { type OperationSpec, operations, takesIdempotencyKey } from "@/lib/contract";
import { type ErrorCode, errorBodySchema, errors, meaningOf } from "@/lib/contract/errors";
import {
  describeParameters,
  describePaths,
  type Json,
  toComponentSchemas,
  toJsonSchema,
} from "@/lib/openapi";
import { sessionCookieName } from "@/lib/session/cookie";
import manifest from "@/package.json" with { type: "json" };

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

/** Returns the OpenAPI 3.1 document of these operations, all of it derived from their declarations. */
export function openApiDocument(operations: readonly OperationSpec[], serverUrl: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley community API",
      version: manifest.version,
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
    "x-ratelimit": {
      points: op.limit.points,
      seconds: op.limit.seconds,
      per: op.auth === "refused" ? "address" : "user, else address",
    },
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

/** Header of a response that may be a replay. */
const replayedHeader: Json = {
  "idempotent-replayed": {
    description: "`true` on the answer to a repetition under the same Idempotency-Key",
    schema: { type: "string", enum: ["true"] },
  },
};

const sessionSchemes = [{ cookie: [] }, { bearer: [] }];

function securityOf({ auth }: OperationSpec): Json[] {
  if (auth === "none" || auth === "refused") return [];
  // The empty entry means that a session is optional (OpenAPI 3.1, Security Requirement Object).
  return auth === "required" ? sessionSchemes : [{}, ...sessionSchemes];
}

function responsesOf(op: OperationSpec): Json {
  const responses: Json = {};
  const headers = { ...requestIdHeader, ...rateHeaders, ...(takesIdempotencyKey(op) && replayedHeader) };
  for (const [status, schema] of Object.entries(op.responses)) {
    const content = { "application/json": { schema: toJsonSchema(schema, "output") } };
    responses[status] = { description: "Success", headers, content };
  }
  if (op.binary) {
    const content = { [op.binary]: { schema: { type: "string", format: "binary" } } };
    responses[200] = { description: "Success", headers, content };
  }
  if (op.events) {
    const description = `Events, each with its data as JSON: ${Object.keys(op.events).join(", ")}`;
    responses[200] = {
      description,
      headers,
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
  else if (op.auth !== "none") codes.push("not_authenticated", "suspended");
  if (op.method !== "GET") codes.push("cross_site");
  if (op.nickname) codes.push("nickname_required");
  if (takesIdempotencyKey(op)) codes.push("idempotency_in_progress", "idempotency_mismatch");
  return codes;
}

/** GET /api/docs/openapi.json. */
export function describeApi({ deployment }: Pick<Context, "deployment">): Record<string, unknown> {
  return openApiDocument(operations, deployment.services.appUrl);
}
