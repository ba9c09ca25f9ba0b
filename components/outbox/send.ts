import { ApiError, api, contract } from "@/components/api";
import { reader } from "@/components/offline/state";
import { pending, queue, sendAll, type Written } from "@/lib/client/outbox";
import type { ClientInput, ResponseBody } from "@/lib/contract";

/** The result of sending: the server's answer, or that this device keeps it for later. */
export type Sent<T> = { readonly answer: T } | { readonly kept: true };

/** Sends a comment or puts it in the outbox; see sendOrKeep. */
export async function sendComment(
  input: ClientInput<typeof contract.comments.create>,
): Promise<Sent<ResponseBody<typeof contract.comments.create>>> {
  const { postId: place, ...body } = input;
  return await sendOrKeep({ kind: "comment", place, body }, (idempotencyKey) =>
    api.call(contract.comments.create, input, { idempotencyKey }),
  );
}

/** Sends a post or puts it in the outbox; see sendOrKeep. Its pictures must be uploaded already. */
export async function sendPost(
  input: ClientInput<typeof contract.posts.create>,
): Promise<Sent<ResponseBody<typeof contract.posts.create>>> {
  const { topicId: place, ...body } = input;
  return await sendOrKeep({ kind: "post", place, body }, (idempotencyKey) =>
    api.call(contract.posts.create, input, { idempotencyKey }),
  );
}

/**
 * Sends what the user wrote, or puts it in the outbox for when the network is back. Both use the same idempotency key, so
 * that a request whose response was lost takes effect once. Older entries of the outbox are sent first.
 * @throws what `call` throws when the server refuses, or when this device cannot store it
 */
async function sendOrKeep<T>(
  written: Pick<Written, "kind" | "place" | "body">,
  call: (idempotencyKey: string) => Promise<T>,
): Promise<Sent<T>> {
  const userId = reader();
  const key = crypto.randomUUID();
  if (!userId) return { answer: await call(key) };
  const keep = async (triedKey: string | null): Promise<Sent<T>> => {
    await queue({ ...written, userId, triedKey });
    return { kept: true };
  };
  if (!navigator.onLine) return await keep(null);
  const waiting = (await pending(userId).catch(() => [])).some(({ state }) => state === "waiting");
  if (waiting && (await sendAll(userId)) !== "done") return await keep(null);
  try {
    return { answer: await call(key) };
  } catch (cause) {
    if (!isUnanswered(cause)) throw cause;
    return await keep(key).catch(() => {
      throw cause;
    });
  }
}

function isUnanswered(cause: unknown): boolean {
  return cause instanceof ApiError && cause.status === 0;
}
