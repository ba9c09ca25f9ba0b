import type { ClientInput, OperationSpec, ResponseBody, StatusOf } from "@/lib/contract";
import { callAddress } from "./address";
import { ApiError, refusalOf } from "./error";

export { ApiError } from "./error";

export interface ApiClientOptions {
  /** Base URL without trailing slash; empty in the browser. */
  readonly baseUrl?: string;
  /** Bearer token; in the browser the cookie serves. */
  readonly token?: () => string | undefined;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes a call that creates something safe to repeat: the same key answers the same thing once more. */
  readonly idempotencyKey?: string;
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
    const { path, rest } = callAddress(op, input);
    const headers = new Headers({ accept: "application/json" });
    const token = options.token?.();
    if (token) headers.set("authorization", `Bearer ${token}`);
    if (op.body) headers.set("content-type", "application/json");
    if (call.idempotencyKey) headers.set("idempotency-key", call.idempotencyKey);
    let response: Response;
    try {
      response = await send(`${options.baseUrl ?? ""}${path}`, {
        method: op.method,
        headers,
        body: op.body ? JSON.stringify(rest) : undefined,
        signal: call.signal,
        credentials: "same-origin",
      });
    } catch (cause) {
      if (call.signal?.aborted) throw cause;
      throw new ApiError(0, null, "The network did not answer. Nothing was lost; try again.");
    }
    const raw: unknown = await response.json().catch(() => null);
    const schema = Object.entries(op.responses).find(([status]) => Number(status) === response.status)?.[1];
    if (!schema) throw refusalOf(response.status, raw);
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
