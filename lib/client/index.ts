import type { ClientInput, ErrorBody, OperationSpec, ResponseBody, StatusOf } from "@/lib/contract";
import { errorBodySchema } from "@/lib/contract/errors";

/** A refusal of the API, or a failure to reach it (status 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly body: ErrorBody | null,
    message: string,
  ) {
    super(message);
  }
  /** Stable word of the error, or "network" when nothing was answered. */
  get code(): string {
    return this.body?.code ?? (this.status === 0 ? "network" : "unknown");
  }
}

export interface ApiClientOptions {
  /** Base URL without trailing slash; empty in the browser. */
  readonly baseUrl?: string;
  /** Bearer token; in the browser the cookie serves. */
  readonly token?: () => string | undefined;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Reply<S extends OperationSpec> = { readonly status: StatusOf<S>; readonly body: ResponseBody<S> };

/**
 * Makes a caller of declared operations: places path parameters, query and body by the declaration, checks the
 * answer against its schema.
 * @throws ApiError for every status the operation does not declare as success, and for network failures.
 */
export function createClient(options: ApiClientOptions = {}) {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);

  async function callWithStatus<const S extends OperationSpec>(
    op: S,
    input: ClientInput<S>,
    call: CallOptions = {},
  ): Promise<Reply<S>> {
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
    const headers = new Headers({ accept: "application/json" });
    const token = options.token?.();
    if (token) headers.set("authorization", `Bearer ${token}`);
    if (op.body) headers.set("content-type", "application/json");
    const suffix = query.size > 0 ? `?${query}` : "";
    let response: Response;
    try {
      response = await send(`${options.baseUrl ?? ""}${path}${suffix}`, {
        method: op.method,
        headers,
        body: op.body ? JSON.stringify(Object.fromEntries(rest)) : undefined,
        signal: call.signal,
        credentials: "same-origin",
      });
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new ApiError(0, null, "The network did not answer. Nothing was lost; try again.");
    }
    const raw: unknown = await response.json().catch(() => null);
    const schema = Object.entries(op.responses).find(([status]) => Number(status) === response.status)?.[1];
    if (!schema) {
      const parsed = errorBodySchema.safeParse(raw);
      const body = parsed.success ? parsed.data : null;
      throw new ApiError(response.status, body, body?.error ?? `The server answered ${response.status}.`);
    }
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
