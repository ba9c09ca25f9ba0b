import type { ChatMessage } from "@/lib/contract";

/** A message of one's own that the server has not confirmed. */
export interface Outgoing {
  /** Idempotency-Key of every attempt to send it. */
  readonly key: string;
  readonly text: string;
  readonly state: "sending" | "failed";
  /** Why it failed, as a sentence. */
  readonly error: string | null;
  /** It failed for want of a network, so it is sent again once there is one. */
  readonly whenBack: boolean;
  /** It came over the stream before its answer did: not shown twice. */
  readonly hasArrived: boolean;
}
export type Outbox = readonly Outgoing[];

export function added(outbox: Outbox, key: string, text: string): Outbox {
  return [...outbox, { key, text, state: "sending", error: null, whenBack: false, hasArrived: false }];
}

export function without(outbox: Outbox, key: string): Outbox {
  return outbox.filter((one) => one.key !== key);
}

export function sendingAgain(outbox: Outbox, key: string): Outbox {
  return outbox.map((one) =>
    one.key === key ? { ...one, state: "sending", error: null, whenBack: false } : one,
  );
}

/** A message that did arrive has not failed, whatever became of its answer. */
export function failed(outbox: Outbox, key: string, error: string, whenBack: boolean): Outbox {
  return outbox.flatMap((one) => {
    if (one.key !== key) return [one];
    return one.hasArrived ? [] : [{ ...one, state: "failed" as const, error, whenBack }];
  });
}

/** Takes note of a message of one's own that came over the stream. */
export function arrived(outbox: Outbox, message: ChatMessage): Outbox {
  const at = outbox.findIndex(({ text, hasArrived }) => !hasArrived && text === message.message);
  const found = outbox[at];
  if (!found) return outbox;
  // Its answer got lost, but the message did not.
  if (found.state === "failed") return without(outbox, found.key);
  return outbox.with(at, { ...found, hasArrived: true });
}
