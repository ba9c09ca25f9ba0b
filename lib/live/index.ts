/**
 * What happens elsewhere, told to the clients of this process that follow it. The database is the truth: every signal
 * is only a hint to look there, so one that is lost costs time and nothing else.
 */
import type { EventStream } from "@/lib/contract";
import type { Feed, Signal } from "./feed";

export interface Live {
  /** Tells every process. Never throws and is not waited for: call it once the change is committed. */
  publish(signal: Signal): void;
  /**
   * Opens a stream of one key of a feed: the state first, then what came after `lastEventId`, then what comes. An id
   * that is not known any more gives `reset` after the state.
   * @throws Refusal too_many_streams, not_authenticated, and whatever `authorize` throws
   */
  follow(feed: Feed, key: string, subscription: Subscription): Promise<EventStream>;
  /** Ends every stream and stops telling. */
  close(): Promise<void>;
}

/** Who wants to follow, and from where. */
export interface Subscription {
  readonly caller: { readonly userId: string; readonly session: { readonly id: string } };
  /** Id of the last event the client has, where it comes back. */
  readonly lastEventId: string | null;
  /** Looks at the caller's rights. Called once every later change of them closes the stream, so that none is missed. */
  readonly authorize?: () => Promise<void>;
}
