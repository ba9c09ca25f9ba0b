import type { ClientInput, OperationSpec, ResponseBody, StatusOf } from "@/lib/contract";
import { type ErrorBody, errorBodySchema } from "@/lib/contract/error-body";

export interface ApiClientOptions {
  /** Base URL without trailing slash; empty in the browser. */
  readonly baseUrl?: string;
  /** Bearer token; in the browser the cookie is enough. */
  readonly token?: () => string | undefined;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a call that creates something safe to repeat: the same key gets the same response again. */
  readonly idempotencyKey?: string;
  /** The trace that the call belongs to (`newTraceparent`). */
  readonly traceparent?: string;
  /** Lets the request outlive its page where the browser can: with a short body. */
  readonly keepalive?: boolean;
}

/** Browsers send bodies of up to 64 KiB for a page that is gone; a UTF-16 unit takes at most 3 bytes. */
const MAX_KEEPALIVE_UNITS = 21_000;

type Reply<S extends OperationSpec> = { readonly status: StatusOf<S>; readonly body: ResponseBody<S> };

/**
 * Makes a client of declared operations: builds path, query and body from the declaration, and checks the response
 * against its schema.
 * @throws ApiError for every undeclared status, and for network failures
 */
export function createClient(options: ApiClientOptions = {}) {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  async function callWithStatus<const S extends OperationSpec>(
    op: S,
    input: ClientInput<S>,
    call: CallOptions = {},
  ): Promise<Reply<S>> {
    const { path, rest } = callAddress(op, input);
    const headers = new Headers({ accept: "application/json" });
    const token = options.token?.();
    if (token && op.auth !== "refused") headers.set("authorization", `Bearer ${token}`);
    if (op.body) headers.set("content-type", "application/json");
    if (call.idempotencyKey) headers.set("idempotency-key", call.idempotencyKey);
    if (call.traceparent && op.auth !== "refused") headers.set("traceparent", call.traceparent);
    const body = op.body ? JSON.stringify(rest) : undefined;
    let response: Response;
    try {
      response = await send(`${options.baseUrl ?? ""}${path}`, {
        method: op.method,
        headers,
        body,
        keepalive: call.keepalive && (body?.length ?? 0) < MAX_KEEPALIVE_UNITS,
        signal: call.signal,
        // Whoever must not be known sends no address of a page either.
        ...(op.auth === "refused"
          ? { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" }
          : { credentials: "same-origin" }),
      });
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new ApiError(0, null, "The network did not answer. Nothing was lost; try again.");
    }
    const raw: unknown = await response.json().catch(() => null);
    const schema = Object.entries(op.responses).find(([status]) => Number(status) === response.status)?.[1];
    if (!schema) throw refusalOf(response.status, raw);
    // The declaration is the type of both; TypeScript cannot follow the status through a generic S.
    const checked: Reply<S>["body"] = schema.parse(raw) as Reply<S>["body"];
    return { status: response.status as StatusOf<S>, body: checked };
  }

  /** Calls an operation and returns the body of its success. */
  async function call<const S extends OperationSpec>(
    op: S,
    input: ClientInput<S>,
    callOptions?: CallOptions,
  ): Promise<ResponseBody<S>> {
    return (await callWithStatus(op, input, callOptions)).body;
  }

  return { call, callWithStatus };
}

/** Builds path and query from an input, as its operation declares them; the rest is for the body. */
export function callAddress(op: Pick<OperationSpec, "path" | "query">, input: unknown) {
  const rest = new Map<string, unknown>(Object.entries(Object(input)));
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const name of Object.keys(op.query?.shape ?? {})) {
    const value = rest.get(name);
    rest.delete(name);
    if (value !== undefined) query.set(name, String(value));
  }
  return { path: query.size > 0 ? `${path}?${query}` : path, rest: Object.fromEntries(rest) };
}

/**
 * An API error in the client: a refusal, or a failure to reach the API (status 0). The server throws the same refusal
 * as `Refusal` (lib/errors.ts).
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly body: ErrorBody | null,
    message: string,
  ) {
    super(message);
  }
  /** The stable code of the error, or "network" without a response. */
  get code(): string {
    return this.body?.code ?? (this.status === 0 ? "network" : "unknown");
  }
}

/** Returns the error of a response, whatever its body. */
export function refusalOf(status: number, body: unknown): ApiError {
  const parsed = errorBodySchema.safeParse(body);
  const known = parsed.success ? parsed.data : null;
  return new ApiError(status, known, known?.error ?? `The server answered ${status}.`);
}
