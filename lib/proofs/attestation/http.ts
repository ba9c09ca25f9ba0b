import { TrustUnavailableError } from "../errors";

/** Timeout of one request to a source or chain. */
export const TIMEOUT_MS = 10_000;
/** Maximum size of a response: a full page of a thousand logs is below one million bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How to send requests. */
export type Reach = { fetch?: typeof fetch; signal?: AbortSignal };

/**
 * Makes a `fetch` that rejects redirects, times out after ten seconds and reads at most four megabytes. It reads the
 * whole response before it returns.
 */
export function cautiousFetch({ fetch: outside, signal }: Reach): typeof fetch {
  return async (input, init) => {
    const limits = [AbortSignal.timeout(TIMEOUT_MS), signal, init?.signal].filter((limit) => !!limit);
    // A browser's fetch throws if it is called unbound.
    const response = await (outside ?? globalThis.fetch.bind(globalThis))(input, {
      ...init,
      redirect: "error",
      signal: AbortSignal.any(limits),
    });
    const body = await readBody(response);
    return new Response(body, { status: response.status, headers: { "content-type": "application/json" } });
  };
}

async function readBody(response: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) {
      await reader?.cancel();
      throw new RangeError("the response is too large");
    }
    chunks.push(value);
  }
  return new Blob(chunks);
}

/**
 * Runs a request to a source or chain. Drops its error, which may quote addresses and hashes that name a wallet.
 * @throws TrustUnavailableError, or the signal's reason if the caller aborted.
 */
export async function ask<T>(service: string, { signal }: Reach, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TrustUnavailableError) throw error;
    throw new TrustUnavailableError(`${service} is unavailable; try again later`);
  }
}
