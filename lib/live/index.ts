/**
 * What happens elsewhere, told to the clients of this process that follow it. The database is the truth: every signal
 * is only a hint to look there, so one that is lost costs time and nothing else.
 */
import type { EventStream } from "@/lib/contract";
import type { Feed } from "./feed";

/** Something changed; told after the change is committed. */
export type Signal =
  /** A topic's chat has entries up to this position. */
  | { readonly kind: "chat"; readonly topicId: string; readonly position: number }
  /** Somebody connected to a topic's chat or left it. */
  | { readonly kind: "presence"; readonly topicId: string }
  /** These people's notifications, or their unread counts, changed. */
  | { readonly kind: "inbox"; readonly userIds: readonly string[] }
  /**
   * Rights were taken away: streams of this user (of everybody, without one) in this topic (in all, without one) are
   * looked at again and closed where they are not allowed any more.
   */
  | { readonly kind: "access"; readonly topicId?: string; readonly userId?: string };

export interface Live {
  /** Tells every process. Never throws and is not waited for: call it once the change is committed. */
  tell(signal: Signal): void;
  /**
   * Opens a stream of one key of a feed: the state first, then what came after `lastEventId`, then what comes. An id
   * that is not known any more gives `reset` after the state.
   * @throws Refusal too_many_streams, not_authenticated, and whatever `demand` throws
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
  readonly demand?: () => Promise<void>;
}
