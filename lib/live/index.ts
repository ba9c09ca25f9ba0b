/**
 * What happens elsewhere, told to the clients of this process that follow it. The database is the truth: every signal
 * is only a hint to look there, so one that is lost costs time and nothing else.
 */

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
}
