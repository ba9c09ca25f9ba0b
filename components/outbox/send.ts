import { ApiError, api, contract } from "@/components/api";
import { reader } from "@/components/offline/state";
import { pending, queue, sendAll, type Written } from "@/lib/client/outbox";
import type { ClientInput, ResponseBody } from "@/lib/contract";

/** What became of something that was written. */
export type Sent<T> = { readonly answer: T } | { readonly kept: true };

/** Comments, or keeps the comment: see sendOrKeep. */
export async function sendComment(
  input: ClientInput<typeof contract.comments.create>,
): Promise<Sent<ResponseBody<typeof contract.comments.create>>> {
  const { postId: place, ...body } = input;
  return await sendOrKeep({ kind: "comment", place, body }, (idempotencyKey) =>
    api.call(contract.comments.create, input, { idempotencyKey }),
  );
}

/** Posts, or keeps the post: see sendOrKeep. Its pictures must have been uploaded. */
export async function sendPost(
  input: ClientInput<typeof contract.posts.create>,
): Promise<Sent<ResponseBody<typeof contract.posts.create>>> {
  const { topicId: place, ...body } = input;
  return await sendOrKeep({ kind: "post", place, body }, (idempotencyKey) =>
    api.call(contract.posts.create, input, { idempotencyKey }),
  );
}

/**
 * Sends what was written, or keeps it on this device to be sent when the network is back, under the same key: what
 * arrived although its answer was lost does not arrive twice. What waits already goes first.
 * @param call sends it under the key it is given
 * @throws what `call` throws when the server refuses, or when this device cannot keep it
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
