import type { ApiResult } from "@/components/call-api";
import { OptimisticStore } from "@/components/use-optimistic";
import type { ChatMessage } from "@/lib/contract";
import { type ChatLog, MAX_ENTRIES, newerOf, withCopy, withMessage } from "./log";

type Change = (message: ChatMessage) => ChatMessage;

/** A log whose messages change: by the stream, and by the reader, whose changes show before the server has answered. */
export class LiveLog {
  readonly #store: OptimisticStore<ChatLog>;
  readonly #readsHidden: (message: ChatMessage) => boolean;
  readonly #onShown: () => void;
  /** Number of unanswered changes by message, whose copies from the stream wait for the answer. */
  readonly #pending = new Map<string, number>();
  readonly #waiting = new Map<string, ChatMessage>();
  /** Newest copies of messages that are not in the log: a page that is on its way may have older ones. */
  readonly #unplaced = new Map<string, ChatMessage>();

  /**
   * @param readsHidden returns whether the reader reads a message also while it is hidden
   * @param onShown called when `shown` is another log
   */
  constructor(log: ChatLog, readsHidden: (message: ChatMessage) => boolean, onShown: () => void) {
    this.#store = new OptimisticStore(log);
    this.#readsHidden = readsHidden;
    this.#onShown = onShown;
    this.#store.subscribe(() => this.#onShown());
  }

  get shown(): ChatLog {
    return this.#store.shown();
  }

  /** Changes the log as the server says. */
  apply(change: (log: ChatLog) => ChatLog): void {
    this.#store.confirm(change);
  }

  /** Handles a newer copy of a message, from the stream. */
  receive(copy: ChatMessage): void {
    if (this.#pending.has(copy.id)) {
      this.#waiting.set(copy.id, copy);
      return;
    }
    if (this.shown.entries.some(({ id }) => id === copy.id)) {
      const isReadable = this.#readsHidden(copy);
      this.apply((log) => withCopy(log, copy, isReadable));
      return;
    }
    this.#unplaced.set(copy.id, copy);
    const [oldest] = this.#unplaced.keys();
    if (this.#unplaced.size > MAX_ENTRIES && oldest) this.#unplaced.delete(oldest);
  }

  /** Returns a page of the history with what the stream has said of its messages since. */
  fresh(page: readonly ChatMessage[]): readonly ChatMessage[] {
    return page.map((message) => {
      const copy = this.#unplaced.get(message.id);
      return copy ? newerOf(message, copy, this.#readsHidden(message)) : message;
    });
  }

  /** Changes a message at once, and undoes that if the server refuses. @param send answers with the message, or nothing */
  async change(
    id: string,
    change: Change,
    send: () => Promise<ApiResult<ChatMessage | null>>,
  ): Promise<ApiResult<ChatMessage | null>> {
    this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1);
    const result = await this.#store.act(
      {
        on: id,
        change: (log) => withMessage(log, id, change),
        settled: (answer) => (log) => (answer ? withCopy(log, answer, true) : withMessage(log, id, change)),
      },
      send,
    );
    const left = (this.#pending.get(id) ?? 1) - 1;
    if (left > 0) this.#pending.set(id, left);
    else this.#pending.delete(id);
    const copy = this.#waiting.get(id);
    if (left === 0 && copy) {
      this.#waiting.delete(id);
      this.receive(copy);
    }
    return result;
  }
}
