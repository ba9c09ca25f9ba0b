import { TrustUnavailableError } from "../errors";

/** Longest a source or chain may take for one answer, in milliseconds. */
export const TIMEOUT_MS = 10_000;
/** Largest answer read: a full page of a thousand logs has below one million bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** How the outside world is reached. */
export type Reach = { fetch?: typeof fetch; signal?: AbortSignal };

/**
 * `fetch` that follows no redirect, gives up after ten seconds and reads four megabytes at most. The answer is read to
 * its end before it is handed on.
 */
export function cautiousFetch({ fetch: outside, signal }: Reach): typeof fetch {
  return async (input, init) => {
    const limits = [AbortSignal.timeout(TIMEOUT_MS), signal, init?.signal].filter((limit) => !!limit);
    // Unbound, a browser's fetch refuses to run.
    const response = await (outside ?? globalThis.fetch.bind(globalThis))(input, {
      ...init,
      redirect: "error",
      signal: AbortSignal.any(limits),
    });
    const body = await readBody(response);
    return new Response(body, { status: response.status, headers: { "content-type": "application/json" } });
  };
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    length += value.length;
    if (length > MAX_BYTES) {
      await reader?.cancel();
      throw new RangeError("answer too large");
    }
    chunks.push(value);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/**
 * Runs a question to the outside world. Its error may quote addresses and hashes that name a wallet, so it is not kept.
 * @throws TrustUnavailableError, or the signal's reason when the caller gave up.
 */
export async function ask<T>(whom: string, { signal }: Reach, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TrustUnavailableError) throw error;
    throw new TrustUnavailableError(`${whom} cannot be asked now; try again later`);
  }
}
